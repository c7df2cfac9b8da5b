package jsonl

import (
	"cmp"

	"cbkit/model"
)

// role is an entity of a record.
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
func (e *encoder) resolve(h *model.Header) (r resolved) {
	t, l := e.entities, &r.leftovers
	r.white, l[whiteRole] = mention(&e.seen.players, &t.Players, h.White)
	r.black, l[blackRole] = mention(&e.seen.players, &t.Players, h.Black)
	r.tournament, l[tournamentRole] = mention(&e.seen.tournaments, &t.Tournaments, h.Tournament)
	r.annotator, l[annotatorRole] = mention(&e.seen.annotators, &t.Annotators, h.Annotator)
	r.source, l[sourceRole] = mention(&e.seen.sources, &t.Sources, h.Source)
	r.whiteTeam, l[whiteTeamRole] = mention(&e.seen.teams, &t.Teams, h.WhiteTeam)
	r.blackTeam, l[blackTeamRole] = mention(&e.seen.teams, &t.Teams, h.BlackTeam)
	r.gameTitle, l[gameTitleRole] = mention(&e.seen.gameTitles, &t.GameTitles, h.GameTitle)
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
	for id := range table.Live() {
		if int(id) >= len(seen) || !seen[id] {
			unused++
		}
	}
	if unused > 0 {
		report.Add(model.LostEntity, 0, what, "%d that no record refers to", unused)
	}
}

// referGame gives a game the ids of its entities, adding those that are new.
func (d *decoder) referGame(h *model.Header) {
	l, e, left := &d.line, d.entities, &d.line.details.entities
	h.White = refer(&e.Players, choosePlayer(l.white, l.details.white), left[whiteRole])
	h.Black = refer(&e.Players, choosePlayer(l.black, l.details.black), left[blackRole])
	h.Tournament, h.Annotator, h.Source, h.GameTitle = d.referCommon()
	l.details.whiteTeam.Title = l.whiteTeam
	h.WhiteTeam = refer(&e.Teams, l.details.whiteTeam, left[whiteTeamRole])
	l.details.blackTeam.Title = l.blackTeam
	h.BlackTeam = refer(&e.Teams, l.details.blackTeam, left[blackTeamRole])
}

// referCommon does the same with the entities that texts have, too.
func (d *decoder) referCommon() (tournament, annotator, source, gameTitle model.EntityID) {
	l, e, left := &d.line, d.entities, &d.line.details.entities
	l.details.tournament.Title, l.details.tournament.Place = l.event, l.site
	tournament = refer(&e.Tournaments, l.details.tournament, left[tournamentRole])
	annotator = refer(&e.Annotators, model.Annotator{Name: l.annotator}, left[annotatorRole])
	l.details.source.Title = l.source
	source = refer(&e.Sources, l.details.source, left[sourceRole])
	var titles model.GameTitle // in all languages, while they agree with the one title
	if copy(titles.Titles[:], l.details.gameTitles); cmp.Or(titles.Titles[:]...) != l.gameTitle {
		titles = model.GameTitle{Titles: [8]string{l.gameTitle}}
	}
	gameTitle = refer(&e.GameTitles, titles, left[gameTitleRole])
	return tournament, annotator, source, gameTitle
}

// refer returns the id of the entity that equals v, adding it if there is
// none. One without content, which means the same as none, is added only to
// keep its leftover.
func refer[T comparable](table *model.Table[T], v T, l *model.Leftover) model.EntityID {
	if id, ok := table.Find(v); ok {
		return id
	}
	var empty T
	if v == empty && l == nil {
		return model.NoEntity
	}
	return table.Append(model.Slot[T]{Value: v, Leftover: l})
}

// choosePlayer returns the exact player while it agrees with the name.
func choosePlayer(name string, exact model.Player) model.Player {
	if exact != (model.Player{}) && exact.String() == name {
		return exact
	}
	return model.ParsePlayer(name)
}
