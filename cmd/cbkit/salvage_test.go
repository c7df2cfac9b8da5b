package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/cbh"
)

func TestSalvageVerb(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	out := filepath.Join(dir, "out.cbh")
	if r := mustRun(t, "salvage", db, out); !strings.Contains(r.out, "kept  1-4 → 1-4\n") || !strings.Contains(r.out, "4 kept, 0 cut, 0 lost") {
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
		if err := os.Remove(strings.TrimSuffix(db, ".cbh") + ext); err != nil {
			t.Fatal(err)
		}
	}
	r = cbkit(t, "", "salvage", strings.TrimSuffix(db, ".cbh")+".cbg", out, "--force")
	if r.status != exitFailed || !strings.Contains(r.out, "4 records of 0 ids: 0 kept, 0 cut, 0 lost, 4 found") {
		t.Errorf("without headers: %+v", r)
	}
	mustRun(t, "check", out)
	if r := cbkit(t, "", "salvage", filepath.Join(dir, "sample.pgn"), out); r.status == exitDone {
		t.Errorf("of PGN: %+v", r)
	}
}

// A name that is missing in its file takes no other game its own, and is told of.
func TestSalvageTellsWhatIsOutOfStep(t *testing.T) {
	db := newDatabase(t)
	change(t, db, ".cbp", func(b []byte) []byte {
		h, err := cbh.DecodeEntityHeader(b)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Delete(b, h.Size(), h.Size()+cbh.Players.RecordSize())
	})
	r := cbkit(t, "", "salvage", db, filepath.Join(filepath.Dir(db), "out.cbh"))
	if r.status != exitFailed || !strings.Contains(r.out, "note  the .cbp file lacks record 0: ") ||
		!strings.Contains(r.out, "white is lost: the record of player 0 is missing in its file") {
		t.Errorf("%+v", r)
	}
}
