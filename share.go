package cbkit

import (
	"context"
	"iter"

	"cbkit/model"
)

// share is a part of the records of a database: those from one id to another.
type share struct {
	model.Source
	first, last model.RecordID
}

// Count implements [model.Source].
func (s *share) Count() int { return int(s.last-s.first) + 1 }

// Preflight implements [model.Preflighter] as the whole does.
func (s *share) Preflight(ctx context.Context) error {
	if p, ok := s.Source.(model.Preflighter); ok {
		return p.Preflight(ctx)
	}
	return nil
}

// LegalMoves implements [model.Referee] as the whole does.
func (s *share) LegalMoves() bool {
	r, ok := s.Source.(model.Referee)
	return ok && r.LegalMoves()
}

// Records implements [model.Source].
func (s *share) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		if s.first > s.last {
			return
		}
		for rec, err := range s.Source.Records(ctx, max(from, s.first), want) {
			if rec.ID > s.last || !yield(rec, err) || rec.ID == s.last {
				return
			}
		}
	}
}
