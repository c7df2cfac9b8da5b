package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/dbfile"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// here makes an empty folder the current one, with the sample as games.pgn.
func here(t *testing.T) {
	t.Helper()
	t.Chdir(gen.Folder(t))
	save(t, "games.pgn", string(sample))
}

func save(t *testing.T, name, content string) {
	t.Helper()
	must.Do(t, os.WriteFile(name, []byte(content), 0o666))
}

// exists reports whether a file is there.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// folder returns what is in the current folder, with its content.
func folder(t *testing.T) map[string]string {
	t.Helper()
	entries := must.Get(os.ReadDir("."))(t)
	files := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			files[e.Name()] = "(folder)"
			continue
		}
		if to, err := os.Readlink(e.Name()); err == nil {
			files[e.Name()] = "link to " + to
			continue
		}
		b := must.Get(os.ReadFile(e.Name()))(t)
		files[e.Name()] = string(b)
	}
	return files
}

// unchanged fails the test if the current folder is not as it was.
func unchanged(t *testing.T, what any, was map[string]string) {
	t.Helper()
	is := folder(t)
	for name, content := range was {
		if is[name] != content {
			t.Errorf("%v: %s has changed", what, name)
		}
	}
	for name := range is {
		if _, ok := was[name]; !ok {
			t.Errorf("%v: %s was left", what, name)
		}
	}
}

// No verb writes over what it reads, under whatever name it is given.
func TestSourceIsNotTheTarget(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "convert", "-q", "games.pgn", "g.jsonl")
	mustRun(t, "convert", "-q", "Games.cbh", "Simple.dci")
	mustRun(t, "book", "build", "-q", "Games.cbh", "Book.ctg")
	for link, to := range map[string]string{
		"link.pgn": "games.pgn", "Link.cbh": "Games.cbh", "Link.ctg": "Book.ctg",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link("games.pgn", "hard.pgn"); err != nil {
		t.Skip(err)
	}
	was := folder(t)
	for _, args := range [][]string{
		{"convert", "games.pgn", "games.pgn"}, {"convert", "games.pgn", "./games.pgn"},
		{"convert", "games.pgn", "link.pgn"}, {"convert", "link.pgn", "games.pgn"}, {"convert", "hard.pgn", "games.pgn"},
		{"convert", "g.jsonl", "g.jsonl"},
		{"convert", "Games.cbh", "Games.cbh", "--keep-going"}, {"convert", "Games", "Games.cbh"},
		{"convert", "Games.cbg", "Games"}, {"convert", "Games.cbh", "Games.cbp"}, {"convert", "Games.cbh", "GAMES.CBH"},
		{"convert", "Games.cbh", "Link.cbh"}, {"convert", "Simple", "Simple.dcg"},
		{"import", "games.pgn", "games.pgn"}, {"import", "g.jsonl", "g.jsonl"},
		{"export", "Games.cbh", "Games.cbg", "--format", "pgn"}, {"export", "games.pgn", "link.pgn"},
		{"book", "merge", "Book.ctg", "Book.ctg", "Book.ctg"}, {"book", "merge", "Book.ctg", "Book.ctg", "Link.ctg"},
		{"book", "prune", "Book", "Book.cto", "--min-games", "2"},
		{"book", "export", "Book.ctg", "./Book.ctg"},
	} {
		r := cbkit(t, "", append(args, "--force")...)
		if r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %v: %+v", args, r)
		}
		unchanged(t, args, was)
	}
	// What has the same name and another ending is something else.
	mustRun(t, "convert", "-q", "--force", "games.pgn", "games.cbh")
	mustRun(t, "convert", "-q", "--force", "Simple.dci", "Simple.cbh")
}

