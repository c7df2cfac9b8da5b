package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// The verbs answer the same with an index of positions as without; what takes it away or
// leaves it behind says so in a line.
func TestPositionIndex(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	index := filepath.Join(dir, "db.cbkit-positions")
	questions := [][]string{
		{"find", db, "--fen", "e4", "--format", "ids"}, {"find", db, "--fen", "e4", "--count"},
		{"find", db, "--fen", "1.e4 e5 2.Nf3", "--limit", "1", "--format", "ids"},
		{"find", db, "--fen", "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"}, {"find", db, "--fen", "e4", "--result", "1-0", "--sort", "-date"},
		{"find", db, "--fen", "e4", "--limit", "1"}, {"find", db, "--material", "KP+-K", "--count"}, {"find", db, "--pawns", "8/8/8/8/8/8/8/8"}, {"report", db, "e4"}, {"report", db, "e4", "--json"},
	}
	var without []result
	for _, args := range questions {
		without = append(without, mustRun(t, args...))
	}
	mustRun(t, "boosters", db, "--positions=12", "--structures").prints(t, "db.cbkit-positions: 4 records")
	for i, args := range questions {
		if r := mustRun(t, args...); r != without[i] {
			t.Errorf("cbkit %v: %+v, want %+v", args, r, without[i])
		}
	}
	mustRun(t, "find", db, "--fen", "e4", "--limit", "1").prints(t, "1 found; the rest was not searched")
	mustRun(t, "find", db, "--fen", "e4", "--count", "--explain").reports(t, "db.cbkit-positions", " 0 games played")
	mustRun(t, "info", db).prints(t, "index of positions", "db.cbkit-positions  valid")
	mustRun(t, "boosters", "--check", db).prints(t, "db.cbkit-positions valid")
	oneLine := func(r result, want string) {
		t.Helper()
		if strings.Count(r.errOut, "db.cbkit-positions") != 1 || !strings.Contains(r.errOut, want) {
			t.Errorf("%q lacks %q", r.errOut, want)
		}
	}
	oneLine(mustRun(t, "convert", db, filepath.Join(dir, "copy.cbh")), "stays behind")
	oneLine(mustRun(t, "pack", db, filepath.Join(dir, "copy.cbv")), "stays behind")
	oneLine(mustRun(t, "sort", db, filepath.Join(dir, "sorted.cbh"), "--by", "date"), "stays behind")
	for _, name := range []string{"copy", "sorted"} {
		if _, err := os.Stat(filepath.Join(dir, name+".cbkit-positions")); err == nil {
			t.Errorf("%s has an index", name)
		}
	}
	at := time.Now().Add(time.Hour)
	must.Do(t, os.Chtimes(db, at, at))
	for i, args := range questions {
		r := mustRun(t, args...)
		if r.out != without[i].out {
			t.Errorf("cbkit %v: %q, want %q", args, r.out, without[i].out)
		}
		oneLine(r, "is not used")
	}
	mustRun(t, "boosters", "-q", db, "--positions")
	mustRun(t, "import", "-q", "--append", filepath.Join(dir, "sample.pgn"), db)
	for _, more := range []string{"", "--no-boosters"} {
		args := []string{"find", db, "--fen", "e4", "--format", "ids", "-q"}
		if more != "" {
			args = append(args, more)
		}
		if r := mustRun(t, args...); r.out != "1\n2\n5\n6\n" || r.errOut != "" {
			t.Errorf("%v: %q, %s", args, r.out, r.errOut)
		}
	}
	must.Do(t, os.Chtimes(db, at, at))
	oneLine(mustRun(t, "edit", db, "--delete", "1", "--dry-run"), "is gone")
	oneLine(mustRun(t, "edit", db, "--delete", "1"), "is gone")
	if _, err := os.Stat(index); err == nil {
		t.Error("it is there")
	}
	for _, args := range [][]string{{"boosters", db, "--positions=0"}, {"boosters", db, "--positions=many"}, {"boosters", db, "--positions", "--check"}, {"boosters", db, "--structures", "--check"}} {
		if r := cbkit(t, "", args...); r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %v: %+v", args, r)
		}
	}
}

