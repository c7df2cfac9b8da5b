package read

import (
	"context"
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/wire"
	"cbkit/model"
)

// place is where the parts of a record lie in their files.
type place struct {
	moves       int64
	annotations int64 // 0: none
}

// locate finds the parts of a record from its headers. The .cbh file has the
// low 32 bits of the offsets, the .cbj file all 64; the latter count only
// where they agree. (spec/cbh-entities.md 10)
func (db *ChessBase) locate(head, ext []byte) (place, error) {
	if cbh.RecordType(head[0]).IsText() {
		t, err := cbh.DecodeTextRecord(head)
		return place{moves: db.wide(t.Offset, ext, false)}, err
	}
	g, err := cbh.DecodeGameRecord(head)
	if err != nil || g.AnnotationsOffset == 0 && len(ext) == 0 {
		return place{moves: db.wide(g.MovesOffset, ext, false)}, err
	}
	return place{db.wide(g.MovesOffset, ext, false), db.wide(g.AnnotationsOffset, ext, true)}, nil
}

// wide completes the low half of an offset.
func (db *ChessBase) wide(low uint32, ext []byte, annotations bool) int64 {
	if len(ext) == 0 {
		return int64(low)
	}
	r := cbh.DecodeExtRecord(ext)
	full := r.MovesOffset
	if annotations {
		full = r.AnnotationsOffset
	}
	return cbh.Place(low, full)
}

// Preflight implements [model.Preflighter]: it looks at the extents of all
// records and returns the first that does not lie inside its file.
func (db *ChessBase) Preflight(ctx context.Context) error {
	r := db.newReader(farAhead)
	var first error
	others := 0
	for id := model.RecordID(1); id <= db.count; id++ {
		if id%batchSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch err := r.checkExtents(id); {
		case err == nil:
		case first == nil:
			first = err
		default:
			others++
		}
	}
	if others > 0 {
		return fmt.Errorf("%w (+%d more)", first, others)
	}
	return first
}

// checkExtents checks where one record claims to lie.
func (r *recordReader) checkExtents(id model.RecordID) error {
	head, err := r.heads.at(int64(id)*cbh.RecordSize, cbh.RecordSize)
	if err != nil {
		return err
	}
	var ext []byte
	if r.db.hasExt(id) {
		if ext, err = r.exts.at(r.db.extOffset(id), int64(r.db.ext.RecordSize)); err != nil {
			return err
		}
	}
	place, err := r.db.locate(head, ext)
	if err != nil {
		return wire.Locate(err, r.db.cbh.name, int64(id)*cbh.RecordSize, int64(id))
	}
	if _, err = r.movesSize(place.moves, id); err == nil && place.annotations != 0 {
		_, err = r.annotationsSize(place.annotations, id)
	}
	return err
}