// A target is named by any of its files, by its base, or refused.
func TestTargetEndings(t *testing.T) {
	for _, c := range []struct {
		args  []string
		makes string // "" if it is bad use
	}{
		{[]string{"convert", "games.pgn", "x.cbg"}, "x.cbh"},
		{[]string{"convert", "games.pgn", "x"}, ""},
		{[]string{"import", "games.pgn", "x.cbtt"}, "x.cbh"},
		{[]string{"import", "games.pgn", "x"}, ""},
		{[]string{"convert", "games.pgn", "x.dcn"}, "x.dci"},
		{[]string{"convert", "games.pgn", "Mega.2024.cbh"}, "Mega.2024.cbh"},
		{[]string{"book", "build", "games.pgn", "x.cto"}, "x.ctg"},
		{[]string{"book", "build", "games.pgn", "x"}, ""},
		{[]string{"export", "games.pgn", "x.txt", "--format", "pgn"}, "x.txt"},
		{[]string{"convert", "games.pgn", "x.txt"}, ""},
		{[]string{"convert", "games.pgn", "Mega.2024"}, ""},
		{[]string{"convert", "games.pgn", "x.pgn.bz2"}, ""},
		{[]string{"convert", "games.pgn", "x.cbh.gz"}, ""},
		{[]string{"convert", "games.pgn", "x.ctg"}, ""},
		{[]string{"import", "games.pgn", "x.txt"}, ""},
		{[]string{"import", "games.pgn", "-"}, ""},
		{[]string{"import", "games.pgn", "x.jsonl"}, ""},
		{[]string{"export", "games.pgn", "x"}, ""},
		{[]string{"export", "games.pgn", "x.cbh"}, ""},
		{[]string{"book", "build", "games.pgn", "x.pgn"}, ""},
		{[]string{"book", "build", "games.pgn", "-"}, ""},
		{[]string{"book", "merge", "a.ctg", "b.ctg", "m.pgn"}, ""},
		{[]string{"book", "prune", "a.ctg", "-", "--min-games", "2"}, ""},
	} {
		here(t)
		was := folder(t)
		r := cbkit(t, "", append(c.args, "-q")...)
		if c.makes == "" {
			if r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 {
				t.Errorf("cbkit %v: %+v", c.args, r)
			}
			unchanged(t, c.args, was)
			continue
		}
		if r.status != exitDone || !exists(c.makes) {
			t.Errorf("cbkit %v: %+v; there is %v", c.args, r, folder(t))
		}
	}
	here(t)
	if r := cbkit(t, "", "convert", "games.pgn", "Mega.2024"); !strings.Contains(r.errOut, "Mega.2024.cbh") || !strings.Contains(r.errOut, ".jsonl") {
		t.Errorf("a dot in the name: %s", r.errOut)
	}
}

// A folder in the place of a target is found before the work, and stays.
func TestTargetIsAFolder(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for _, name := range []string{"d.pgn", "d.cbh", "d.dci", "d.ctg", "d.jsonl", "d"} {
		must.Do(t, os.Mkdir(name, 0o777))
		save(t, filepath.Join(name, "letter"), "dear")
	}
	for _, args := range [][]string{
		{"convert", "none.pgn", "d.pgn"}, {"convert", "games.pgn", "d.cbh"}, {"convert", "games.pgn", "d.dci"},
		{"convert", "games.pgn", "d"}, {"export", "games.pgn", "d.jsonl"}, {"book", "build", "none.pgn", "d.ctg"},
		{"book", "merge", "Book.ctg", "Book.ctg", "d.ctg"}, {"book", "export", "Book.ctg", "d.jsonl"},
	} {
		if args[1] == "none.pgn" && args[0] == "convert" {
			args[1] = "games.pgn"
		}
		r := cbkit(t, "", append(args, "--force")...)
		if r.status != exitFailed || !strings.Contains(r.errOut, "is a folder") || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %v: %+v", args, r)
		}
	}
	for _, name := range []string{"d.pgn", "d.cbh", "d.dci", "d.ctg", "d.jsonl", "d"} {
		if !exists(filepath.Join(name, "letter")) {
			t.Errorf("%s is gone", name)
		}
	}
}

// An existing book is refused before the games are read.
func TestBookTargetIsCheckedFirst(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for _, args := range [][]string{
		{"book", "build", "none.pgn", "Book.ctg"}, {"book", "merge", "none.ctg", "none.ctg", "Book.ctg"},
		{"book", "prune", "none.ctg", "Book.ctg", "--min-games", "2"},
	} {
		fails(t, exitFailed, "Book.ctg: exists already", args...)
	}
}

// Errors speak of the user's file and say what to do.
func TestTargetErrors(t *testing.T) {
	here(t)
	for _, c := range []struct{ target, says string }{
		{"no/x.pgn", "no/x.pgn: no such file or directory: there is no folder no; make it first"},
		{"no/x.cbh", "no/x.cbh: no such file or directory: there is no folder no; make it first"},
		{"no/x.dci", "no/x.dci: no such file or directory: there is no folder no; make it first"},
	} {
		if r := cbkit(t, "", "convert", "games.pgn", c.target); r.status != exitFailed || r.errOut != "cbkit: "+c.says+"\n" {
			t.Errorf("%s: %+v", c.target, r)
		}
	}
	fails(t, exitFailed, "no/x.ctg: no such file or directory: there is no folder no", "book", "build", "games.pgn", "no/x.ctg")
	if os.Getuid() == 0 {
		t.Log("as root every folder can be written to; the rest is skipped")
		return
	}
	must.Do(t, os.Mkdir("closed", 0o555))
	for _, name := range []string{"closed/x.pgn", "closed/x.cbh"} {
		if r := cbkit(t, "", "convert", "games.pgn", name); !strings.Contains(r.errOut, name+": permission denied: the folder closed cannot be written to") {
			t.Errorf("%+v", r)
		}
	}
}

