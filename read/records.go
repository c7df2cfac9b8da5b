package read

import (
	"context"
	"iter"

	"cbkit/internal/dbfile"
	"cbkit/internal/jobs"
	"cbkit/model"
)

// batchSize is how many records are read and decoded in one piece of work:
// enough to keep the processors busy, few enough to start at once.
const batchSize = 128

// Records implements [model.Source]. Reading runs ahead of decoding and
// decoding ahead of the caller, in a bounded number of batches.
func (db *ChessBase) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		from := max(from, 1)
		workers := jobs.Count(db.opt.Jobs)
		if want == model.WantHeaders || workers == 1 {
			db.recordsHere(ctx, from, want, yield)
			return
		}
		reader := db.newReader(dbfile.FarAhead)
		p := jobs.Pipeline[*batch]{
			Jobs: workers, Create: func() *batch { return newBatch(batchSize) },
			Fill: func(b *batch) bool {
				if from > db.count {
					return false
				}
				b.first, b.want = from, want
				reader.fill(b)
				from += model.RecordID(b.n)
				return true
			},
			Work: func(b *batch) { b.decode(db) },
			Take: func(b *batch) bool { return b.yieldAll(yield) },
		}
		if err := p.Run(ctx); err != nil {
			yield(model.Record{}, err)
		}
	}
}

// recordsHere reads and decodes in the caller's goroutine.
func (db *ChessBase) recordsHere(ctx context.Context, from model.RecordID, want model.Want, yield func(model.Record, error) bool) {
	reader, b := db.newReader(dbfile.FarAhead), newBatch(batchSize)
	for from <= db.count {
		if err := ctx.Err(); err != nil {
			yield(model.Record{}, err)
			return
		}
		b.first, b.want = from, want
		reader.fill(b)
		b.decode(db)
		if !b.yieldAll(yield) {
			return
		}
		from += model.RecordID(b.n)
	}
}

// batch is a run of records on its way from the files to the caller. Its
// memory is used again and again.
type batch struct {
	first model.RecordID
	want  model.Want
	n     int

	raws  []rawRecord
	arena []byte // what the extents in raws point into
	slots []slot
}

func newBatch(records int) *batch {
	return &batch{raws: make([]rawRecord, records), slots: make([]slot, records)}
}

// decode turns the raw records into records of the model.
func (b *batch) decode(db *ChessBase) {
	for i := range b.n {
		b.slots[i].decode(db, b, &b.raws[i], b.first+model.RecordID(i))
	}
}

// yieldAll passes the records on; it reports whether the caller wants more.
func (b *batch) yieldAll(yield func(model.Record, error) bool) bool {
	for i := range b.n {
		if s := &b.slots[i]; !yield(s.record, s.err) {
			return false
		}
	}
	return true
}
