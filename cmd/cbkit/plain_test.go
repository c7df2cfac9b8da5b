package main

import (
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/corpus"
)

// Show, and export on request, write comments for people.
func TestPlainComments(t *testing.T) {
	db := corpus.Path(t, "cbh/mate2/Mate2.cbh")
	for _, args := range [][]string{{"show", db, "1"}, {"export", "-q", "--plain", db, "-"}} {
		r := mustRun(t, args...)
		words := strings.Join(strings.Fields(r.out), " ")
		if strings.Contains(r.out, "[%") || !strings.Contains(words, "{Training (360 seconds): Encuentra el mate en dos; hint: ") {
			t.Errorf("cbkit %v: %s", args, r.out)
		}
	}
	out := filepath.Join(t.TempDir(), "out.pgn")
	if r := mustRun(t, "export", "--plain", db, out); !strings.Contains(r.errOut, "15  values written in another form: training") {
		t.Errorf("losses: %s", r.errOut)
	}
	if r := mustRun(t, "export", "-q", db, "-"); strings.Count(r.out, "[%tqu") != 15 {
		t.Errorf("without --plain: %s", r.out)
	}
	if r := cbkit(t, "", "export", "--plain", "--format", "jsonl", db, "-"); r.status != exitUsage {
		t.Errorf("plain JSON Lines: %+v", r)
	}
}
