package read

import (
	"context"
	"sync"
)

// pipeline passes batches of records from a goroutine that reads them through
// several that decode them to the caller's, in order. The number of batches is
// bounded.
type pipeline[B any] struct {
	jobs   int
	create func() B
	fill   func(B) bool // reads the next batch; false if there is none
	decode func(B)
	take   func(B) bool // passes a batch on; false if no more is wanted
}

// run works until the batches or the taker are at their end; it returns the
// error of ctx if that was first.
func (p *pipeline[B]) run(ctx context.Context) error {
	type work struct {
		batch   B
		decoded chan struct{}
	}
	ahead := 2 * p.jobs
	free, todo, ordered := make(chan *work, ahead), make(chan *work, ahead), make(chan *work, ahead)
	for range ahead {
		free <- &work{p.create(), make(chan struct{}, 1)}
	}
	stop := make(chan struct{})
	var running sync.WaitGroup
	defer running.Wait()
	defer close(stop)
	running.Go(func() {
		defer close(todo)
		defer close(ordered)
		for {
			select {
			case <-stop:
				return
			case w := <-free:
				if !p.fill(w.batch) {
					return
				}
				todo <- w
				ordered <- w
			}
		}
	})
	for range p.jobs {
		running.Go(func() {
			for w := range todo {
				p.decode(w.batch)
				w.decoded <- struct{}{}
			}
		})
	}
	for w := range ordered {
		select {
		case <-w.decoded:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !p.take(w.batch) {
			return nil
		}
		free <- w
	}
	return nil
}
