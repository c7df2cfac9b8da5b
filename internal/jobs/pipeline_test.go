package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"cbkit/internal/jobs"
)

// numbers is a pipeline that squares the numbers 1 to last.
func numbers(last, workers int, made *atomic.Int32, take func(n int) bool) jobs.Pipeline[*int] {
	next := 0
	return jobs.Pipeline[*int]{
		Jobs:   workers,
		Create: func() *int { made.Add(1); return new(int) },
		Fill:   func(n *int) bool { next++; *n = next; return next <= last },
		Work:   func(n *int) { *n *= *n },
		Take:   func(n *int) bool { return take(*n) },
	}
}

func TestPipelineKeepsOrder(t *testing.T) {
	for workers := 1; workers <= 8; workers++ {
		var made atomic.Int32
		seen := 0
		p := numbers(1000, workers, &made, func(n int) bool {
			if seen++; n != seen*seen {
				t.Fatalf("%d workers: %d came as number %d", workers, n, seen)
			}
			return true
		})
		if err := p.Run(context.Background()); err != nil || seen != 1000 {
			t.Errorf("%d workers: %d taken, error %v", workers, seen, err)
		}
		if made.Load() > int32(2*workers) {
			t.Errorf("%d workers: %d batches", workers, made.Load())
		}
	}
}

func TestPipelineEndsEarly(t *testing.T) {
	var made atomic.Int32
	seen := 0
	p := numbers(1000, 3, &made, func(int) bool { seen++; return seen < 5 })
	if err := p.Run(context.Background()); err != nil || seen != 5 {
		t.Errorf("%d taken, error %v", seen, err)
	}
	for range 200 {
		ctx, cancel := context.WithCancel(context.Background())
		seen = 0
		p = numbers(5, 3, &made, func(int) bool { seen++; cancel(); return true })
		if err := p.Run(ctx); !errors.Is(err, context.Canceled) || seen != 1 {
			t.Fatalf("%d taken, error %v after the context ended", seen, err)
		}
	}
}
