package main

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// Options that mean nothing are bad use, told in one line.
func TestBadOptions(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "convert", "-q", "games.pgn", "Simple.dci")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	was := folder(t)
	for _, line := range []string{
		"convert games.pgn x.cbh --jobs=-3", "convert games.pgn x.cbh --jobs -3", "info Games.cbh --jobs=-1",
		"check Games.cbh --jobs=-1", "find Games.cbh --jobs=-1 --player x", "boosters Games.cbh --jobs=-1",
		"info Games.cbh --codepage klingon", "convert games.pgn x.cbh --codepage klingon", "show Games.cbh 1 --codepage klingon",
		"find Games.cbh --player x --codepage klingon", "check Games.cbh --codepage klingon",
		"check Games.cbh --files xyz", "verify Games.cbh --files xyz", "book check Book.ctg --files xyz", "check Simple.dci --files xyz",
		"boosters Games.cbh --files zz", "boosters --check Games.cbh --files zz",
		"find", "find Games.cbh", "book build games.pgn x.ctg --color white",
		"book build games.pgn x.ctg --max-ply=-1", "book build games.pgn x.ctg --min-games -1", "book build games.pgn x.ctg --memory=-1",
		"book prune Book.ctg x.ctg --min-games=-1", "show Games.cbh 1 --ply 999", "show Games.cbh 1 --ply -999",
		"import Games.cbh x.cbh", "import games.pgn g.jsonl x.cbh", "export Games.cbh --games 0 -",
	} {
		r := cbkit(t, "", strings.Fields(line)...)
		if r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 || r.out != "" {
			t.Errorf("cbkit %s: %+v", line, r)
		}
	}
	unchanged(t, "bad use", was)
}

// As many jobs as anybody likes are no more than is sensible.
func TestManyJobs(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh", "--jobs=2000000000")
	mustRun(t, "convert", "-q", "Games.cbh", "Copy.cbh", "--jobs=2000000000")
	mustRun(t, "check", "Games.cbh", "--jobs=2000000000")
	mustRun(t, "boosters", "Games.cbh", "--jobs=2000000000")
	mustRun(t, "find", "Games.cbh", "--piece", "Nd5", "--jobs=2000000000")
	mustRun(t, "book", "build", "Games.cbh", "Book.ctg", "--jobs=2000000000")
}

// A negative ply counts from the end, with and without an equals sign.
func TestPlyFromTheEnd(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	end := mustRun(t, "show", "Games.cbh", "1", "--ply", "33").out
	for _, args := range [][]string{{"--ply", "-1"}, {"--ply=-1"}} {
		if r := mustRun(t, append([]string{"show", "Games.cbh", "1"}, args...)...); r.out != end {
			t.Errorf("%v: %s", args, r.out)
		}
	}
}

// Records that are not there are told of; what is there is written.
func TestGamesThatAreNotThere(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	for _, c := range []struct{ games, says string }{
		{"3-6", "no record 5-6;"}, {"2,99", "no record 99;"}, {"1,5-", "no record 5-;"},
	} {
		r := cbkit(t, "", "export", "-q", "Games.cbh", "--games", c.games, "-")
		if r.status != exitFailed || !strings.Contains(r.errOut, c.says) || !strings.Contains(r.out, "[Event ") {
			t.Errorf("%s: %+v", c.games, r)
		}
	}
	r := cbkit(t, "", "export", "Games.cbh", "--games", "99999", "out.pgn")
	if r.status != exitFailed || !strings.Contains(r.errOut, "no record 99999; the last one is 4") || exists("out.pgn") {
		t.Errorf("%+v", r)
	}
	mustRun(t, "export", "-q", "Games.cbh", "--games", "1-2,4-", "out.pgn")
}

