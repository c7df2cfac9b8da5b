package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
)

// bookOf makes a book of PGN text in the test's folder.
func bookOf(t *testing.T, name, games string) {
	t.Helper()
	written(t, ".", name+".pgn", games)
	mustRun(t, "book", "build", "-q", name+".pgn", name+".ctg")
}

const (
	oldGames = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n[Result \"0-1\"]\n\n1. d4 d5 2. c4 0-1\n"
	newGames = "[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n\n[Result \"1/2-1/2\"]\n\n1. d4 f5 1/2-1/2\n"
)

func TestBookAdd(t *testing.T) {
	here(t)
	bookOf(t, "Book", oldGames)
	bookOf(t, "Whole", oldGames+"\n"+newGames)
	add := written(t, ".", "new.pgn", newGames)
	mustRun(t, "book", "add", "Book", add, "--dry-run", "--json").prints(t, `"result":{"games":2,"added":4,"changed":3,"removed":0,"pages":0}`)
	if r := mustRun(t, "book", "add", "Book.ctg", add); r.errOut != "Book.ctg: changed: 2 games added, 4 positions added, 3 positions changed\n" {
		t.Errorf("%+v", r)
	}
	for _, position := range []string{"start", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"} {
		a, b := mustRun(t, "book", "probe", "--json", "Book", position).out, mustRun(t, "book", "probe", "--json", "Whole", position).out
		if a != b {
			t.Errorf("%s\nwant %s", a, b)
		}
	}
	mustRun(t, "book", "check", "Book.ctg")
	mustRun(t, "book", "add", "-q", "Book", add, "--max-ply", "1", "--dry-run", "--keep-going", "--memory", "1", "--variations")
}

// What a user has set is shown, and can be taken away again.
func TestBookEdit(t *testing.T) {
	here(t)
	bookOf(t, "Book", oldGames)
	was := folder(t)
	behind := strings.Fields("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
	mustRun(t, "book", "edit", "-q", "Book", "start", "e4", "--mark", "!", "--recommend", "main", "--weight", "-20", "--comment", "+=")
	if out := mustRun(t, "book", "probe", "Book").out; !strings.Contains(out, "e4!") || !strings.Contains(out, "-20  main") {
		t.Errorf("the move is not marked: %s", out)
	}
	probe := append([]string{"book", "probe", "--json", "Book"}, behind...)
	if out := mustRun(t, probe...).out; !strings.Contains(out, `"commentary":14`) {
		t.Errorf("the position is not judged: %s", out)
	}
	mustRun(t, append([]string{"book", "edit", "-q", "Book", "--recommend", "none", "--weight", "0", "--comment", "none"}, behind...)...)
	mustRun(t, "book", "edit", "-q", "Book", "start", "e2e4", "--mark", "none")
	unchanged(t, "a mark that was taken away again", was)

	r := mustRun(t, "book", "edit", "Book", "start", "d4", "--delete")
	if want := "Book.ctg: changed: 1 position changed\n"; r.errOut != want {
		t.Errorf("%q, want %q", r.errOut, want)
	}
	mustRun(t, append([]string{"book", "edit", "-q", "Book", "--delete"}, behind...)...)
	if out := mustRun(t, "book", "probe", "--json", "Book").out; strings.Contains(out, "e2e4") {
		t.Errorf("a move leads to a position that was deleted: %s", out)
	}
	mustRun(t, "book", "check", "Book.ctg")
}

// Bad use and what cannot be leave a book as it is.
func TestBookEditRefuses(t *testing.T) {
	here(t)
	bookOf(t, "Book", oldGames)
	was := folder(t)
	for _, c := range []struct {
		status int
		said   string
		args   []string
	}{
		{exitUsage, "say what to change", []string{"start"}},
		{exitUsage, "name one behind", []string{"start", "--mark", "!"}},
		{exitUsage, "is no sign", []string{"start", "e4", "--mark", "good"}},
		{exitUsage, "from -125 to 125", []string{"start", "--weight", "126"}},
		{exitUsage, "takes away", []string{"start", "--weight", "1", "--delete"}},
		{exitUsage, "after 1 move", []string{"start", "e4", "e9", "--delete"}},
		{exitUsage, "", []string{"nonsense", "--delete"}},
		{exitUsage, "", []string{"start", "e5", "--delete"}},
		{exitUsage, "", []string{"start", "--recommend", "perhaps"}},
		{exitUsage, "", []string{"start", "--weight", "1000"}},
		{exitFailed, "is not listed", []string{"start", "a3", "--delete"}},
		{exitFailed, "the book has no", []string{"start", "a3", "--mark", "?"}},
		{exitFailed, "not in the book", []string{"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "--delete"}},
	} {
		r := cbkit(t, "", append([]string{"book", "edit", "Book.ctg"}, c.args...)...)
		if r.status != c.status || !strings.Contains(r.errOut, c.said) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%q: %+v", c.args, r)
		}
	}
	for _, line := range []string{
		"book add Book.ctg Book.pgn --color white", "book add Book.ctg Book.ctg", "book add Games.cbh Book.pgn",
	} {
		if r := cbkit(t, "", strings.Fields(line)...); r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", line, r)
		}
	}
	for _, line := range []string{"book add None.ctg Book.pgn", "book add Book.ctg None.pgn", "book edit None.ctg start --delete"} {
		if r := cbkit(t, "", strings.Fields(line)...); r.status != exitFailed || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", line, r)
		}
	}
	unchanged(t, "what was refused", was)
}

// A game that cannot be read is skipped, and told with the exit status.
func TestBookAddSkips(t *testing.T) {
	here(t)
	bookOf(t, "Book", oldGames)
	bad := written(t, ".", "bad.pgn", "1. e4 e9 *\n\n1. e4 e6 1-0\n")
	fails(t, exitFailed, "1 game added", "book", "add", "Book.ctg", bad)
	mustRun(t, "book", "check", "Book.ctg")
}

// interruptCommit changes the files of a set in the current folder, and stops when
// the journal is there and a file is half changed.
func interruptCommit(t *testing.T, main string) {
	t.Helper()
	for n := 0; ; n++ {
		disk := crashfs.New()
		for name, data := range folder(t) {
			disk.WriteFile(name, []byte(data))
		}
		disk.CrashAt(n, false)
		set, err := journal.Open(t.Context(), disk, main, journal.Options{})
		if err == nil {
			var f *journal.File
			if f, err = set.File(main); err == nil {
				_, err = f.WriteAt([]byte("changed"), f.Size()-100)
			}
			err = errors.Join(err, set.Commit())
		}
		if err == nil {
			t.Fatal("no call was the right one")
		}
		files := disk.Restart(func(n int) int { return n }, func(string) bool { return true }).Files()
		name := strings.TrimSuffix(main, filepath.Ext(main))
		if files[name+journal.Ending] == nil || string(files[main]) == folder(t)[main] {
			continue
		}
		for _, name := range []string{main, name + journal.Ending} {
			must.Do(t, os.WriteFile(name, files[name], 0o666))
		}
		return
	}
}

// A commit that was interrupted is reported by who reads, and taken back by recover.
func TestRecoverBook(t *testing.T) {
	here(t)
	bookOf(t, "Book", oldGames)
	was := folder(t)
	interruptCommit(t, "Book.ctg")
	if r := cbkit(t, "", "book", "probe", "Book.ctg"); r.status != exitFailed || !strings.Contains(r.errOut, "cbkit recover") {
		t.Errorf("probing: %+v", r)
	}
	mustRun(t, "recover", "Book.ctg").prints(t, "taken back")
	unchanged(t, "a change that was taken back", was)
	if left, err := filepath.Glob("*.cbkit*"); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	if _, err := os.Stat("Book.ctg"); err != nil {
		t.Error(err)
	}
}
