package jsonl

import "cbkit/model"

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
	gameTitle = refer(&e.GameTitles, chooseTitle(l.gameTitle, l.details.gameTitles), left[gameTitleRole])
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

// chooseTitle returns the titles in all languages while they agree with the
// one title.
func chooseTitle(title string, all []string) (t model.GameTitle) {
	if copy(t.Titles[:], all); titleName(t) == title {
		return t
	}
	return model.GameTitle{Titles: [8]string{title}}
}
