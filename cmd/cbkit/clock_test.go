package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// madeWithClock makes everything that the program makes, and returns all bytes.
func madeWithClock(t *testing.T, games string) map[string][]byte {
	t.Helper()
	dir := gen.Folder(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"import", "-q", "--boosters", "--no-seal", games, at("a.cbh")},
		{"import", "-q", games, at("edited.cbh")},
		{"edit", "-q", "--append", games, "--set", "1.white=Somebody, Else", at("edited.cbh")},
		{"boosters", "-q", "--no-seal", at("edited.cbh")},
		{"compact", "-q", at("edited.cbh")},
		{"convert", "-q", at("a.cbh"), at("b.dci")},
		{"convert", "-q", games, at("c.pgn.gz")},
		{"convert", "-q", games, at("d.jsonl.zst")},
		{"export", "-q", games, at("e.parquet")},
		{"convert", "-q", games, at("f.cbv")},
		{"pack", "-q", at("a.cbh"), at("g.cbv")},
		{"book", "build", "-q", games, at("h.ctg")},
		{"convert", "-q", "--fresh", "--boosters", "--no-seal", at("a.cbh"), at("i.cbh")},
		{"import", "-q", "--boosters", games, at("k.cbh")},
		{"boosters", "-q", "--no-seal", at("k.cbh")},
		{"salvage", "-q", at("a.cbh"), at("j.cbh")},
	} {
		mustRun(t, args...)
	}
	made := map[string][]byte{}
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		made[e.Name()] = must.Get(os.ReadFile(at(e.Name())))(t)
	}
	return made
}

// With SOURCE_DATE_EPOCH the same input gives the same bytes, in all files of all
// formats; boosters are among them, and no seal. Without it stamps are those of the
// machine.
func TestSourceDateEpoch(t *testing.T) {
	if testing.Short() {
		t.Skip("makes everything three times")
	}
	games := must.Get(filepath.Abs("sample.pgn"))(t)
	t.Setenv(epochVariable, "1700000000")
	first := madeWithClock(t, games)
	time.Sleep(1100 * time.Millisecond) // stamps count seconds, or less
	again := madeWithClock(t, games)
	for name, content := range first {
		if !bytes.Equal(content, again[name]) {
			t.Errorf("%s differs", name)
		}
		if filepath.Ext(name) == ".cbkit" {
			t.Errorf("%s is a seal", name)
		}
	}
	if len(first) < 60 || len(again) != len(first) || first["a.cbb"] == nil || first["a.cbgi"] == nil {
		t.Errorf("%v", slices.Sorted(maps.Keys(first)))
	}
	t.Setenv(epochVariable, "")
	if other := madeWithClock(t, games); bytes.Equal(other["a.cbj"], first["a.cbj"]) {
		t.Error("without the variable the stamps are the same")
	}
	t.Setenv(epochVariable, "yesterday")
	if r := cbkit(t, "", "version"); r.status != exitUsage {
		t.Errorf("a clock that is none: %+v", r)
	}
}
