package dbfile

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// What a scratch file is called, and nothing else, is one.
func TestScratchNames(t *testing.T) {
	is := regexp.MustCompile(`^cbkit-[a-z]+-[0-9]+-[0-9]+\.tmp$`)
	part := rapid.SampledFrom([]string{"cbkit", "-", "lists", "12", "0", ".tmp", "", "A", "\n", "é", ".TMP"})
	usual := []string{"cbkit", "-", "lists", "-", "12", "-", "0", ".tmp"}
	rapid.Check(t, func(t *rapid.T) {
		name := ""
		for _, p := range usual {
			if rapid.IntRange(0, 9).Draw(t, "other") == 0 {
				p = part.Draw(t, "part")
			}
			name += p
		}
		if IsScratch(name) != is.MatchString(name) {
			t.Fatalf("%q: %v", name, IsScratch(name))
		}
	})
	if !IsScratch("cbkit-lists-12-0.tmp") || IsScratch("cbkit-lists-12-0.tm") || IsScratch("cbkit-li5-12-0.tmp") {
		t.Error("a name that is one is none, or one that is none is one")
	}
}
