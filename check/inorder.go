package check

import (
	"context"
	"sync"
)

// inOrder does the pieces of work 0 to n-1 in several goroutines and takes the
// results in order in the caller's. Each goroutine has a worker of its own. The
// first error, or the end of ctx, stops everything; results run ahead of take
// by a bounded number.
func inOrder[W, R any](ctx context.Context, n, jobs int, worker func() W, work func(W, int) (R, error), take func(int, R) error) error {
	type outcome struct {
		result R
		err    error
	}
	type task struct {
		number int
		done   chan outcome
	}
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()

	todo := make(chan task)
	ordered := make(chan task, 2*jobs)
	running.Go(func() {
		defer close(todo)
		defer close(ordered)
		for i := range n {
			t := task{i, make(chan outcome, 1)}
			for _, queue := range []chan task{ordered, todo} {
				select {
				case queue <- t:
				case <-ctx.Done():
					return
				}
			}
		}
	})
	for range min(jobs, n) {
		running.Go(func() {
			w := worker()
			for t := range todo {
				result, err := work(w, t.number)
				t.done <- outcome{result, err}
			}
		})
	}
	for t := range ordered {
		select {
		case o := <-t.done:
			if o.err != nil {
				return o.err
			}
			if err := take(t.number, o.result); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}
