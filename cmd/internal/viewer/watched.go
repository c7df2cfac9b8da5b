package viewer

import (
	"context"
	"iter"

	"cbkit/model"
)

// watched is a source that tells how far it is read.
type watched struct {
	model.Source
	count    int
	progress func(done, total int)
}

// watched returns all records as a source that tells its progress.
func (s *source) watched(progress func(done, total int)) *watched {
	return &watched{s.records.all(), s.records.Count(), progress}
}

// Records implements [model.Source].
func (w *watched) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		n := 0
		for rec, err := range w.Source.Records(ctx, from, want) {
			if n++; n%(progressStep/4) == 0 {
				w.progress(n, w.count)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