// The mode of a file that is replaced stays, and a link goes on leading to it.
func TestModeAndLinkOfOutput(t *testing.T) {
	here(t)
	save(t, "real.jsonl", "old")
	must.Do(t, os.Chmod("real.jsonl", 0o604))
	if err := os.Symlink("real.jsonl", "link.jsonl"); err != nil {
		t.Skip(err)
	}
	if r := cbkit(t, "", "convert", "games.pgn", "link.jsonl"); r.status != exitFailed {
		t.Errorf("an existing link: %+v", r)
	}
	mustRun(t, "convert", "-q", "--force", "games.pgn", "link.jsonl")
	if info, err := os.Lstat("link.jsonl"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err := os.Lstat("real.jsonl"); err != nil || info.Mode() != 0o604 || info.Size() < 100 {
		t.Errorf("the file: %v, %v", info, err)
	}
	must.Do(t, os.Symlink("nowhere", "dead.jsonl"))
	if r := cbkit(t, "", "convert", "--force", "games.pgn", "dead.jsonl"); r.status != exitFailed || !strings.Contains(r.errOut, "leads nowhere") {
		t.Errorf("a dead link: %+v", r)
	}
	// A new file has the mode of any other new file.
	save(t, "other", "")
	other := must.Get(os.Stat("other"))(t)
	mustRun(t, "convert", "-q", "games.pgn", "new.jsonl")
	if info, err := os.Stat("new.jsonl"); err != nil || info.Mode() != other.Mode() {
		t.Errorf("a new file: %v, %v; others have %v", info, err, other.Mode())
	}
}

// Devices are written to, not replaced.
func TestDevices(t *testing.T) {
	if !exists(os.DevNull) {
		t.Skip("no", os.DevNull)
	}
	here(t)
	before := must.Get(os.Stat(os.DevNull))(t)
	mustRun(t, "export", "-q", "games.pgn", os.DevNull, "--format", "pgn")
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Errorf("%v is now %v", before, after)
	}
}

// What is left of an interrupted run is refused, recovered, or forced away.
func TestInterruptedRun(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	left := "Games.cbh.cbkit-writing"
	must.Do(t, os.Mkdir(left, 0o777))
	r := cbkit(t, "", "import", "games.pgn", "Games.cbh")
	if r.status != exitFailed || !strings.Contains(r.errOut, "--force") || !strings.Contains(r.errOut, "cbkit recover Games.cbh") {
		t.Errorf("%+v", r)
	}
	if r := mustRun(t, "recover", "Games"); r.out != "Games.cbh: the unfinished new files were removed; what was there before is as it was; cleared "+left+"\n" || exists(left) {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{"Games", "Games.cbh", "Games.cbp"} {
		if r := mustRun(t, "recover", name); !strings.HasPrefix(r.out, "Games.cbh: nothing to recover") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	fails(t, exitFailed, "None.cbh", "recover", "None.cbh")
	if r := mustRun(t, "recover", "games.pgn"); !strings.HasPrefix(r.out, "games.pgn: nothing to recover") {
		t.Errorf("%+v", r)
	}
	fails(t, exitFailed, "none.pgn", "recover", "none.pgn")
}

// A database, a Simple Chess Database, a book and texts of one name lie beside each other: of
// each another one can be made, which replaces its own files alone.
func TestTargetsOfOneName(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "--boosters", "games.pgn", "G.cbh")
	mustRun(t, "boosters", "-q", "--positions", "G.cbh")
	save(t, "G.ini", "[Settings]\n")
	save(t, "G.pgi", "keys")
	made := []string{".cbh", ".dci", ".ctg", ".pgn", ".jsonl", ".cbv", ".bin"}
	of := map[string][]string{".cbh": dbfile.ChessBase.Data(), ".dci": dbfile.Simple.Data(), ".ctg": dbfile.Book.Data()}
	for _, line := range []string{
		"convert G.cbh G.dci", "convert G.cbh G.dci", "convert G.cbh G.pgn", "convert G.cbh G.jsonl", "book build G.cbh G.ctg", "book build G.dci G.ctg", "convert G.dci G.cbh",
		"convert G.dci G.pgn", "merge G.dci G.pgn G.cbh", "sort G.cbh G.dci --by date", "pack G.cbh G.cbv", "find G.cbh kind:game -o G.dci", "salvage G.cbh H.cbh",
		"book export G.ctg G.bin", "export G.cbh G.pgn", "import G.pgn G.dci",
	} {
		before := folder(t)
		r := mustRun(t, append(strings.Fields(line), "--force")...)
		after := folder(t)
		target := ""
		for _, word := range strings.Fields(line)[2:] {
			if ending := filepath.Ext(word); slices.Contains(made, ending) && word == "G"+ending {
				target = ending
			}
		}
		own := append(slices.Clone(of[target]), target)
		for name, text := range before {
			if !slices.Contains(own, filepath.Ext(name)) && after[name] != text {
				t.Errorf("cbkit %s: %s has changed or is gone: %s", line, name, r.errOut)
			}
		}
	}
	for _, line := range []string{"convert G.cbh G.cbh", "convert G.pgn G.pgn", "sort G.dci G.dcg --by date", "convert G.cbp G.cbh", "merge G.pgn G.dci G.dci"} {
		fails(t, exitUsage, "is the source too", append(strings.Fields(line), "--force")...)
	}
}
