package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// An output of nothing says why, and words that were misleading lead.
func TestSilences(t *testing.T) {
	here(t)
	save(t, "a.pgn", "[White \"A\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) *\n\n[White \"B\"]\n\n1. d4 *\n")
	save(t, "b.pgn", "[White \"A\"]\n\n1. e4 e5 2. f4 exf4 *\n")
	save(t, "c.pgn", "[White \"A\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Ke2 *\n")
	mustRun(t, "import", "-q", "a.pgn", "A.cbh")
	mustRun(t, "convert", "-q", "a.pgn", "Both.cbh")
	mustRun(t, "convert", "-q", "a.pgn", "Both.dci")
	must.Do(t, os.Mkdir("old", 0o777))
	save(t, "old/x.cbf", "x")
	save(t, "old/a.pgn", "1. e4 *\n")
	for _, c := range []struct {
		args   string
		status int
		out    string // part of standard output, "" none at all
		errOut string
	}{
		{"find A.cbh moves:1.. --format epd", exitDone, "", "A.cbh: no training question in 2 records that were found"},
		{"find a.pgn moves:1.. --format epd", exitDone, "", "a.pgn: no training question in 2 records that were found"},
		{"find A.cbh moves:9.. --format ids", exitDone, "", "A.cbh: nothing was found"},
		{"find a.pgn moves:9.. --format ids", exitDone, "", "a.pgn: nothing was found"},
		{"find a.pgn moves:9.. --format pgn", exitDone, "", "a.pgn: nothing was found"},
		{"tree b.pgn --novelties a.pgn", exitDone, "2.f4", ""},
		{"tree b.pgn --novelties a.pgn --variations", exitDone, "0 novelties in 1 game", ""},
		{"tree c.pgn --novelties a.pgn", exitDone, "1 novelty", "a.pgn: no game in it comes to a position of these games"},
		{"info nosuch.cbf", exitFailed, "", "nosuch.cbf: file does not exist"},
		{"info old/x.cbf", exitUsage, "", "is a database in the format"},
		{"info old", exitDone, "1 game", "x.cbf: is a database in the format"},
		{"find A.cbh", exitUsage, "", "--limit"},
		{"find A.cbh moves:1.. -o x.html", exitUsage, "", "cbkit export"},
		{"export A.cbh x.xyz", exitUsage, "", ".html"},
		{"info Both", exitUsage, "", "Both.cbh and Both.dci"},
		{"check Both", exitUsage, "", "Both.cbh and Both.dci"},
		{"find Both moves:1..", exitUsage, "", "Both.cbh and Both.dci"},
		{"edit Both --delete 1", exitUsage, "", "Both.cbh and Both.dci"},
		{"export Both x.pgn", exitUsage, "", "Both.cbh and Both.dci"},
		{"stats Both", exitUsage, "", "Both.cbh and Both.dci"},
		{"compact Both", exitUsage, "", "Both.cbh and Both.dci"},
		{"salvage Both New.cbh", exitUsage, "", "Both.cbh and Both.dci"},
		{"boosters Both", exitUsage, "", "Both.cbh and Both.dci"},
		{"verify Both", exitUsage, "", "Both.cbh and Both.dci"},
		{"info Both.dci", exitDone, "2", ""},
		{"merge Both a.pgn New.pgn", exitUsage, "", "Both.cbh and Both.dci; name one of them\n"},
		{"edit A.cbh --delete=", exitUsage, "", "--delete: no record is named"},
		{"edit A.cbh --delete 1,x", exitUsage, "", `"x" is no id`},
	} {
		r := cbkit(t, "", strings.Fields(c.args)...)
		if r.status != c.status || !strings.Contains(r.out, c.out) || c.out == "" && r.out != "" || !strings.Contains(r.errOut, c.errOut) || c.errOut == "" && r.errOut != "" {
			t.Errorf("%s: %+v", c.args, r)
		}
		if strings.Count(r.errOut, "1,x") > 1 {
			t.Errorf("%s: %s", c.args, r.errOut)
		}
	}
	ids := cbkit(t, "", "find", "A.cbh", "moves:1..", "--format", "ids").out
	if r := cbkit(t, "", "edit", "A.cbh", "--delete", ids); ids != "1\n2\n" || r.status != exitDone || !strings.Contains(r.out, "2 deleted") && !strings.Contains(r.errOut, "deleted") {
		t.Errorf("%q: %+v", ids, r)
	}
	r := mustRun(t, "demo", "longer.pgn")
	columns := map[int]bool{} // in which what is said of a command begins
	for _, at := range regexp.MustCompile(`(?m)^  cbkit .*?   *\b`).FindAllString(r.out, -1) {
		columns[len(at)] = true
	}
	if lines := strings.Count(r.out, "\n"); lines > 10 || len(columns) != 1 || !strings.Contains(r.out, "cbkit import longer.pgn Games.cbh") {
		t.Errorf("%d lines: %s", lines, r.out)
	}
}
