package collect

import (
	"slices"

	"cbkit/internal/headerfields"
	"cbkit/model"
)

// Filled is a field, or a part of a date, that a game lacked and got from another one.
type Filled struct {
	ID, From     model.RecordID
	Field, Value string
}

// filling gives games what their headers lack and those of others state.
type filling struct {
	names  *model.Entities // of all
	others map[model.RecordID][]headerfields.Head
	stated map[model.RecordID]model.Header // of a game that it takes the place of: this stays
}

// fill fills a header, and lists what it lacked.
func (f *filling) fill(id model.RecordID, h *model.Header, forAll bool) (list []Filled) {
	others := f.others[id]
	if stated, is := f.stated[id]; is {
		others = append([]headerfields.Head{{ID: id, Header: *h}}, others...)
		*h = stated
	}
	for _, d := range headerfields.Fill(h, f.names, others, forAll) {
		list = append(list, Filled{id, d.From, d.Field, d.Value})
	}
	return list
}

// headOf returns the header of a game.
func headOf(rec model.Record) headerfields.Head {
	h := rec.Game.Header
	h.Tags = slices.Clone(h.Tags)
	return headerfields.Head{ID: rec.ID, Header: h}
}
