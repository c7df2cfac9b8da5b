package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

func TestSalvageVerb(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	out := filepath.Join(dir, "out.cbh")
	if r := mustRun(t, "salvage", db, out); !strings.Contains(r.out, "kept  1-4 → 1-4\n") || !strings.Contains(r.out, "4 whole, 0 lost") {
		t.Errorf("of a sound database: %s", r.out)
	}
	mustRun(t, "diff", db, out)
	if r := cbkit(t, "", "salvage", db, out); r.status != exitFailed || !strings.Contains(r.errOut, "--force") {
		t.Errorf("onto what is there: %+v", r)
	}
	if r := cbkit(t, "", "salvage", db, db, "--force"); r.status != exitUsage || !strings.Contains(r.errOut, "is the source too") {
		t.Errorf("onto itself: %+v", r)
	}
	damageBytes(t, db, ".cbh", 2*46, make([]byte, 46)...)
	r := cbkit(t, "", "salvage", db, out, "--force")
	if r.status != exitFailed || !strings.Contains(r.out, "cut   2 → 2: the header in the .cbh file is lost") {
		t.Errorf("without a header: %+v", r)
	}
	mustRun(t, "check", out)
	if r := cbkit(t, "", "salvage", db, out, "--force", "--json"); !strings.Contains(r.out, `{"id":2,"new":2,"state":"cut","why":[`) {
		t.Errorf("as JSON: %s", r.out)
	}
	for _, ext := range []string{".cbh", ".cbj", ".cbp"} {
		must.Do(t, os.Remove(strings.TrimSuffix(db, ".cbh")+ext))
	}
	r = cbkit(t, "", "salvage", strings.TrimSuffix(db, ".cbh")+".cbg", out, "--force")
	if r.status != exitFailed || !strings.Contains(r.out, "4 records: 0 whole, 4 found that no header has, 0 lost") {
		t.Errorf("without headers: %+v", r)
	}
	mustRun(t, "check", out)
	if r := cbkit(t, "", "salvage", filepath.Join(dir, "sample.pgn"), out); r.status == exitDone {
		t.Errorf("of PGN: %+v", r)
	}
}

// A name that is missing in its file takes no other game its own, and is reported.
func TestSalvageTellsWhatIsOutOfStep(t *testing.T) {
	db := newDatabase(t)
	change(t, db, ".cbp", func(b []byte) []byte {
		h := must.Get(cbh.DecodeEntityHeader(b))(t)
		return slices.Delete(b, h.Size(), h.Size()+cbh.Players.RecordSize())
	})
	r := cbkit(t, "", "salvage", db, filepath.Join(filepath.Dir(db), "out.cbh"))
	told := strings.Join(strings.Fields(r.out), " ")
	if r.status != exitFailed || !strings.Contains(told, "note nothing proves whose records stand at 7 ids of the .cbp file, from 0 on") ||
		!strings.Contains(told, "white is lost: records of its file are out of step, and nothing proves which is that of player 0") {
		t.Errorf("%+v", r)
	}
}

// What ended alike is one line, however many they are, and the sum tells what is left
// of games.
func TestSalvageAccountsByRanges(t *testing.T) {
	dir := gen.Folder(t)
	pgn := filepath.Join(dir, "many.pgn")
	game := "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n\n"
	must.Do(t, os.WriteFile(pgn, []byte(strings.Repeat(game, 300)), 0o666))
	db := filepath.Join(dir, "many.cbh")
	mustRun(t, "import", "-q", pgn, db)
	change(t, db, ".cbg", func(b []byte) []byte { return b[:len(b)-(len(b)-26)/3+8] })
	r := cbkit(t, "", "salvage", db, filepath.Join(dir, "out.cbh"))
	const want = "kept  1-200 → 1-200\n" +
		"cut   202-300 → 202-300: 99 records: no moves were found\n"
	if r.status != exitFailed || !strings.HasPrefix(r.out, want[:21]) || !strings.Contains(r.out, want[21:]) ||
		!strings.Contains(strings.ReplaceAll(r.out, "\n", " "), "200 whole, 1 with a part of the moves, 99 with the header only, 0 lost") {
		t.Errorf("%+v", r)
	}
	for line := range strings.Lines(r.out) {
		if len([]rune(line)) > 81 && !strings.HasPrefix(line, dir) {
			t.Errorf("wider than a terminal: %s", line)
		}
	}
}

// A database with thousands of faults, each in other words, is accounted for in a few
// lines.
func TestSalvageAccountIsShort(t *testing.T) {
	a := fatePrinter{}
	for id := model.RecordID(1); id <= 3000; id++ {
		why := fmt.Sprintf("the moves break off after %d: illegal move b7c%d in 8/1p3k2/1np1r1pp/p3bp2/2P5/1P3BP1/P4P1P/2R1BK2 b - - 0 %[1]d", id, id%8+1)
		if id%3 == 0 {
			why = strings.Repeat("x", int(id)%100) + " is lost"
		}
		a.add(write.Salvaged{ID: id, New: id, State: write.SalvageCut, Why: []string{why}})
	}
	records := 0
	for _, g := range a.groups {
		records += g.records
	}
	if len(a.groups) != mostReasons || records != 3000 || a.groups[0].records != 2000 {
		t.Errorf("%d groups of %d records, the first of %d", len(a.groups), records, a.groups[0].records)
	}
}
