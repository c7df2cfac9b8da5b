package bulk

import (
	"context"
	"math/bits"
	"testing"

	"cbkit/board"
	"cbkit/internal/marks"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

func load(t *testing.T, opt Options) *model.Database {
	t.Helper()
	return must.Get(model.Load(t.Context(), New(opt)))(t)
}

// The same options give the same games, another seed others; all of their
// moves are legal, and names, openings and annotations have their shapes.
func TestSource(t *testing.T) {
	opt := Options{Games: 3000, Seed: 7, Annotated: 20}
	db := load(t, opt)
	if !model.Equal(db, load(t, opt)) {
		t.Fatal("not the same games again")
	}
	opt.Seed = 8
	if model.Equal(db, load(t, opt)) {
		t.Error("another seed makes the same games")
	}
	if n := db.Entities().Players.Len(); n < 700 || n > 1600 {
		t.Errorf("%d players in 3,000 games", n)
	}
	annotated, mates, endings, early := 0, 0, 0, map[model.Position]int{}
	var e4, sicilian int
	for rec := range db.Records(context.Background(), 1, model.WantAll) {
		g := rec.Game
		if len(g.Annotations) > 0 {
			annotated++
		}
		if g.Moves.MainLen() > 1 && g.Moves.Move(0) == shares[0].moves[0] {
			e4++
			if g.Moves.Move(1) == shares[2].moves[1] {
				sicilian++
			}
		}
		pos := board.Start()
		for i := range g.Moves.MainLen() {
			if m := g.Moves.Move(i); !pos.Legal(m) {
				t.Fatalf("game %d: move %d is not legal", rec.ID, i)
			} else if pos.Make(m); i == 3 {
				early[pos.Model()]++
			}
		}
		if bits.OnesCount64(pos.Occupied()) <= 12 {
			endings++
		}
		if pos.IsCheckmate() {
			mates++
			if g.Result != winner(pos.Turn() == model.Black) {
				t.Errorf("game %d: mate, and the result is %v", rec.ID, g.Result)
			}
		}
		for n := range g.Moves.Len() {
			if _, err := board.After(nil, &g.Moves, n); err != nil {
				t.Fatalf("game %d: %v", rec.ID, err)
			}
		}
	}
	if annotated < 100 || annotated > 220 {
		t.Errorf("%d games of 3,000 have annotations, not about 150", annotated)
	}
	if e4 < 1300 || e4 > 1570 || sicilian < 530 || sicilian > 670 {
		t.Errorf("%d games of 3,000 begin with 1.e4, %d with 1.e4 c5, not 478 and 200 of a thousand", e4, sicilian)
	}
	if mates < 30 || endings < 100 {
		t.Errorf("%d mates and %d endings in 3,000 games", mates, endings)
	}
	if most := maxOf(early); len(early) > 2500 || most < 30 {
		t.Errorf("%d positions after four plies, the commonest %d times", len(early), most)
	}
}

// One game in so many has evaluations and clocks.
func TestServed(t *testing.T) {
	served, clocks := 0, 0
	for rec := range load(t, Options{Games: 300, Served: 3}).Records(t.Context(), 1, model.WantAll) {
		if len(rec.Game.Annotations) == rec.Game.Moves.MainLen() {
			served++
		}
		for i := range rec.Game.Annotations {
			for said := range marks.All(rec.Game.Annotations[i].Value, model.White) {
				if said.Kind == model.KindClock {
					clocks++
				}
			}
		}
	}
	if served < 70 || served > 130 || clocks < 30*served {
		t.Errorf("%d games of 300 are served, with %d clocks", served, clocks)
	}
}

func maxOf(counts map[model.Position]int) (most int) {
	for _, n := range counts {
		most = max(most, n)
	}
	return most
}

// No two ranks have one name.
func TestNames(t *testing.T) {
	seen := map[model.Player]uint64{}
	for rank := range uint64(400000) {
		p := nameOf(rank)
		if other, twice := seen[p]; twice {
			t.Fatalf("%v is rank %d and %d", p, other, rank)
		}
		seen[p] = rank
	}
}

func TestReadOnce(t *testing.T) {
	src := New(Options{Games: 1})
	for range src.Records(t.Context(), 1, model.WantAll) {
	}
	for _, err := range src.Records(t.Context(), 1, model.WantAll) {
		if err == nil {
			t.Error("read twice")
		}
	}
}

func BenchmarkSource(b *testing.B) {
	src := New(Options{Games: b.N, Annotated: 30})
	for _, err := range src.Records(b.Context(), 1, model.WantAll) {
		if err != nil {
			b.Fatal(err)
		}
	}
}
