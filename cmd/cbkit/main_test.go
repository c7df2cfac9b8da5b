package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/dbfile"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/internal/testkit/soundness"
)

// result is what a run of the program gave.
type result struct {
	status      int
	out, errOut string
}

// installed is a program that tests run in the place of this one: README and docs with
// what a package has installed.
var installed = flag.String("program", "", "run this `program`, without Go on its path")

// cbkit runs the program, and returns what it wrote.
func cbkit(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, errOut bytes.Buffer
	status := runOn(t, strings.NewReader(stdin), &out, &errOut, args)
	return result{status, out.String(), errOut.String()}
}

// runOn runs the program on streams: in-process, or the installed one.
func runOn(t *testing.T, stdin io.Reader, out, errOut io.Writer, args []string) (status int) {
	t.Helper()
	if *installed != "" {
		c := exec.Command(*installed, args...)
		c.Env = append(os.Environ(), "PATH="+pathWithoutGo(t))
		c.Stdin, c.Stdout, c.Stderr = stdin, out, errOut
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return c.ProcessState.ExitCode()
	}
	defer soundness.Before(t, edited(args))()
	return run(args, stdin, out, errOut)
}

// isTried reports whether case i of many alike is tried: all in CI, one of three
// elsewhere, one of so many with -short.
func isTried(i, step int) bool {
	if testing.Short() {
		return i%step == 0
	}
	return seeds.InCI || i%3 == 0
}

// edited returns the ChessBase database that the program changes in place, if it does.
func edited(args []string) string {
	for i, word := range args {
		if dbfile.Is(word, ".cbh") && i > 0 && (slices.Contains([]string{"edit", "compact", "names"}, args[0]) || args[0] == "import" && slices.Contains(args, "--append")) {
			return word
		}
	}
	return ""
}

// pathWithoutGo returns those folders of the path in which there is no Go.
func pathWithoutGo(t *testing.T) string {
	t.Helper()
	var list []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := exec.LookPath(filepath.Join(dir, "go")); err != nil {
			list = append(list, dir)
		}
	}
	return strings.Join(list, string(filepath.ListSeparator))
}

// mustRun fails the test unless the program succeeds.
func mustRun(t *testing.T, args ...string) result {
	t.Helper()
	r := cbkit(t, "", args...)
	if r.status != exitDone {
		t.Fatalf("cbkit %s: status %d\n%s", strings.Join(args, " "), r.status, r.errOut)
	}
	return r
}

// fails runs the program, and fails the test unless it ends with a status and says something.
func fails(t *testing.T, status int, says string, args ...string) {
	t.Helper()
	if r := cbkit(t, "", args...); r.status != status || !strings.Contains(r.errOut, says) {
		t.Errorf("cbkit %q does not end with %d and %q: %+v", args, status, says, r)
	}
}

// prints fails the test for each of the parts that the output does not have.
func (r result) prints(t *testing.T, parts ...string) {
	t.Helper()
	mentions(t, "the output", r.out, parts...)
}

// reports fails the test for each of the parts that the standard error does not have.
func (r result) reports(t *testing.T, parts ...string) {
	t.Helper()
	mentions(t, "the report", r.errOut, parts...)
}

// mentions fails the test for each of the parts that a text does not have.
func mentions(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s does not say %q:\n%s", what, part, text)
		}
	}
}

// newDatabase imports the sample and returns the path of the database.
func newDatabase(t *testing.T) string {
	t.Helper()
	dir := gen.Folder(t)
	source := filepath.Join(dir, "sample.pgn")
	must.Do(t, os.WriteFile(source, sample, 0o644))
	db := filepath.Join(dir, "db.cbh")
	mustRun(t, "import", "-q", source, db)
	return db
}

func TestDemo(t *testing.T) {
	r := mustRun(t, "demo")
	if strings.Contains(r.out, os.TempDir()) {
		t.Errorf("the demo names its temporary folder:\n%s", r.out)
	}
	mentions(t, "the demo", r.out,
		"Games.cbh: 4 records", "Games.cit2", "Book.ctg: 85 positions", "0 added, 0 removed, 0 changed", "1 found", "17. Rd8# 1-0", "after 12. O-O-O",
		"cbkit serve Games.cbh --open",
	)
}

func TestInfo(t *testing.T) {
	db := newDatabase(t)
	r := mustRun(t, "info", db)
	mentions(t, "info", r.out, "ChessBase database", "games          4", "dates          1851.06.21 to 2026.01.01", "db.cbh", "headers")
	mustRun(t, "info", "--json", db).prints(t, `"games":4`)
}

func TestShow(t *testing.T) {
	db := newDatabase(t)
	r := mustRun(t, "show", db, "1", "--ply=-1", "--ascii")
	mentions(t, "show", r.out, `[White "Morphy, Paul"]`, "8 | . n . R k b . r", "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17")
	if r := mustRun(t, "show", db, "1", "--ply=-1", "--flip"); !strings.Contains(r.out, "    h g f e d c b a\n") ||
		!strings.Contains(r.out, "8 | ♜ . ♝ ♚ ♖ . ♞ .\n    h g") {
		t.Errorf("turned around:\n%s", r.out)
	}
	mustRun(t, "show", "--json", db, "4").prints(t, `"variant":"chess960"`)
	if r := cbkit(t, "", "show", db, "5"); r.status != exitFailed || !strings.Contains(r.errOut, "there are 4") {
		t.Errorf("a record that is not there: %+v", r)
	}
	if r := cbkit(t, "", "show", db, "1", "--ply", "34"); r.status != exitUsage {
		t.Errorf("a ply that is not there: %+v", r)
	}
}

