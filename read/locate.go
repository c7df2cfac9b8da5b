package read

import (
	"context"
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
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

// Preflight implements [model.Preflighter]: it returns an error if records are
// missing at the end of the .cbh file, looks at the extents of all others and
// returns the first that does not lie inside its file.
func (db *ChessBase) Preflight(ctx context.Context) error {
	r := db.newReader(dbfile.FarAhead)
	return preflight(ctx, db.count, db.cut, func(id model.RecordID) error {
		_, _, err := r.extents(id)
		return err
	})
}

// preflight checks records one after the other. It returns the first of all
// errors, of which one may be known already, with the number of the others.
func preflight(ctx context.Context, count model.RecordID, first error, check func(model.RecordID) error) error {
	others := 0
	for id := model.RecordID(1); id <= count; id++ {
		if id%batchSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch err := check(id); {
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

// run is a part of a file.
type run struct{ at, size int64 }

// end is where it ends; that of no part is 0.
func (r run) end() int64 { return r.at + r.size }

// extents returns where the parts of one record lie, having checked that they
// lie inside their files. With an error come those that do.
func (r *recordReader) extents(id model.RecordID) (moves, notes run, err error) {
	head, err := r.heads.At(int64(id)*cbh.RecordSize, cbh.RecordSize)
	if err != nil {
		return moves, notes, err
	}
	var ext []byte
	if r.db.hasExt(id) {
		if ext, err = r.exts.At(r.db.extOffset(id), int64(r.db.ext.RecordSize)); err != nil {
			return moves, notes, err
		}
	}
	place, err := r.db.locate(head, ext)
	if err != nil {
		return moves, notes, wire.Locate(err, r.db.cbh.Name(), int64(id)*cbh.RecordSize, int64(id))
	}
	size, err := r.movesSize(place.moves, id)
	if err != nil {
		return moves, notes, err
	}
	moves = run{place.moves, size}
	if place.annotations == 0 {
		return moves, notes, nil
	}
	if size, err = r.annotationsSize(place.annotations, id); err != nil {
		return moves, notes, err
	}
	return moves, run{place.annotations, size}, nil
}