// check says first what people want to know, then has an example of each kind of finding
// and counts the rest.
func TestCheckIsBounded(t *testing.T) {
	here(t)
	var games strings.Builder
	for range 150 {
		games.WriteString("[Event \"?\"]\n\n1. e4 *\n\n")
	}
	if r := cbkit(t, games.String(), "import", "-q", "-", "Games.cbh"); r.status != exitDone {
		t.Fatal(r.errOut)
	}
	headers := must.Get(os.ReadFile("Games.cbh"))(t)
	for at := 46; at < len(headers); at += 46 {
		headers[at+27] = 9 // no result
	}
	save(t, "Games.cbh", string(headers))
	const line = "(result)"
	for _, c := range []struct {
		args []string
		want int
	}{{nil, 1}, {[]string{"--max", "7"}, 7}, {[]string{"--max", "0"}, 1}, {[]string{"--max", "-1"}, 150}} {
		r := mustRun(t, append([]string{"check", "Games.cbh"}, c.args...)...)
		if n := strings.Count(r.out, line); n != c.want || !strings.Contains(r.out, "Games.cbh: all 150 games can be read; 150 notes on what is unusual") {
			t.Errorf("%v: %d findings, want %d:\n%.300s", c.args, n, c.want, r.out)
		}
		if more := strings.Contains(r.out, " more like it; --max -1 lists all\n"); more != (c.want < 150) {
			t.Errorf("%v: %.300s", c.args, r.out)
		}
	}
}

func TestVersion(t *testing.T) {
	if r := mustRun(t, "--version"); !strings.HasPrefix(r.out, "cbkit ") || strings.Count(r.out, "\n") != 1 {
		t.Errorf("%+v", r)
	}
}

func TestTermsWithoutDatabase(t *testing.T) {
	mustRun(t, "find", "--terms").prints(t, "material")
}

// Summaries name the main file, with its ending.
func TestNamesHaveEndings(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "convert", "-q", "games.pgn", "Simple.dci")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for name, want := range map[string]string{"Games": "Games.cbh: 4 records", "Simple": "Simple.dci: ", "Book": "Book.ctg: "} {
		mustRun(t, "check", name).prints(t, want)
	}
	mustRun(t, "info", "--json", "Games").prints(t, `"path":"Games.cbh"`)
	mustRun(t, "info", "--json", "Simple").prints(t, `"path":"Simple.dci"`)
	mustRun(t, "book", "info", "--json", "Book").prints(t, `"path":"Book.ctg"`, `"positions":`)
}

// The verbs that make books of books tell what they did, unless told not to.
func TestBookSummaries(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for _, args := range [][]string{
		{"book", "merge", "Book.ctg", "Book.ctg", "m.ctg"}, {"book", "prune", "Book.ctg", "p.ctg", "--min-games", "2"},
		{"book", "export", "Book.ctg", "b.bin"}, {"book", "export", "b.bin", "back.ctg"}, {"book", "export", "Book.ctg", "b.jsonl"},
	} {
		if r := mustRun(t, append(args, "--keep-going")...); !strings.Contains(r.errOut, " positions") && !strings.HasPrefix(r.errOut, "b.bin: 186 moves\n") {
			t.Errorf("cbkit %v: %+v", args, r)
		}
		if r := mustRun(t, append(args, "--force", "--quiet")...); r.errOut != "" {
			t.Errorf("cbkit %v -q: %+v", args, r)
		}
	}
	// A page whose count is wrong costs its entries, with --keep-going.
	book := must.Get(os.ReadFile("Book.ctg"))(t)
	copy(book[4096:], "\xff\xff\xff\xff")
	save(t, "Book.ctg", string(book))
	for _, args := range [][]string{{"book", "merge", "Book.ctg", "m.ctg", "n.ctg"}, {"book", "export", "Book.ctg", "c.jsonl"}} {
		if r := cbkit(t, "", args...); r.status != exitFailed || exists(args[len(args)-1]) {
			t.Errorf("cbkit %v: %+v", args, r)
		}
		if r := cbkit(t, "", append(args, "--keep-going")...); r.status != exitFailed || !exists(args[len(args)-1]) || !strings.Contains(r.errOut, "damaged") {
			t.Errorf("cbkit %v --keep-going: %+v", args, r)
		}
	}
}
