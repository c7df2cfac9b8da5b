package jsonl

import "cbkit/model"

// roles are the entities of a record, by id.
type roles struct {
	white, black, tournament, annotator, source, whiteTeam, blackTeam, gameTitle model.EntityID
}

// role is one of them.
type role uint8

const (
	whiteRole role = iota
	blackRole
	tournamentRole
	annotatorRole
	sourceRole
	whiteTeamRole
	blackTeamRole
	gameTitleRole
	roleCount
)

// roleNames are the keys under which leftovers of entities stand.
var roleNames = [roleCount]string{
	"white", "black", "tournament", "annotator", "source", "whiteTeam", "blackTeam", "gameTitle",
}

// resolved are the entities of a record by value.
type resolved struct {
	white, black         model.Player
	tournament           model.Tournament
	annotator            model.Annotator
	source               model.Publication
	whiteTeam, blackTeam model.Team
	gameTitle            model.GameTitle
	// leftovers of those entities that no earlier record has mentioned.
	leftovers [roleCount]*model.Leftover
}

// mentions says which entities were mentioned, by table and id.
type mentions struct {
	players, tournaments, annotators, sources, teams, gameTitles []bool
}

// resolve looks up the entities of a record and marks them as mentioned.
func (e *encoder) resolve(ids roles) (r resolved) {
	t, l := e.entities, &r.leftovers
	r.white, l[whiteRole] = mention(&e.seen.players, &t.Players, ids.white)
	r.black, l[blackRole] = mention(&e.seen.players, &t.Players, ids.black)
	r.tournament, l[tournamentRole] = mention(&e.seen.tournaments, &t.Tournaments, ids.tournament)
	r.annotator, l[annotatorRole] = mention(&e.seen.annotators, &t.Annotators, ids.annotator)
	r.source, l[sourceRole] = mention(&e.seen.sources, &t.Sources, ids.source)
	r.whiteTeam, l[whiteTeamRole] = mention(&e.seen.teams, &t.Teams, ids.whiteTeam)
	r.blackTeam, l[blackTeamRole] = mention(&e.seen.teams, &t.Teams, ids.blackTeam)
	r.gameTitle, l[gameTitleRole] = mention(&e.seen.gameTitles, &t.GameTitles, ids.gameTitle)
	if e.alone {
		*l = [roleCount]*model.Leftover{}
	}
	return r
}

// mention returns an entity, and its leftover when this is the first time. That
// of a deleted one says that it is deleted, which it is not where it is read
// again.
func mention[T comparable](seen *[]bool, table *model.Table[T], id model.EntityID) (v T, l *model.Leftover) {
	v, ok := table.Get(id)
	if !ok {
		return v, nil
	}
	if missing := int(id) + 1 - len(*seen); missing > 0 {
		*seen = append(*seen, make([]bool, missing)...)
	}
	if (*seen)[id] {
		return v, nil
	}
	(*seen)[id] = true
	if slot := table.Slot(id); !slot.Deleted {
		l = slot.Leftover
	}
	return v, l
}

// reportUnused reports, for each table, how many entities were not mentioned.
func (e *encoder) reportUnused(report model.Report) {
	t, seen := e.entities, &e.seen
	reportTable(report, "player", &t.Players, seen.players)
	reportTable(report, "tournament", &t.Tournaments, seen.tournaments)
	reportTable(report, "annotator", &t.Annotators, seen.annotators)
	reportTable(report, "source", &t.Sources, seen.sources)
	reportTable(report, "team", &t.Teams, seen.teams)
	reportTable(report, "game title", &t.GameTitles, seen.gameTitles)
}

func reportTable[T comparable](report model.Report, what string, table *model.Table[T], seen []bool) {
	unused := 0
	for id, slot := range table.All() {
		if !slot.Deleted && (int(id) >= len(seen) || !seen[id]) {
			unused++
		}
	}
	if unused > 0 {
		report.Add(model.LostEntity, 0, what, "%d that no record refers to", unused)
	}
}

// titleName returns the first title that there is.
func titleName(t model.GameTitle) string {
	for _, title := range t.Titles {
		if title != "" {
			return title
		}
	}
	return ""
}
