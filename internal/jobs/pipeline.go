package jobs

import "context"

// Pipeline passes batches from a goroutine that fills them through several that
// work on them to the caller's, in order. The number of batches is bounded: they
// go round.
type Pipeline[B any] struct {
	// Jobs is how many goroutines work, as [Count] gives it.
	Jobs int
	// Create makes a batch; it is called at most twice for each job.
	Create func() B
	// Fill prepares the next batch, one call after the other; false if there
	// is none.
	Fill func(B) bool
	// Work is done on several batches at once.
	Work func(B)
	// Take passes a batch on, in the caller's goroutine and in the order of
	// Fill; false if no more is wanted.
	Take func(B) bool
}

// Run works until the batches or the taker are at their end; it returns the
// error of ctx if that was first. All goroutines have ended when it returns. What
// Fill or Work panics with, it panics with, as [Group.Wait] does.
func (p *Pipeline[B]) Run(ctx context.Context) error {
	type work struct {
		batch B
		whole bool // Work has returned
		done  chan struct{}
	}
	ahead := 2 * p.Jobs
	free, todo, ordered := make(chan *work, ahead), make(chan *work, ahead), make(chan *work, ahead)
	for range ahead {
		free <- &work{batch: p.Create(), done: make(chan struct{}, 1)}
	}
	stop := make(chan struct{})
	var running Group
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
				if !p.Fill(w.batch) {
					return
				}
				todo <- w
				ordered <- w
			}
		}
	})
	for range p.Jobs {
		running.Go(func() {
			for w := range todo {
				func() {
					defer func() { w.done <- struct{}{} }()
					w.whole = false
					p.Work(w.batch)
					w.whole = true
				}()
			}
		})
	}
	for w := range ordered {
		select {
		case <-w.done:
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil {
			return err // also where the batch was done at the same moment
		}
		if !w.whole || !p.Take(w.batch) {
			return nil
		}
		free <- w
	}
	return nil
}
