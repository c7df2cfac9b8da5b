package posindex

import (
	"context"
	"errors"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
	"cbkit/moveenc"
)

// Was is what a record was: its stored header and moves. Without them it is one that counts
// for nothing, such as a text.
type Was struct {
	ID          model.RecordID
	Head, Moves []byte
}

// append appends what is stored: the header, then the moves.
func (w *Was) append(dst []byte) []byte { return append(append(dst, w.Head...), w.Moves...) }

// parseWas reads what append gives.
func parseWas(id model.RecordID, b []byte) (w Was, err error) {
	w.ID = id
	if len(b) == 0 {
		return w, nil
	}
	if len(b) < cbh.RecordSize {
		return w, errors.New("a header is cut")
	}
	w.Head, w.Moves = b[:cbh.RecordSize], b[cbh.RecordSize:]
	return w, nil
}

// Counts reports whether a record is a game that is not marked as deleted.
func (w *Was) Counts() bool {
	if len(w.Head) == 0 {
		return false
	}
	t := cbh.RecordType(w.Head[0])
	return !t.IsText() && !t.IsDeleted()
}

// Record returns a record that counts, its game without annotations.
func (w *Was) Record() model.Record {
	g := &model.Game{}
	h := cbhdb.Header{ID: w.ID, Head: w.Head}
	h.View().Game(&g.Header, nil)
	var into moveenc.Game
	if g.MovesErr = moveenc.DecodeLegal(w.Moves, &into); g.MovesErr == nil {
		g.Start, g.Moves = into.SetUp(), into.Moves
	}
	return model.Record{ID: w.ID, Game: g}
}

// RecordsSince returns what [Index.Since] gives as records, with their headers and moves.
func RecordsSince(ctx context.Context, games Games, was []Was, is []model.RecordID) (before, now []model.Record, err error) {
	for i := range was {
		if was[i].Counts() {
			before = append(before, was[i].Record())
		}
	}
	for rec, err := range games.RecordsOf(ctx, slices.Values(is), model.WantMoves) {
		if err != nil {
			return nil, nil, err
		}
		now = append(now, rec.Clone())
	}
	return before, now, nil
}
