//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// A part that is killed at any moment leaves the old files or the new ones once it is
// recovered, and other parts as they were.
func TestKilledPart(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many processes")
	}
	dir := gen.Folder(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, s := range []struct {
		folder, word string
	}{{"old", "Old "}, {"new", "New "}} {
		must.Do(t, os.Mkdir(at(s.folder), 0o777))
		save(t, at(s.folder+"/db.pgn"), manyGames(s.word, 200))
		mustRun(t, "import", "-q", at(s.folder+"/db.pgn"), at(s.folder+"/db.cbh"))
	}
	export := func(folder, to string, part int) []string {
		return []string{"export", at(folder + "/db.cbh"), at(to), "--format", "parquet", "--tables", "games,positions", "--part", fmt.Sprintf("%d/2", part)}
	}
	pattern := func(folder, table string, part int) string {
		return filepath.Join(at(folder), table, fmt.Sprintf("db.%d-of-2.*.parquet", part))
	}
	mustRun(t, append(export("old", "out", 1), "-q")...)
	mustRun(t, append(export("old", "out", 2), "-q")...)
	begun := time.Now()
	cmd, errOut := program(export("new", "complete", 1))
	if err := cmd.Run(); err != nil {
		t.Fatal(err, errOut)
	}
	longest := time.Since(begun)
	tables := []string{"games", "positions"}
	was, is, other := map[string][]string{}, map[string][]string{}, map[string][]string{}
	for _, table := range tables {
		was[table], other[table] = rowsIn(t, pattern("out", table, 1)), rowsIn(t, pattern("out", table, 2))
		is[table] = rowsIn(t, pattern("complete", table, 1))
	}
	random := rand.New(rand.NewPCG(1, 0))
	killed := 0
	for n := 0; n < 60 && killed < 4; n++ {
		cmd, _ := program(export("new", "out", 1))
		must.Do(t, cmd.Start())
		time.Sleep(time.Duration(random.Int64N(int64(longest) * 3 / 4)))
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		mustRun(t, "recover", at("out"))
		for _, table := range tables {
			if got := rowsIn(t, pattern("out", table, 1)); len(got) > 0 && got[0] == was[table][0] {
				sameRows(t, "the old part", was[table], got)
			} else {
				sameRows(t, "the new part", is[table], got)
			}
			sameRows(t, "the other part", other[table], rowsIn(t, pattern("out", table, 2)))
		}
	}
	if killed < 4 {
		t.Errorf("killed %d times only", killed)
	}
	mustRun(t, append(export("new", "out", 1), "-q")...)
	for _, table := range tables {
		sameRows(t, "after all", is[table], rowsIn(t, pattern("out", table, 1)))
	}
}