func TestExportSelectsGames(t *testing.T) {
	db := newDatabase(t)
	r := mustRun(t, "export", db, "--games", "2-3", "-")
	if n := strings.Count(r.out, "[Event "); n != 2 || !strings.Contains(r.out, "Anderssen") {
		t.Errorf("%d games:\n%s", n, r.out)
	}
	r = mustRun(t, "export", db, "--games", "4", "--format", "jsonl", "-")
	if strings.Count(r.out, "\n") != 1 || !strings.HasPrefix(r.out, `{"id":4,"kind":"game"`) {
		t.Errorf("JSON Lines: %s", r.out)
	}
}

// The same games come back through every format, from files and streams.
func TestConvertThroughAllFormats(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	games := mustRun(t, "export", db, "-").out
	jsonl, copied := filepath.Join(dir, "games.jsonl"), filepath.Join(dir, "copied.cbh")
	mustRun(t, "convert", "-q", db, jsonl)
	mustRun(t, "convert", "-q", jsonl, copied)
	if again := mustRun(t, "export", copied, "-").out; again != games {
		t.Errorf("through JSON Lines:\n%s\nwas\n%s", again, games)
	}
	piped := filepath.Join(dir, "piped.cbh")
	if r := cbkit(t, games, "import", "-", piped); r.status != exitDone {
		t.Fatalf("%+v", r)
	}
	if again := mustRun(t, "export", piped, "-").out; again != games {
		t.Errorf("through a pipe:\n%s\nwas\n%s", again, games)
	}
}

func TestTargetsAreNotOverwritten(t *testing.T) {
	db := newDatabase(t)
	out := filepath.Join(gen.Folder(t), "out.pgn")
	mustRun(t, "export", db, out)
	for _, args := range [][]string{{"export", db, out}, {"convert", out, db}} {
		r := cbkit(t, "", args...)
		if r.status != exitFailed || !strings.Contains(r.errOut, "--force") || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %v: %+v", args, r)
		}
		mustRun(t, append(args, "--force")...)
	}
}

func TestSkippedGames(t *testing.T) {
	const games = "[Event \"good\"]\n\n1. e4 *\n\n[Event \"bad\"]\n\n1. e5 e6 *\n\n[Event \"good again\"]\n\n1. d4 *\n"
	db := filepath.Join(gen.Folder(t), "db.cbh")
	r := cbkit(t, games, "import", "-", db)
	if r.status != exitFailed || !strings.Contains(r.errOut, "standard input:7: game 2") || !strings.Contains(r.errOut, "2 records, 1 skipped") {
		t.Errorf("%+v", r)
	}
	if out := mustRun(t, "export", db, "-").out; strings.Count(out, "[Event \"good") != 2 {
		t.Errorf("the good games are not there:\n%s", out)
	}
}

// Bad use is told in one line, with exit status 2.
func TestBadUse(t *testing.T) {
	for _, args := range [][]string{
		{"fly"}, {"info"}, {"show", "db", "first"}, {"import", "games.pgn"}, {"import", "a.pgn", "b.pgn"},
		{"export", "db", "out.txt"}, {"export", "db", "--games", "5-1", "-"}, {"convert", "-", "-.cbh", "--colour"},
		{"convert", "a.pgn", "-", "--jobs", "many"}, {"import", "-", "b.pgn", "db"},
		{"info", "--codepage", "klingon", "db"},
	} {
		r := cbkit(t, "", args...)
		if r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %v: status %d\n%s", args, r.status, r.errOut)
		}
	}
}

// Wrong input is told in one line that names the file, with exit status 1,
// and nothing is written.
func TestWrongInput(t *testing.T) {
	dir := gen.Folder(t)
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(content), 0o644))
		return path
	}
	for name, c := range map[string]struct{ path, says string }{
		"folder":         {dir, "is a folder"},
		"missing":        {filepath.Join(dir, "none.cbh"), "none.cbh"},
		"missing PGN":    {filepath.Join(dir, "none.pgn"), "none.pgn"},
		"empty database": {write("empty.cbh", ""), "empty.cbh"},
		"text":           {write("text.cbh", strings.Repeat("text ", 20)), "text.cbh"},
		"JSON":           {write("bad.jsonl", "{\"id\":1,"), "bad.jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			target := filepath.Join(gen.Folder(t), "target")
			r := cbkit(t, "", "convert", c.path, target+".cbh")
			if r.status != exitFailed || !strings.Contains(r.errOut, c.says) {
				t.Errorf("%+v", r)
			}
			if name != "JSON" && strings.Count(r.errOut, "\n") != 1 {
				t.Errorf("more than one line:\n%s", r.errOut)
			}
			if left, _ := filepath.Glob(target + "*"); len(left) > 0 && name != "JSON" {
				t.Errorf("something was written: %v", left)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	if r := cbkit(t, ""); r.status != exitDone || !strings.Contains(r.out, "convert") {
		t.Errorf("%+v", r)
	}
	for _, verb := range []string{"info", "show", "export", "import", "convert", "demo"} {
		if r := cbkit(t, "", verb, "--help"); r.status != exitDone || !strings.Contains(r.out, "Usage: cbkit "+verb) {
			t.Errorf("%s: %+v", verb, r)
		}
	}
}
