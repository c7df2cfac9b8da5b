// Package jobs does work on several processors: [Count] turns the number of processors
// that are asked for into the number of goroutines that work, by one rule for all readers
// and writers, and a [Pipeline] keeps batches in their order. [InTurn] runs steps one
// after the other.
package jobs

import "runtime"

// PerProcessor is how many goroutines there are at most for each processor. More
// do not make anything faster, and each holds memory of its own.
const PerProcessor = 4

// Count returns how many goroutines to start when n are asked for: one for each
// processor if n is 0 or negative, never more than PerProcessor times as many.
func Count(n int) int {
	processors := runtime.GOMAXPROCS(0)
	if n <= 0 {
		return processors
	}
	return min(n, PerProcessor*processors)
}

// InTurn takes steps one after the other. The first error ends it.
func InTurn(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
