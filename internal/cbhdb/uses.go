package cbhdb

import (
	"slices"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// Uses are the references to the entities of one kind.
type Uses struct {
	Found []cbh.EntityUse // by id
	// Dangling counts the references that lead nowhere.
	Dangling int
	// Whole says that there are no other references than those.
	Whole bool
}

// References are the references to the entities of each kind, as in cbh.EntityFiles.
type References [6]Uses

// Begin prepares for the references to a kind of which there are so many ids.
func (r *References) Begin(kind *cbh.EntityFile, ids int) {
	r[slices.Index(cbh.EntityFiles, kind)] = Uses{Found: make([]cbh.EntityUse, ids), Whole: true}
}

// Add counts the references of the record with a number. In the .cbh file every one
// must lead somewhere.
func (r *References) Add(h *Header, number int) {
	if h.Head == nil {
		for i := range r {
			r[i].Whole = false
		}
		return
	}
	for _, f := range cbh.References(h.Type().IsText()) {
		record, u := h.Record(f), &r[slices.Index(cbh.EntityFiles, f.Entity)]
		if !f.In(record) {
			u.Whole = false
			continue
		}
		switch id := int32(f.Uint(record)); {
		case id >= 0 && int(id) < len(u.Found):
			u.Found[id].Add(model.RecordID(number))
		case id != cbh.NoLink || f.File == cbh.GameType.File:
			u.Dangling++
		}
	}
}

// IDs is how many ids the file has, with those of a few records that the header
// announces and which are missing.
func (e *Entities) IDs() int {
	if missing := e.Head.Capacity - e.Count; missing > 0 && missing <= entityReach {
		return int(e.Head.Capacity)
	}
	return int(e.Count)
}
