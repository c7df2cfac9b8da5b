package jobs_test

import (
	"math"
	"runtime"
	"testing"

	"cbkit/internal/jobs"
)

func TestCount(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	for _, c := range []struct{ asked, want int }{
		{0, all}, {-3, all}, {math.MinInt, all}, {1, 1}, {jobs.PerProcessor * all, jobs.PerProcessor * all},
		{2_000_000_000, jobs.PerProcessor * all}, {math.MaxInt, jobs.PerProcessor * all},
	} {
		if got := jobs.Count(c.asked); got != c.want {
			t.Errorf("Count(%d) = %d, want %d", c.asked, got, c.want)
		}
	}
}
