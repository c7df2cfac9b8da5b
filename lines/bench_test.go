package lines_test

import (
	"testing"

	"cbkit/internal/testkit/bulk"
	"cbkit/lines"
	"cbkit/model"
)

// A game whose moves are there already takes no memory.
func TestAddAllocatesNothing(t *testing.T) {
	db := parse(t, "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4) 1-0\n")
	f := lines.NewForest(lines.Options{Ends: lines.AtEndFigures, Variations: true, LegalMoves: true})
	rec := &db.List[0]
	if n := testing.AllocsPerRun(100, func() {
		if err := f.Add(rec, db.Entities()); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkForest makes a tree of 10,000 games to ply 30.
func BenchmarkForest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		src := bulk.New(bulk.Options{Games: 10_000, Seed: 1})
		f := lines.NewForest(lines.Options{MaxPly: 30, LegalMoves: true})
		moves := 0
		for rec, err := range src.Records(ctx, 1, model.WantMoves) {
			if err == nil {
				err = f.Add(&rec, src.Entities())
			}
			if err != nil {
				b.Fatal(err)
			}
			moves += min(30, rec.Game.Moves.MainLen())
		}
		nodes := 0
		for _, tree := range f.Trees() {
			nodes += tree.Len()
		}
		b.ReportMetric(float64(moves), "plies/op")
		b.ReportMetric(float64(nodes), "nodes/op")
	}
}
