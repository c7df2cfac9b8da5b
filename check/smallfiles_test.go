package check

import (
	"testing"

	"pgregory.net/rapid"
)

// TestLooksForeign compares with a look at each letter.
func TestLooksForeign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("aÀÿïÃž€я\uff00"))).Draw(t, "text")
		run, want := 0, false
		for _, r := range s {
			if run++; r < 'À' || r > 'ÿ' {
				run = 0
			}
			want = want || run == foreignRun
		}
		if got := looksForeign(s); got != want {
			t.Fatalf("%q looks foreign: %v, want %v", s, got, want)
		}
	})
}
