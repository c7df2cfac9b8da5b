package board

import (
	"math/rand/v2"
	"testing"

	"cbkit/model"
)

// slide walks square by square up to the first blocker.
func slide(s model.Square, occupied uint64, steps []step) uint64 {
	var seen uint64
	for _, d := range steps {
		for t := d.from(s); t != model.NoSquare; t = d.from(t) {
			seen |= 1 << t
			if occupied>>t&1 != 0 {
				break
			}
		}
	}
	return seen
}

func TestSliders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for s := model.A1; s <= model.H8; s++ {
		for i := range 2000 {
			occupied := r.Uint64()
			for range i % 4 {
				occupied &= r.Uint64()
			}
			if got, want := rookAttacks(s, occupied), slide(s, occupied, straight); got != want {
				t.Fatalf("rook on %v, occupied %#x: %#x, want %#x", s, occupied, got, want)
			}
			if got, want := bishopAttacks(s, occupied), slide(s, occupied, oblique); got != want {
				t.Fatalf("bishop on %v, occupied %#x: %#x, want %#x", s, occupied, got, want)
			}
		}
	}
}

func TestBetween(t *testing.T) {
	cases := []struct {
		from, to model.Square
		want     []model.Square
	}{
		{model.A1, model.A1, nil},
		{model.A1, model.A2, nil},
		{model.A1, model.B3, nil},
		{model.A1, model.D4, []model.Square{model.B2, model.C3}},
		{model.H1, model.H4, []model.Square{model.H2, model.H3}},
		{model.F3, model.C6, []model.Square{model.E4, model.D5}},
		{model.B8, model.E8, []model.Square{model.C8, model.D8}},
	}
	for _, c := range cases {
		var want uint64
		for _, s := range c.want {
			want |= 1 << s
		}
		if between[c.from][c.to] != want || between[c.to][c.from] != want {
			t.Errorf("between %v and %v: %#x and %#x, want %#x", c.from, c.to,
				between[c.from][c.to], between[c.to][c.from], want)
		}
	}
}

func BenchmarkSliders(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var occupied [1024]uint64
	for i := range occupied {
		occupied[i] = r.Uint64() & r.Uint64()
	}
	var sum uint64
	for b.Loop() {
		for i, o := range occupied {
			sum += rookAttacks(model.Square(i&63), o) + bishopAttacks(model.Square(i>>4&63), o)
		}
	}
	if sum == 1 {
		b.Fatal("no attacks")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2048, "ns/lookup")
}
