package jobs_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"cbkit/internal/jobs"
)

// caught calls f and returns what it panics with.
func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// What a goroutine panics with, whoever waits for it panics with, and whole batches
// before it were taken. One that ends in another way is no silence either.
func TestPanicsArePassedOn(t *testing.T) {
	boom := errors.New("boom")
	for workers := 1; workers <= 4; workers++ {
		for what, end := range map[string]func(){"panic": func() { panic(boom) }, "Goexit": runtime.Goexit} {
			taken, next := 0, 0
			p := jobs.Pipeline[*int]{
				Jobs: workers, Create: func() *int { return new(int) },
				Fill: func(n *int) bool { next++; *n = next; return next <= 100 },
				Work: func(n *int) {
					if *n == 50 {
						end()
					}
				},
				Take: func(*int) bool { taken++; return true },
			}
			for _, where := range []string{"Work", "Fill"} {
				v := caught(func() { _ = p.Run(context.Background()) })
				err, is := v.(*jobs.Panicked)
				if !is || (what == "panic") != errors.Is(err, boom) || !strings.Contains(err.Error(), "TestPanicsArePassedOn") {
					t.Errorf("%s in %s of %d: %v", what, where, workers, v)
				}
				if taken > 49 || where == "Work" && taken != 49 {
					t.Errorf("%s in %s of %d: %d taken", what, where, workers, taken)
				}
				taken, next = 0, 0
				p.Work = func(*int) {}
				p.Fill = func(n *int) bool {
					if next++; next == 50 {
						end()
					}
					return true
				}
			}
		}
	}
}

// A panic that passed through several goroutines is told as it was at first.
func TestPanicOfPanic(t *testing.T) {
	v := caught(func() {
		var outer jobs.Group
		outer.Go(func() {
			var inner jobs.Group
			inner.Go(func() { panic("first") })
			inner.Wait()
		})
		outer.Wait()
	})
	if p, is := v.(*jobs.Panicked); !is || p.Value != "first" {
		t.Errorf("%v", v)
	}
}
