package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cbkit/internal/testkit/must"
)

// damageBytes changes bytes of a file of a database.
func damageBytes(t *testing.T, db, ext string, at int64, b ...byte) {
	t.Helper()
	f := must.Get(os.OpenFile(strings.TrimSuffix(db, filepath.Ext(db))+ext, os.O_WRONLY, 0))(t)
	defer f.Close()
	must.Get(f.WriteAt(b, at))(t)
}

func TestCheckRepairs(t *testing.T) {
	db := newDatabase(t)
	mustRun(t, "boosters", db)
	games := mustRun(t, "export", db, "-", "--format", "jsonl").out
	damageBytes(t, db, ".cbp", 20, 99)      // live players
	damageBytes(t, db, ".cbh", 46+45, 3)    // moves of a game
	damageBytes(t, db, ".cbh", 46+24, 0x8F) // a bit of a date that means nothing
	dry := cbkit(t, "", "check", db, "--repair", "--dry-run")
	if dry.status != exitDone || strings.Count(dry.out, "mended") < 3 || !strings.Contains(dry.out, "would be mended, 0 errors and 1 note left") {
		t.Errorf("a dry run: %+v", dry)
	}
	if r := cbkit(t, "", "check", db); r.status != exitFailed {
		t.Errorf("a dry run has repaired something: %+v", r)
	}
	r := mustRun(t, "check", db, "--repair")
	mentions(t, "the repair", r.out, "[live-count]", "[stale-move-count]", "left", "[unknown-bits]: what it means is not known")
	if !strings.Contains(r.errOut, "rebuilt") {
		t.Errorf("the repair says nothing of boosters: %s", r.errOut)
	}
	mustRun(t, "check", db)
	mustRun(t, "boosters", db, "--check")
	if after := mustRun(t, "export", db, "-", "--format", "jsonl").out; len(after) != len(games) {
		t.Errorf("the games have changed:\n%s", after)
	}
	if r := mustRun(t, "check", db, "--repair", "--json"); !strings.Contains(r.out, `"repaired":{}`) || !strings.Contains(r.out, `"why":`) {
		t.Errorf("a second repair: %s", r.out)
	}
}

func TestRepairRefuses(t *testing.T) {
	db := newDatabase(t)
	for _, c := range []struct {
		said string
		args []string
	}{
		{"belong to --repair", []string{db, "--dry-run"}},
		{"looks at all files", []string{db, "--repair", "--files", "cbp"}},
		{"for ChessBase databases", []string{"x.ctg", "--repair"}},
		{"archives are not changed", []string{"x.cbv", "--repair"}},
	} {
		fails(t, exitUsage, c.said, append([]string{"check"}, c.args...)...)
	}
	must.Do(t, os.Remove(db))
	if r := cbkit(t, "", "check", db, "--repair"); r.status != exitFailed || !strings.Contains(r.errOut, "cbkit salvage") {
		t.Errorf("without a main file: %+v", r)
	}
}

// A search booster that is right, but was sealed for another state of the database, is sealed by a
// repair, which has compared it: the next edit keeps it.
func TestRepairSeals(t *testing.T) {
	here(t)
	save(t, "g.pgn", "[White \"A\"]\n[WhiteElo \"2500\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 *\n")
	mustRun(t, "import", "-q", "g.pgn", "Games.cbh", "--boosters")
	if r := mustRun(t, "check", "--repair", "Games.cbh"); strings.Contains(r.out, "unsealed") {
		t.Errorf("as it was made: %s", r.out)
	}
	must.Do(t, os.Chtimes("Games.cbj", time.Unix(1e9, 0), time.Unix(1e9, 0))) // another program has written it
	if r := mustRun(t, "check", "Games.cbh"); !strings.Contains(r.out, "booster-unsealed") {
		t.Fatal(r.out)
	}
	if r := mustRun(t, "check", "--repair", "--dry-run", "Games.cbh"); !strings.Contains(r.out, "booster-unsealed") {
		t.Error(r.out)
	}
	mustRun(t, "check", "--repair", "Games.cbh").prints(t, "mended Games.cbb", "1 mended, 0 errors and 0 notes")
	must.Do(t, os.Chtimes("Games.cbj", time.Unix(2e9, 0), time.Unix(2e9, 0)))
	if r := mustRun(t, "check", "--repair", "--json", "Games.cbh"); !strings.Contains(r.out, `"repaired":{"booster-unsealed":1}`) || !strings.Contains(r.out, `"notes":0`) {
		t.Error(r.out)
	}
	if r := mustRun(t, "check", "Games.cbh"); strings.Contains(r.out, "booster") {
		t.Error(r.out)
	}
	if r := mustRun(t, "edit", "Games.cbh", "--set", "1.round=3"); strings.Contains(r.errOut, "gone") {
		t.Error(r.errOut)
	}
	content(t, "Games.cbb")
}
