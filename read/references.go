package read

import (
	"fmt"
	"io/fs"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// danglingReferences appends an error for each reference of a record that is not
// into the tables. It names the entity file if that has lost the record, and
// the .cbh file if there never was one. Files that are missing, or count as
// missing, are told apart by fs.ErrNotExist.
func (db *ChessBase) danglingReferences(dst []error, rec *model.Record) []error {
	if model.CheckReferences(rec, &db.tables) == nil {
		return dst
	}
	for _, r := range rec.AppendReferences(nil, &db.tables) {
		if r.Leads() {
			continue
		}
		kind := entityFileOf[r.Kind]
		name := db.set.Name(cbh.EntityFiles[kind].Ext)
		e := &model.FormatError{File: db.heads.Name(), Offset: int64(rec.ID) * cbh.RecordSize, Record: int64(rec.ID), Field: r.Field}
		switch head := db.leftover.Entities[kind]; {
		case head == nil:
			e.Err = fmt.Errorf("%v: %s: %w", r, name, fs.ErrNotExist)
		case r.ID >= 0 && int64(r.ID) < int64(head.Capacity):
			e.File, e.Offset, e.Record, e.Field = name, -1, int64(r.ID), ""
			e.Err = fmt.Errorf("%w: the file has %d of %d records; record %d of %s refers to this one as %s",
				model.ErrTruncated, r.Len, head.Capacity, rec.ID, db.heads.Name(), r.Field)
		default:
			e.Err = fmt.Errorf("%w: %v; %s has %d", model.ErrCorrupt, r, name, r.Len)
		}
		dst = append(dst, e)
	}
	return dst
}

// entityFileOf are the numbers in cbh.EntityFiles of the kinds of references.
var entityFileOf = map[string]int{"player": 0, "tournament": 1, "annotator": 2, "source": 3, "team": 4, "game title": 5}

// LegalMoves implements [model.Referee].
func (db *ChessBase) LegalMoves() bool { return true }
