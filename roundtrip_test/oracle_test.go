package roundtrip

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"

	"github.com/google/go-cmp/cmp"
)

// The oracle of what is written: drawn databases as JSON Lines, and the sums of all
// files that write.Create made of them and of real ones, before its ways of writing were
// made one. It judges what is changed there, and is written anew only where the bytes of
// a database change on purpose.
const (
	oracleFolder = "testdata/oracle"
	oracleSums   = oracleFolder + "/sums.txt"
)

// oracleGames are the drawn databases, which -update makes where they are missing.
func oracleGames(t *testing.T) []string {
	t.Helper()
	const drawn = 24
	list := make([]string, drawn)
	for seed := range list {
		list[seed] = fmt.Sprintf("%s/%02d.jsonl", oracleFolder, seed)
		if _, err := os.Stat(list[seed]); err == nil || !*update {
			continue
		}
		c := gen.Config{Leftovers: seed%2 == 0, NoHalfMoves: true, NameBytes: 30, TextBytes: 60, Plies: 30, Records: 3 + 5*(seed%3)}
		must.Do(t, cbkit.Save(t.Context(), list[seed], gen.Database(c).Example(seed), cbkit.SaveOptions{AcceptLosses: true}))
	}
	return list
}

// sumsOf makes a database with boosters of a source, and sums up its files.
func sumsOf(t *testing.T, name string, src model.Source) (lines []string) {
	t.Helper()
	dir := gen.Folder(t)
	sink, err := write.Create(t.Context(), filepath.Join(dir, "x.cbh"), write.Options{AcceptLosses: true, Fresh: true, Boosters: new(write.BoosterOptions),
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
	if err == nil {
		err = model.Copy(t.Context(), sink, src, model.CopyOptions{})
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	files := bytesIn(t, os.DirFS(dir))
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(file) != ".cbkit" { // the seal has change times
			lines = append(lines, fmt.Sprintf("%s %s %d %x", name, file, len(files[file]), sha256.Sum256(files[file])))
		}
	}
	return lines
}

// The same drawn databases give the same bytes as ever.
func TestSameBytesAsEver(t *testing.T) { asEver(t, oracleGames(t)) }

// The same real databases and games do.
func TestSameBytesOfTheCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("writes all real databases")
	}
	var sources []string
	for _, pattern := range []string{"cbh/*/*.cbh", "dc-sample/*.dci", "pgn/*.pgn"} {
		list := must.Get(filepath.Glob(filepath.Join(corpus.Path(t, "."), pattern)))(t)
		sources = append(sources, list...)
	}
	asEver(t, sources)
}

// asEver compares the sums of what is made of some sources with those that stand; a
// source that cannot be opened has none.
func asEver(t *testing.T, sources []string) {
	t.Helper()
	text, err := os.ReadFile(oracleSums)
	if err != nil && !*update {
		t.Fatal(err)
	}
	stand := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, " ")
		stand[name] = append(stand[name], strings.TrimSpace(line))
	}
	for _, path := range sources {
		src, err := cbkit.Open(path, cbkit.Options{KeepGoing: true})
		if err != nil {
			continue
		}
		name := strings.ReplaceAll(filepath.Base(path), " ", "_")
		got := sumsOf(t, name, src)
		if err := src.Close(); err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(stand[name], got); d != "" && !*update {
			t.Errorf("%s is not as ever: %s", name, d)
		}
		stand[name] = got
	}
	if len(stand) < len(sources)/2 {
		t.Errorf("%d of %d sources were written", len(stand), len(sources))
	}
	if *update {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(stand)) {
			b.WriteString(strings.Join(stand[name], "\n") + "\n")
		}
		must.Do(t, os.WriteFile(oracleSums, []byte(b.String()), 0o666))
	}
}
