package search_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/search"
)

// Whatever a file of a database holds, a search ends, with an error or with an
// answer in order.
func FuzzFind(f *testing.F) {
	path := filepath.Join(f.TempDir(), "games.cbh")
	writeExample(path)
	sound := map[string][]byte{}
	entries := must.Get(os.ReadDir(filepath.Dir(path)))(f)
	for _, e := range entries {
		sound[e.Name()] = must.Get(os.ReadFile(filepath.Join(filepath.Dir(path), e.Name())))(f)
	}
	names := slices.Sorted(maps.Keys(sound))
	queries := []string{
		"player:c*", "tournament:*", "team:*", "title:?", "year:1900..", "eco:A..E", "moves:..3", "has:variations",
		"piece:Qh5", "material:KQ-KQ", `fen:"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"`,
	}
	for i, name := range names {
		f.Add(uint8(i), uint8(i), sound[name][:min(len(sound[name]), 2048)])
	}
	f.Fuzz(func(t *testing.T, which, query uint8, content []byte) {
		name := filepath.Join(filepath.Dir(path), names[int(which)%len(names)])
		put(t, name, content)
		defer put(t, name, sound[filepath.Base(name)])
		condition := must.Get(search.Parse(queries[int(query)%len(queries)]))(t)
		for _, without := range []bool{false, true} {
			s, err := search.Open(path, search.Options{Jobs: 1, NoBoosters: without})
			if err != nil {
				continue
			}
			result, err := s.Find(context.Background(), condition)
			if err == nil && !slices.IsSorted(result.IDs) {
				t.Errorf("found %v", result.IDs)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func put(t *testing.T, name string, content []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(name, content, 0o644))
}
