package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestEdit(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	games := written(t, dir, "new.pgn", spelt)
	r := mustRun(t, "edit", db, "--append", games, "--delete", "2", "--set", "1-3.event=Linares", "--set", "1.whiteElo=2700",
		"--rename-player", "Adams, Michael=Adams, M", "--merge-player", "Kasparow, G.=Kasparov, Garry")
	for _, want := range []string{"3 appended", "1 deleted", "4 headers changed", "1 entities changed", "1 entities merged"} {
		if !strings.Contains(r.errOut, want) {
			t.Errorf("edit does not say %q: %s", want, r.errOut)
		}
	}
	mustRun(t, "check", db)
	out := mustRun(t, "export", db, "-", "--deleted").out
	for want, n := range map[string]int{`[Event "Linares"]`: 3, `[WhiteElo "2700"]`: 1, `[White "Kasparov, Garry"]`: 2, `[White "Adams, M"]`: 1} {
		if strings.Count(out, want) != n {
			t.Errorf("%d games have %s, want %d", strings.Count(out, want), want, n)
		}
	}
	if r := mustRun(t, "edit", db, "--undelete", "2", "--dry-run", "--json"); !strings.Contains(r.out, `"undeleted":1`) {
		t.Errorf("--dry-run --json: %s", r.out)
	}
	if r := mustRun(t, "info", db); !strings.Contains(r.out, "1 deleted") && !strings.Contains(r.out, "deleted        1") {
		t.Errorf("a dry run changed something: %s", r.out)
	}
	if r := mustRun(t, "compact", db, "--purge", "--json"); !strings.Contains(r.out, `"purged":1`) {
		t.Errorf("compact: %s", r.out)
	}
	mustRun(t, "check", db)
	if r := mustRun(t, "import", "--append", games, db); !strings.Contains(r.errOut, "3 appended") {
		t.Errorf("import --append: %s", r.errOut)
	}
	mustRun(t, "check", db)
}

// A change that cannot be made leaves everything as it was.
func TestEditRefuses(t *testing.T) {
	db := newDatabase(t)
	before := mustRun(t, "export", db, "-", "--format", "jsonl").out
	one := written(t, t.TempDir(), "one.pgn", "[White \"A\"]\n\n1. e4 e5 *\n")
	for _, c := range []struct {
		status int
		said   string
		args   []string
	}{
		{exitUsage, "say what to change", nil},
		{exitUsage, "no field of a header", []string{"--set", "1.height=3"}},
		{exitUsage, "is no date", []string{"--set", "1.date=yesterday"}},
		{exitUsage, "no id or range", []string{"--delete", "x"}},
		{exitUsage, "write two names", []string{"--rename-player", "A"}},
		{exitFailed, "no such record", []string{"--delete", "1", "--delete", "99"}},
		{exitFailed, "there is no player", []string{"--delete", "1", "--rename-player", "Nobody=Somebody"}},
		{exitFailed, "", []string{"--delete", "1", "--annotate", "1=" + one}},
		{exitFailed, "no such file", []string{"--delete", "1", "--append", "nowhere.pgn"}},
	} {
		r := cbkit(t, "", append([]string{"edit", db}, c.args...)...)
		if r.status != c.status || !strings.Contains(r.errOut, c.said) {
			t.Errorf("%q: %+v", c.args, r)
		}
		if after := mustRun(t, "export", db, "-", "--format", "jsonl").out; after != before {
			t.Fatalf("%q changed the database", c.args)
		}
	}
}
