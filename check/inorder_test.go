package check

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// slowest is the longest of the pieces of work below.
const slowest = 2 * time.Millisecond

func TestInOrderKeepsOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 50} {
		var got []int
		var workers atomic.Int32
		err := inOrder(context.Background(), n, 4,
			func() int32 { return workers.Add(1) },
			func(_ int32, i int) (int, error) {
				time.Sleep(slowest * time.Duration(i%3) / 2)
				return i * i, nil
			},
			func(i, square int) error {
				if square != i*i {
					t.Errorf("%d of %d: %d", i, n, square)
				}
				got = append(got, i)
				return nil
			})
		if err != nil || len(got) != n || int(workers.Load()) > min(4, n) {
			t.Errorf("%d: %v, %d workers, %v", n, got, workers.Load(), err)
		}
		for i := range got {
			if got[i] != i {
				t.Fatalf("%d: %v", n, got)
			}
		}
	}
}

func TestInOrderStops(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct{ work, take error }{"work": {work: broken}, "take": {take: broken}} {
		taken := 0
		err := inOrder(context.Background(), 1000, 3,
			func() struct{} { return struct{}{} },
			func(_ struct{}, i int) (int, error) {
				if i == 5 {
					return 0, c.work
				}
				return i, nil
			},
			func(i, _ int) error {
				if taken++; i == 5 {
					return c.take
				}
				return nil
			})
		if !errors.Is(err, broken) || taken > 6 {
			t.Errorf("%s: %v after %d", name, err, taken)
		}
	}
}

func TestInOrderIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	err := inOrder(ctx, 1<<30, 2,
		func() struct{} { return struct{}{} },
		func(_ struct{}, i int) (int, error) { return i, nil },
		func(i, _ int) error {
			if i == 10 {
				cancel()
			}
			return nil
		})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
