package collect

import (
	"slices"

	"cbkit/internal/headerfields"
	"cbkit/model"
)

// Filled is a field that a game lacked, or a part of a date, and has from another one.
type Filled struct {
	ID, From     model.RecordID
	Field, Value string
}

// filling gives games what their headers lack and those of others state.
type filling struct {
	names  model.Entities // of all
	others map[model.RecordID][]model.Record
}

// fill fills the header of a game, and lists what it lacked.
func (f *filling) fill(id model.RecordID, g *model.Game, forAll bool) (list []Filled) {
	for _, d := range headerfields.Fill(&g.Header, &f.names, f.others[id], forAll) {
		g.Forget(0)
		list = append(list, Filled{id, d.From, d.Field, d.Value})
	}
	return list
}

// headOf returns a record with the header of a game alone.
func headOf(rec model.Record) model.Record {
	g := &model.Game{Header: rec.Game.Header}
	g.Tags = slices.Clone(g.Tags)
	return model.Record{ID: rec.ID, Game: g}
}
