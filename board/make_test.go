package board_test

import (
	"math/rand/v2"
	"testing"

	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

// checkIntact reports whether all parts of a position tell the same: it must
// be what New makes of its data.
func checkIntact(t rapid.TB, p *board.Position) {
	t.Helper()
	m := p.Model()
	again, err := board.New(&m)
	if err != nil {
		t.Fatalf("%s: %v", p.FEN(), err)
	}
	if again != *p {
		t.Fatalf("%s: the parts of the position differ\n got %+v\nwant %+v", p.FEN(), *p, again)
	}
}

// Any 16 bits are a move that can be made and taken back.
func TestMakeAnythingAndUnmake(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		for range 30 {
			m := model.Move(rapid.Uint16().Draw(t, "any move"))
			before := p
			u := p.Make(m)
			checkIntact(t, &p)
			if p.Turn() == before.Turn() {
				t.Fatalf("%v in %s does not pass the turn", m, before.FEN())
			}
			p.Unmake(m, u)
			if p != before {
				t.Fatalf("%v: before %s\nafter %s", m, before.FEN(), p.FEN())
			}
		}
	})
}

// A line of moves, legal and not, is taken back to where it started.
func TestUnmakeLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := drawStart(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		if r.IntN(2) == 0 {
			start = setup(r.IntN)
		}
		p := open(t, &start)
		var moves []model.Move
		var undos []board.Undo
		var want []board.Position
		for range 120 {
			m := model.Move(r.IntN(1 << 16))
			if legal := p.AppendLegal(nil); len(legal) > 0 && r.IntN(10) > 0 {
				m = legal[r.IntN(len(legal))]
			}
			want = append(want, p)
			moves = append(moves, m)
			undos = append(undos, p.Make(m))
			checkIntact(t, &p)
		}
		for i := len(moves) - 1; i >= 0; i-- {
			p.Unmake(moves[i], undos[i])
			if p != want[i] {
				t.Fatalf("ply %d, %v: %s, want %s", i, moves[i], p.FEN(), want[i].FEN())
			}
		}
	})
}

func TestMake(t *testing.T) {
	cases := []struct {
		name, fen string
		m         model.Move
		after     string
	}{
		{"quiet", "4k3/8/8/8/8/8/8/4KN2 w - - 3 9", model.NewMove(model.F1, model.E3),
			"4k3/8/8/8/8/4N3/8/4K3 b - - 4 9"},
		{"two steps", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", model.NewMove(model.E2, model.E4),
			"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 9"},
		{"capture", "4k3/8/8/8/8/4p3/8/4KN2 w - - 3 9", model.NewMove(model.F1, model.E3),
			"4k3/8/8/8/8/4N3/8/4K3 b - - 0 9"},
		{"black counts", "4k3/8/8/8/8/8/8/4K3 b - - 3 9", model.NewMove(model.E8, model.D8),
			"3k4/8/8/8/8/8/8/4K3 w - - 4 10"},
		{"null", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", model.NullMove,
			"4k3/8/8/3pP3/8/8/8/4K3 b - - 1 9"},
		{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", model.NewMove(model.E5, model.D6),
			"4k3/8/3P4/8/8/8/8/4K3 b - - 0 9"},
		{"promotion with capture", "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 9",
			model.NewPromotion(model.E7, model.D8, model.Knight), "3Nk3/8/8/8/8/8/8/4K3 b - - 0 9"},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 9", model.NewCastling(model.E8, model.A8),
			"2kr3r/8/8/8/8/8/8/R3K2R w KQ - 6 10"},
		{"castling without the right", "4k3/8/8/8/8/8/8/4K2R w - - 0 9", model.NewCastling(model.E1, model.H1),
			"4k3/8/8/8/8/8/8/5RK1 b - - 1 9"},
		{"a rook is captured", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", model.NewMove(model.H1, model.H8),
			"r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 9"},
		{"castling over a piece", "4k3/8/8/8/8/8/8/4KB1R w K - 0 9", model.NewCastling(model.E1, model.H1),
			"4k3/8/8/8/8/8/8/4KB1R b K - 1 9"},
		{"castling with a rook elsewhere", "4k3/8/8/8/8/8/7R/4K3 w - - 0 9", model.NewCastling(model.E1, model.H2),
			"4k3/8/8/8/8/8/7R/4K3 b - - 1 9"},
		{"an empty square", "4k3/8/8/8/8/8/8/4K3 w - - 0 9", model.NewMove(model.D4, model.D5),
			"4k3/8/8/8/8/8/8/4K3 b - - 1 9"},
		{"the counters stop", "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535", model.NewMove(model.E8, model.D8),
			"3k4/8/8/8/8/8/8/4K3 w - - 65535 65535"},
	}
	for _, c := range cases {
		p := mustNew(t, c.fen)
		u := p.Make(c.m)
		if got := p.FEN(); got != c.after {
			t.Errorf("%s: got %s, want %s", c.name, got, c.after)
		}
		p.Unmake(c.m, u)
		if got := p.FEN(); got != c.fen {
			t.Errorf("%s: unmade %s, want %s", c.name, got, c.fen)
		}
	}
}

func TestMakeDoesNotAllocate(t *testing.T) {
	p := mustNew(t, kiwipete)
	var buf [256]model.Move
	var san [16]byte
	got := testing.AllocsPerRun(10, func() {
		for _, m := range p.AppendLegal(buf[:0]) {
			text := p.AppendSAN(san[:0], m)
			if back, err := p.ParseSANBytes(text); back != m || err != nil {
				t.Fatal(m, back, err)
			}
			p.Unmake(m, p.Make(m))
		}
	})
	if got != 0 {
		t.Errorf("%v allocations", got)
	}
}
