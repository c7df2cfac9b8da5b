package search

import (
	"context"
	"iter"

	"cbkit/model"
)

// Selection are those records of a source that meet a condition. It is a
// [model.Source] itself, of which the records keep their ids. It reads all of
// the source and judges each record by itself, as [Searcher.Find] does where
// there is no index; so it needs neither files nor an end.
type Selection struct {
	model.Source
	session *session
	test    test
}

// Select returns the records of src for which a condition is true.
func Select(src model.Source, c Condition) (*Selection, error) {
	s := &session{ctx: context.Background(), opt: &Options{}, entities: src.Entities(), names: map[nameQuery]*nameSet{}}
	t, err := bind(c, s)
	if err != nil {
		return nil, err
	}
	return &Selection{src, s, t}, nil
}

// Count returns -1: how many there are is known when all are read.
func (s *Selection) Count() int { return -1 }

// Records yields the records that meet the condition, and the errors of the
// source. It must not be read by several goroutines at once.
func (s *Selection) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		var r row
		for rec, err := range s.Source.Records(ctx, from, want|s.session.wants) {
			s.session.plan.Records++
			if err == nil {
				s.session.plan.Headers++
				if s.session.wants&model.WantMoves != 0 && rec.Game != nil && rec.Game.MovesErr == nil {
					s.session.plan.Played++
				}
				r.setRecord(&rec)
				if !r.judge(s.test, rec.Game) {
					continue
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Unknown returns the names in the condition that nobody has of those that were
// read so far.
func (s *Selection) Unknown() []Unknown {
	list, _ := s.session.unknown() // it reads no files
	return list
}

// Plan says how many records were read so far.
func (s *Selection) Plan() Plan { return s.session.plan }

// Preflight implements [model.Preflighter] as the source does.
func (s *Selection) Preflight(ctx context.Context) error {
	if p, ok := s.Source.(model.Preflighter); ok {
		return p.Preflight(ctx)
	}
	return nil
}

// LegalMoves implements [model.Referee] as the source does.
func (s *Selection) LegalMoves() bool {
	r, ok := s.Source.(model.Referee)
	return ok && r.LegalMoves()
}
