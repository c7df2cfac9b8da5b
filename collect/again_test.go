package collect_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// flaky is a source whose record 2 cannot be read in one of the passes over it.
type flaky struct {
	model.Source
	pass, bad int
	always    bool
}

var errFlaky = errors.New("input/output error")

// Records implements [model.Source].
func (f *flaky) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	pass := f.pass
	f.pass++
	return func(yield func(model.Record, error) bool) {
		for rec, err := range f.Source.Records(ctx, from, want) {
			if rec.ID == 2 && (pass == f.bad || f.always) {
				rec, err = model.Record{ID: 2}, errFlaky
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// A record that can be read the first time and not the second is an error, and one that
// never can be read is told once.
func TestReadAgain(t *testing.T) {
	games := must.Get(model.Load(t.Context(), bulk.New(bulk.Options{Games: 20})))(t)
	passes := &flaky{Source: games, bad: -1}
	if _, err := collect.Duplicates(t.Context(), passes, collect.DuplicateOptions{}); err != nil || passes.pass == 0 {
		t.Fatal(err, passes.pass)
	}
	for bad := range passes.pass {
		src := &flaky{Source: games, bad: bad}
		if _, err := collect.Duplicates(t.Context(), src, collect.DuplicateOptions{}); !errors.Is(err, errFlaky) {
			t.Errorf("pass %d of %d: %v", bad+1, passes.pass, err)
		}
	}
	told := 0
	src := &flaky{Source: games, bad: -1, always: true}
	_, err := collect.Duplicates(t.Context(), src, collect.DuplicateOptions{OnError: func(model.RecordID, error) error { told++; return nil }})
	if err != nil || told != 1 {
		t.Errorf("told %d times, %v", told, err)
	}
}
