package search_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/search"
	"cbkit/write"
)

// A scan allocates nothing for a header that it looks at, and two small pieces at
// most for a game that it plays through.
func TestScanAllocations(t *testing.T) {
	few, many, runs := 2000, 10000, 2
	if testing.Short() {
		few, many, runs = 1000, 4000, 1
	}
	searchers := map[int]*search.Searcher{}
	for _, games := range []int{few, many} {
		path := filepath.Join(gen.Folder(t), fmt.Sprint(games, ".cbh"))
		sink := must.Get(write.Create(context.Background(), path, write.Options{}))(t)
		must.Do(t, model.Copy(t.Context(), sink, bulk.New(bulk.Options{Games: games}), model.CopyOptions{}))
		s := must.Get(search.Open(path, search.Options{Jobs: 1, NoBoosters: true}))(t)
		defer s.Close()
		searchers[games] = s
	}
	for question, most := range map[string]float64{
		"year:2100..2101": 0.01, "elo:3000..3100": 0.01, `fen:"8/8/8/8/8/8/8/K1k5 w - - 0 1"`: 2,
	} {
		condition := must.Get(search.Parse(question))(t)
		count := func(games int) float64 {
			return testing.AllocsPerRun(runs, func() {
				if found, err := searchers[games].Find(t.Context(), condition); err != nil || len(found.IDs) > 0 {
					t.Fatal(found.IDs, err)
				}
			})
		}
		if each := (count(many) - count(few)) / float64(many-few); each > most {
			t.Errorf("%s: %.3f allocations for a game, more than %v", question, each, most)
		}
	}
}
