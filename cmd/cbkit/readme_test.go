package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// readmeCommand is a command of the README with its arguments; what it does
// stands behind two blanks or more.
var readmeCommand = regexp.MustCompile(`(?m)^cbkit ((?:\S| \S)+)`)

// The commands that the README prints work in their order, in an empty folder.
func TestReadme(t *testing.T) {
	text := must.Get(os.ReadFile("../../README.md"))(t)
	t.Chdir(gen.Folder(t))
	commands := readmeCommand.FindAllStringSubmatch(string(text), -1)
	if len(commands) < 10 {
		t.Fatalf("only %d commands", len(commands))
	}
	for _, command := range commands {
		mustRun(t, strings.Fields(strings.ReplaceAll(command[1], `"`, ""))...)
	}
	if r := mustRun(t, strings.Fields("find Games.cbh --player Mor* --year 1850..1859 --format ids")...); r.out != "1\n" {
		t.Errorf("the README's search finds %q", r.out)
	}
}

// readmeClaims are the cells about cbkit in the table of the README that compares
// programs, with commands that show them, or the test that does. Commands run in a
// folder with the games of the demo.
var readmeClaims = map[string]struct {
	cell     string
	commands []string
	tests    []string // file, name
}{
	"is":                    {"a program for the command line, a Go library", []string{"version"}, []string{"../../cbkit_test.go", "func Test"}},
	"reads `.cbh`, `.cbv`":  {"yes", []string{"export Games.cbh -", "export Games.cbv -"}, nil},
	"writes `.cbh`, `.cbv`": {"yes", []string{"convert games.pgn Again.cbh", "check Again.cbh", "convert Again.cbh Again.cbv", "check Again.cbv"}, nil},
	"makes `.ctg` books":    {"yes", []string{"book build games.pgn Book.ctg", "book check Book.ctg"}, nil},
	"PGN": {
		"yes; a form that loses nothing on request", []string{"export Games.cbh plain.pgn", "export Games.cbh exact.pgn --lossless", "convert exact.pgn Exact.cbh", "diff Games.cbh Exact.cbh"}, nil,
	},
	"changes in place survive a crash": {
		"old or new as a whole, tested at every write", []string{"edit Games.cbh --delete 1", "edit Games.cbh --undelete 1"},
		[]string{"../../internal/testkit/weeks/weeks_test.go", "func TestEveryCall("},
	},
	"duplicates, cross tables, opening reports, ECO": {
		"yes, also as JSON",
		[]string{"dedup games.pgn --dry-run --json", "table games.pgn London --json", "report games.pgn e4 --json", "eco games.pgn named.pgn --json"}, nil,
	},
	"plays, analyses with engines":         {"no", nil, nil},
	"games with a server, cloud, training": {"no", nil, nil},
	"in use":                               {"new", nil, nil},
	"costs, licence":                       {"free, MIT", nil, []string{"../../LICENSE", "MIT License"}},
}

// What the README claims of cbkit beside other programs holds.
func TestReadmeClaims(t *testing.T) {
	text := must.Get(os.ReadFile("../../README.md"))(t)
	_, table, _ := strings.Cut(string(text), "\n| | cbkit |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := 0
	for _, line := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(line, "|")
		name, cell := strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
		claim, ok := readmeClaims[name]
		if rows++; !ok || cell != claim.cell {
			t.Errorf("%q: nothing shows that cbkit is %q", name, cell)
			continue
		}
		if len(claim.tests) > 0 {
			code, err := os.ReadFile(claim.tests[0])
			if err != nil || !strings.Contains(string(code), claim.tests[1]) {
				t.Errorf("%q: %s has no %q: %v", name, claim.tests[0], claim.tests[1], err)
			}
		}
	}
	if rows != len(readmeClaims) {
		t.Errorf("%d rows of %d", rows, len(readmeClaims))
	}
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "pack", "-q", "Games.cbh", "Games.cbv")
	for _, claim := range readmeClaims {
		for _, command := range claim.commands {
			mustRun(t, strings.Fields(command)...)
		}
	}
}
