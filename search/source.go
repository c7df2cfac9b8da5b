package search

import (
	"context"
	"errors"
	"iter"
	"slices"

	"cbkit/internal/lifecycle"
	"cbkit/model"
	"cbkit/read"
)

// Source returns the records of a result as a source, with their ids. It reads the
// database of the searcher and is valid until [Searcher.Close].
func (s *Searcher) Source(r Result) (model.Source, error) {
	db, err := s.Database()
	if err != nil {
		return nil, err
	}
	return &found{db, r.IDs}, nil
}

// found are the records of a database that a search has found.
type found struct {
	read.Database
	ids []model.RecordID
}

var _ model.Preflighter = (*found)(nil)

// Count implements [model.Source].
func (f *found) Count() int { return len(f.ids) }

// LegalMoves implements [model.Referee].
func (f *found) LegalMoves() bool { return lifecycle.LegalMoves(f.Database) }

// manyRecords is from how many records on reading ahead is worth beginning it.
const manyRecords = 64

// Records implements [model.Source].
func (f *found) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		at, _ := slices.BinarySearch(f.ids, from)
		if n, ok := f.Database.(model.Numbered); ok && len(f.ids)-at >= manyRecords {
			for rec, err := range n.RecordsOf(ctx, slices.Values(f.ids[at:]), want) {
				if err != nil {
					rec = model.Record{ID: rec.ID}
				}
				if !yield(rec, err) || err != nil && rec.ID == 0 {
					return
				}
			}
			return
		}
		for _, id := range f.ids[at:] {
			rec, err := f.Record(ctx, id, want)
			switch {
			case ctx.Err() != nil:
				yield(model.Record{}, ctx.Err())
				return
			case errors.Is(err, model.ErrChanged):
				yield(model.Record{}, err)
				return
			case err != nil:
				rec = model.Record{ID: id}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
