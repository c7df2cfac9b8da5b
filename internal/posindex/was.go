package posindex

import (
	"context"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
	"cbkit/moveenc"
)

// recordOf returns a game as it was, without annotations: see [Change.Was].
func recordOf(id model.RecordID, was []byte) (model.Record, error) {
	if len(was) < cbh.RecordSize {
		return model.Record{}, fmt.Errorf("%w: a header is cut", model.ErrCorrupt)
	}
	g := &model.Game{}
	h := cbhdb.Header{ID: id, Head: was[:cbh.RecordSize]}
	h.View().Game(&g.Header, nil)
	var into moveenc.Game
	if g.MovesErr = moveenc.DecodeLegal(was[cbh.RecordSize:], &into); g.MovesErr == nil {
		g.Start, g.Moves = into.SetUp(), into.Moves
	}
	return model.Record{ID: id, Game: g}, nil
}

// Since returns the games that have changed since summaries were made, as they were; and
// those of them, and of those that have come, that are listed under a key and not marked as
// deleted, as they are: others too, which are not listed, if they are few. Without annotations
// both. It is ErrNoSummary if more than so many are to be read.
func (x *Index) Since(ctx context.Context, games Games, key uint64, most int) (was, is []model.Record, err error) {
	for id := range x.changed(hasWas).all() {
		if stored := x.changes[id].was; len(stored) > 0 {
			rec, err := recordOf(id, stored)
			if err != nil {
				return nil, nil, x.file.Wrong(x.file.Size()-x.log, -1, "change", model.ErrCorrupt, "%v", err)
			}
			was = append(was, rec)
		}
	}
	ids, err := x.listedSince(key)
	if err == nil && len(ids) > most {
		err = ErrNoSummary
	}
	if err != nil {
		return nil, nil, err
	}
	for rec, err := range games.RecordsOf(ctx, slices.Values(ids), model.WantMoves) {
		if err != nil {
			return nil, nil, err
		}
		is = append(is, rec.Clone())
	}
	return was, is, nil
}

// fewChanged is up to how many records it is faster to read those that may be listed than
// the list.
const fewChanged = 1 << 10

// listedSince returns the records that Since reads.
func (x *Index) listedSince(key uint64) (ids []model.RecordID, err error) {
	changed := x.changed(hasWas)
	if x.Records > x.summarized {
		changed = changed.add(idRange{x.summarized + 1, x.Records})
	}
	if changed.count() > fewChanged {
		ids, err = x.ListedUnder(key)
		return slices.DeleteFunc(ids, func(id model.RecordID) bool { return !changed.Has(id) }), err
	}
	deleted := x.Deleted()
	for id := range changed.all() {
		c := x.changes[id]
		if !deleted.Has(id) && (c.says&hasKeys == 0 || slices.Contains(c.keys, key)) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
