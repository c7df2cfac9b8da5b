package gen

import (
	"cbkit/model"

	"pgregory.net/rapid"
)

// Entities draws all six tables. Live entities of a table differ from each
// other; the empty one may be among them. No two tournaments and no two sources have one
// key in ChessBase's order, under which a database of the family has one alone.
func Entities(c Config) *rapid.Generator[*model.Entities] {
	return rapid.Custom(func(t *rapid.T) *model.Entities {
		e := &model.Entities{}
		drawTable(t, c, &e.Players, drawPlayer)
		drawTable(t, c, &e.Tournaments, drawTournament)
		drawTable(t, c, &e.Annotators, drawAnnotator)
		drawTable(t, c, &e.Sources, drawPublication)
		drawTable(t, c, &e.Teams, drawTeam)
		drawTable(t, c, &e.GameTitles, drawGameTitle)
		return e
	})
}

func drawTable[T comparable](t *rapid.T, c Config, table *model.Table[T], draw func(*rapid.T, Config) T) {
	for range rapid.IntRange(0, 4).Draw(t, "slots") {
		if !c.NoDeleted && chance(t, 5, "deleted") {
			table.Append(model.Slot[T]{Deleted: true})
			continue
		}
		v := draw(t, c)
		_, there := table.Find(v)
		for _, other := range table.Live() {
			there = there || sameKey(v, other)
		}
		var none T
		if !there && (v == none || !sameKey(v, none)) {
			table.Append(model.Slot[T]{Value: v, Leftover: c.leftover(t)})
		}
	}
}

// sameKey reports whether ChessBase has one place for two tournaments or sources.
func sameKey[T comparable](v, w T) bool {
	switch v := any(v).(type) {
	case model.Tournament:
		w := any(w).(model.Tournament)
		return v.Title == w.Title && v.Place == w.Place && v.Start == w.Start
	case model.Publication:
		return v.Title == any(w).(model.Publication).Title
	}
	return false
}

// reference draws the id of a live entity of the table, or none.
func reference[T comparable](t *rapid.T, table *model.Table[T], label string) model.EntityID {
	ids := []model.EntityID{model.NoEntity}
	for id, slot := range table.All() {
		if !slot.Deleted {
			ids = append(ids, id)
		}
	}
	return rapid.SampledFrom(ids).Draw(t, label)
}

func drawPlayer(t *rapid.T, c Config) model.Player {
	return model.Player{LastName: c.name(t, "last name"), FirstName: c.name(t, "first name")}
}

func drawTournament(t *rapid.T, c Config) model.Tournament {
	flag := func(label string) bool { return rapid.Bool().Draw(t, label) }
	v := model.Tournament{
		Title: c.name(t, "title"), Place: c.name(t, "place"),
		Start: Date(c).Draw(t, "start"), Type: EventType(c).Draw(t, "type"),
		Nation:   model.Nation(rapid.Byte().Draw(t, "nation")),
		Category: rapid.Byte().Draw(t, "category"), Rounds: rapid.Byte().Draw(t, "rounds"),
		Complete: flag("complete"), LegacyComplete: flag("legacy"),
		BoardPoints: flag("board points"), ThreePoints: flag("three points"),
	}
	if !chance(t, 2, "details") {
		return v
	}
	v.End = Date(c).Draw(t, "end")
	v.Latitude = rapid.Float64Range(-90, 90).Draw(t, "latitude")
	v.Longitude = rapid.Float64Range(-180, 180).Draw(t, "longitude")
	for i := range rapid.IntRange(0, len(v.TieBreaks)).Draw(t, "tie breaks") {
		v.TieBreaks[i] = rapid.ByteRange(1, 30).Draw(t, "tie break")
	}
	return v
}

func drawAnnotator(t *rapid.T, c Config) model.Annotator {
	return model.Annotator{Name: c.name(t, "annotator")}
}

func drawPublication(t *rapid.T, c Config) model.Publication {
	return model.Publication{
		Title: c.name(t, "title"), Publisher: c.name(t, "publisher"),
		Published: Date(c).Draw(t, "published"), Date: Date(c).Draw(t, "date"),
		Version: rapid.Byte().Draw(t, "version"),
		Quality: model.Quality(number[uint8](t, c, uint8(model.QualityLow), "quality")),
	}
}

func drawTeam(t *rapid.T, c Config) model.Team {
	return model.Team{
		Title: c.name(t, "title"), Number: rapid.Int32().Draw(t, "number"),
		Season: rapid.Bool().Draw(t, "season"), Year: rapid.Int32Range(0, 3000).Draw(t, "year"),
		Nation: model.Nation(rapid.Byte().Draw(t, "nation")),
	}
}

func drawGameTitle(t *rapid.T, c Config) model.GameTitle {
	var v model.GameTitle
	for range rapid.IntRange(1, 3).Draw(t, "titles") {
		v.Titles[rapid.IntRange(0, len(v.Titles)-1).Draw(t, "language")] = c.name(t, "title")
	}
	return v
}
