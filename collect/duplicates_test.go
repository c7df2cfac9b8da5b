package collect_test

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// With little memory the source is read in parts, and what is found is the same; every
// record is reported once.
func TestDuplicatesInParts(t *testing.T) {
	if testing.Short() {
		t.Skip("looks for thousands of duplicates five times")
	}
	db := load(t, twic(t))
	random := rand.New(rand.NewPCG(3, 4))
	for i := range len(db.List) / 2 {
		g := db.List[i].Game.Clone()
		for _, name := range []string{"cut", "round", "initial"} {
			if random.IntN(2) == 0 {
				spoilers[name](g, &db.Tables, random)
			}
		}
		if i%20 == 0 { // games of few moves, which are in all parts
			var line model.Tree
			for _, node := range g.Moves.Nodes()[:min(i/20%6, g.Moves.MainLen())] {
				line.Append(node.Move)
			}
			g.SetMoves(g.Start, line)
			g.SetAnnotations(nil)
			db.AddGame(g.Clone())
		}
		db.AddGame(g)
	}
	again := 0
	find := func(src model.Source, memory int) ([]collect.Duplicate, int) {
		told := 0
		list := must.Get(collect.Duplicates(ctx, src, collect.DuplicateOptions{Memory: memory, OnRecord: func(*model.Record) { told++ }}))(t)
		return list, told
	}
	want, told := find(db, 0)
	if len(want) < 2000 || told != len(db.List) {
		t.Fatalf("%d duplicates, %d records told", len(want), told)
	}
	for _, memory := range []int{70 * len(db.List) / 2, 70 * len(db.List) / 3, 20_000, 1} {
		if list, told := find(db, memory); !slices.Equal(list, want) || told != len(db.List) {
			t.Errorf("%d bytes: %d duplicates, %d with much; %d records told", memory, len(list), len(want), told)
		}
	}
	if list, _ := find(numbered{db, &again}, 0); !slices.Equal(list, want) {
		t.Errorf("%d duplicates where games may be read alone, else %d", len(list), len(want))
	}
	if again == 0 || again > len(db.List)*2/3 {
		t.Errorf("%d of %d records were read again", again, len(db.List))
	}
}

// numbered can read any of its records, and counts those.
type numbered struct {
	*model.Database
	again *int
}

func (n numbered) RecordsOf(_ context.Context, ids iter.Seq[model.RecordID], _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for id := range ids {
			if *n.again++; !yield(n.List[id-1], nil) {
				return
			}
		}
	}
}
