// Package examples has programs for people who begin with cbkit, one in each folder.
package examples

import (
	"bytes"
	"go/format"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// programs are the arguments of each program, in a folder where those before it have
// run, and what it prints.
var programs = []struct {
	name string
	args []string
	want string
}{
	{"convert", []string{"in", "."}, "games.cbh 0 losses\n"},
	{"convert", []string{"in", "."}, "games is there already\n"},
	{"read", []string{"games.cbh"}, `1 Réti, Richard - Tartakower, Savielly 1-0, Vienna, 1910 11 moves
2 Morphy, Paul - Duke Karl 1-0, Paris, 1858.11.02 7 moves
3 Legal - Saint Brie 1-0, Paris, 1750 7 moves
1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6`},
	{"build", []string{"legal.cbh"}, "cbh 1\n"},
	{"search", []string{"games.cbh", "found.pgn"}, "[2 3]\n"},
	{"read", []string{"found.pgn"}, "1 Morphy"},
	{"book", []string{"games.cbh", "book.ctg"}, "3 games, 46 positions\ne4 3 100\n"},
	{"edit", []string{"games.cbh"}, "1 header, 1 deleted, 1 name\n"},
	{"compact", []string{"games.cbh"}, "2 records, 1 purged\n6 boosters\n0 errors\n"},
	{"read", []string{"games.cbh"}, "1 Morphy, Paul - Duke Karl 1-0, Paris, 1858.10 7 moves\n2 Kermeur, Legall de"},
	{"golden", nil, "true\n"},
	{"memory", nil, "12 files, 3 games\n"},
	{"notnil", []string{"legal.cbh"}, "lost: record 1: variations: 2 moves\n1 Checkmate\n1 0-1\n"},
	{"custom", []string{"openings.pgn"}, "16 first moves\n"},
	{"read", []string{"openings.pgn"}, "1 "},
}

// Every program does what it says.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("links eleven programs")
	}
	made, dir := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", made+string(filepath.Separator), "./...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	games, err := os.ReadFile("games.pgn")
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "in"), 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "in", "games.pgn"), games, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]bool{}
	for _, p := range programs {
		run[p.name] = true
		var errs bytes.Buffer
		c := exec.Command(filepath.Join(made, p.name), p.args...)
		c.Dir, c.Stderr = dir, &errs
		if out, err := c.Output(); err != nil || !strings.HasPrefix(string(out), p.want) || p.want == "" {
			t.Errorf("%s %q: %v\n%s%s", p.name, p.args, err, out, errs.Bytes())
		}
	}
	folders, err := filepath.Glob("*/main.go")
	if err != nil || len(folders) != len(run) {
		t.Errorf("%d programs run of %v, %v", len(run), folders, err)
	}
}

// Programs are short: 60 lines at most, without comments and what is blank.
func TestProgramsAreShort(t *testing.T) {
	files, err := filepath.Glob("*/*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text := must.Get(os.ReadFile(name))(t)
		if tidy, err := format.Source(text); err != nil || !bytes.Equal(tidy, text) {
			t.Errorf("%s: gofmt has another opinion, %v", name, err)
		}
		set, lines := token.NewFileSet(), map[int]bool{}
		var s scanner.Scanner
		file := set.AddFile(name, -1, len(text))
		s.Init(file, text, nil, 0)
		for pos, tok, _ := s.Scan(); tok != token.EOF; pos, tok, _ = s.Scan() {
			lines[file.Line(pos)] = true
		}
		if len(lines) > 60 {
			t.Errorf("%s has %d lines", name, len(lines))
		}
	}
}
