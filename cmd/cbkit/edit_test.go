package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

func TestEdit(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	games := written(t, dir, "new.pgn", spelt)
	r := mustRun(t, "edit", db, "--append", games, "--delete", "2", "--set", "1-3.event=Linares", "--set", "1.whiteElo=2700",
		"--rename-player", "Adams, Michael=Adams, M", "--merge-player", "Kasparow, G.=Kasparov, Garry")
	mentions(t, "edit", r.errOut, "3 appended", "1 deleted", "4 headers changed", "1 name changed", "1 name merged into another")
	mustRun(t, "check", db)
	out := mustRun(t, "export", db, "-", "--deleted").out
	for want, n := range map[string]int{`[Event "Linares"]`: 3, `[WhiteElo "2700"]`: 1, `[White "Kasparov, Garry"]`: 2, `[White "Adams, M"]`: 1} {
		if strings.Count(out, want) != n {
			t.Errorf("%d games have %s, want %d", strings.Count(out, want), want, n)
		}
	}
	mustRun(t, "edit", db, "--undelete", "2", "--dry-run", "--json").prints(t, `"undeleted":1`)
	if r := mustRun(t, "info", db); !strings.Contains(r.out, "1 deleted") && !strings.Contains(r.out, "deleted        1") {
		t.Errorf("a dry run changed something: %s", r.out)
	}
	mustRun(t, "compact", db, "--purge", "--json").prints(t, `"purged":1`)
	mustRun(t, "check", db)
	mustRun(t, "import", "--append", games, db).reports(t, "3 appended")
	mustRun(t, "check", db)
}

// Fields of guiding texts are set too; those that they do not have are refused.
func TestEditSetsFieldsOfTexts(t *testing.T) {
	dir := gen.Folder(t)
	in := written(t, dir, "in.jsonl", `{"id":1,"kind":"text"}`+"\n")
	db := filepath.Join(dir, "Texts.cbh")
	mustRun(t, "convert", "-q", in, db)
	mustRun(t, "edit", "-q", db, "--set", "1.event=Linares", "--set", "1.round=7", "--set", "1.annotator=Anand", "--set", "1.source=ChessBase",
		"--set", "1.gameTitle=Part one")
	mustRun(t, "check", db)
	out := mustRun(t, "export", db, "-", "--format", "jsonl").out
	mentions(t, "the game", out, "Linares", `"round":"7"`, "Anand", "ChessBase", "Part one")
	says(t, cbkit(t, "", "edit", db, "--set", "1.white=Anand"), exitFailed, "guiding text, which has no white")
}

// A change that cannot be made leaves everything as it was.
func TestEditRefuses(t *testing.T) {
	db := newDatabase(t)
	before := mustRun(t, "export", db, "-", "--format", "jsonl").out
	one := written(t, gen.Folder(t), "one.pgn", "[White \"A\"]\n\n1. e4 e5 *\n")
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
		{exitFailed, `no player is called "Nobody"`, []string{"--delete", "1", "--rename-player", "Nobody=Somebody"}},
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

// A dry run says no where the change would: files that may not be written to, and
// another writer at work.
func TestDryRunNoticesWhatIsInTheWay(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "convert", "-q", "--chess960", "games.pgn", "Simple.dci")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	files := must.Get(filepath.Glob("[GSB]*.*"))(t)
	for _, args := range [][]string{
		{"edit", "Games.cbh", "--delete", "1"}, {"edit", "Simple.dci", "--delete", "1"}, {"book", "edit", "Book.ctg", "start", "e4", "--weight", "5"},
		{"import", "--append", "games.pgn", "Games.cbh"}, {"book", "add", "Book.ctg", "games.pgn"},
	} {
		for _, name := range files {
			must.Do(t, os.Chmod(name, 0o444))
		}
		variants := [][]string{args}
		if args[0] != "import" { // which has no dry run
			variants = append(variants, append(slices.Clone(args), "--dry-run"))
		}
		for _, v := range variants {
			if r := cbkit(t, "", v...); r.status != exitFailed || !strings.Contains(r.errOut, ": permission denied; make it writable, or work on a copy\n") {
				t.Errorf("%v, read-only: %+v", v, r)
			}
		}
		for _, name := range files {
			must.Do(t, os.Chmod(name, 0o644))
		}
		if args[0] != "import" {
			mustRun(t, append(slices.Clone(args), "--dry-run")...)
		}
	}
	held := must.Get(lock.Acquire(t.Context(), fsys.OS{}, "Games.cbh", lock.Writer, 0))(t)
	defer held.Release()
	fails(t, exitFailed, "; --wait 10s waits for it to end", "edit", "Games.cbh", "--delete", "1", "--dry-run")
}