// A game that cannot be read is told once, with an index as without, whatever is reported.
func TestReportTellsDamageOnce(t *testing.T) {
	db := newDatabase(t)
	spoilMoves(t, db, 2)
	for _, where := range []string{"start", "e4", "h4"} {
		without := cbkit(t, "", "report", db, where)
		r := cbkit(t, "", "boosters", db, "--positions")
		if with := cbkit(t, "", "report", db, where); with != without || strings.Count(with.errOut, "record 2 at") != 1 {
			t.Errorf("report %s: %+v, want %+v\n%+v", where, with, without, r)
		}
		must.Do(t, os.Remove(strings.TrimSuffix(db, ".cbh")+".cbkit-positions"))
	}
}

// A database of ChessBase 17 has an index of its own beside that of the .cbh of its name,
// and each database uses its own.
func TestPositionIndexOfChessBase17(t *testing.T) {
	here(t)
	save(t, "new.pgn", "1. e4 e5 2. Nf3 Nc6 3. a3 *\n")
	for _, ext := range []string{".2cbh", ".2cbg", ".2cba", ".2lid", ".2lgd", ".2lcd"} {
		save(t, "Games"+strings.ToUpper(ext), string(corpus.Read(t, "2cbh/many"+ext)))
	}
	mustRun(t, "convert", "-q", "Games.2cbh", "Games.cbh")
	mustRun(t, "boosters", "-q", "Games.cbh", "--positions")
	own := content(t, "Games.cbkit-positions")
	var without []result
	questions := [][]string{
		{"find", "Games.2cbh", "--fen", "e4", "--format", "ids"}, {"find", "Games.2cbh", "--fen", "e4", "--count"}, {"find", "Games.2CBH", "--fen", "d4", "--limit", "2", "--format", "ids"},
		{"find", "Games.2cbh", "--fen", "start", "--player", "Player037"}, {"find", "Games.2cbh", "--fen", "start", "--player", "Playre037"}, {"find", "Games.2cbh", "--material", "KP+-K", "--count"},
		{"report", "Games.2cbh", "e4", "--json"}, {"report", "Games.2cbh", "start"}, {"tree", "new.pgn", "--novelties", "Games.2cbh"},
	}
	for _, args := range questions {
		without = append(without, mustRun(t, args...))
	}
	r := mustRun(t, "boosters", "Games.2cbh", "--positions", "--structures")
	if !strings.Contains(r.out, "Games.cbkit-positions2: 150 records") || content(t, "Games.cbkit-positions") != own {
		t.Errorf("%+v", r)
	}
	for i, args := range questions {
		if r := mustRun(t, args...); r != without[i] {
			t.Errorf("cbkit %v: %+v, want %+v", args, r, without[i])
		}
	}
	for command, want := range map[string]string{
		"find Games.2cbh --fen e4 --count --explain": " 0 games played", "find Games.cbh --fen e4 --count --explain": "100 records by Games.cbkit-positions,",
		"info Games.2cbh": "Games.cbkit-positions2  valid", "boosters --check Games.2cbh": "Games.cbkit-positions2 valid", "check Games.2cbh": "in 7 files: 0 errors, 0 notes",
	} {
		if r := mustRun(t, strings.Fields(command)...); !strings.Contains(r.out+r.errOut, want) {
			t.Errorf("%s: %+v", command, r)
		}
	}
	sound := content(t, "Games.cbkit-positions2")
	for what, stored := range map[string]string{"cut": sound[:len(sound)-1], "that of the .cbh": own} {
		save(t, "Games.cbkit-positions2", stored)
		for i, args := range questions[:3] {
			if r := mustRun(t, args...); r.out != without[i].out || strings.Count(r.errOut, "Games.cbkit-positions2") != 1 {
				t.Errorf("%s: cbkit %v: %+v", what, args, r)
			}
		}
	}
	save(t, "Games.cbkit-positions2.cbkit-edit-1", "what a stopped one leaves")
	mustRun(t, "boosters", "-q", "Games.2cbh", "--positions")
	if _, err := os.Stat("Games.cbkit-positions2.cbkit-edit-1"); err == nil {
		t.Error("a working file is left")
	}
	save(t, "Games.cbkit-positions2.cbkit-edit-2", "what a stopped one leaves")
	if r := mustRun(t, "recover", "Games.2cbh"); !strings.Contains(r.out+r.errOut, "cbkit-edit-2") {
		t.Errorf("%+v", r)
	}
	mustRun(t, "convert", "-q", "--force", "new.pgn", "Games.cbh")
	if content(t, "Games.cbkit-positions2") == "" {
		t.Error("another database has taken it")
	}
}
