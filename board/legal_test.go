package board_test

import (
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

func TestLegalMovesEqualNaive(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		slow := naive(p.Model())
		got, want := p.AppendLegal(nil), slow.moves()
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n got %v\nwant %v", p.FEN(), got, want)
		}
		if p.HasLegalMove() != (len(want) > 0) {
			t.Fatalf("%s: HasLegalMove %v, %d legal moves", p.FEN(), p.HasLegalMove(), len(want))
		}
		check := slow.inCheck(slow.Turn)
		if p.InCheck() != check || p.IsCheckmate() != (check && len(want) == 0) ||
			p.IsStalemate() != (!check && len(want) == 0) {
			t.Fatalf("%s: check %v, mate %v, stalemate %v; naive: check %v, %d moves",
				p.FEN(), p.InCheck(), p.IsCheckmate(), p.IsStalemate(), check, len(want))
		}
	})
}

// A random game from every Chess960 starting position.
func TestChess960GamesEqualNaive(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 20
	}
	positions := 0
	for n := 0; n < 960; n += step {
		m := board.Chess960Start(n)
		play(open(t, &m), uint64(n), 50, func(p *board.Position) {
			slow := naive(p.Model())
			got, want := p.AppendLegal(nil), slow.moves()
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s\n got %v\nwant %v", p.FEN(), got, want)
			}
			positions++
		})
	}
	t.Logf("%d positions", positions)
}

func TestMakeEqualsNaive(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		m := p.Model()
		m.HalfMoves, m.FullMove = m.HalfMoves/2, m.FullMove/2
		p = open(t, &m)
		slow := naive(p.Model())
		for _, m := range p.AppendLegal(nil) {
			u := p.Make(m)
			if got, want := p.Model(), model.Position(slow.play(m)); got != want {
				t.Fatalf("%v: got %s\nwant %s", m, board.FormatFEN(&got), board.FormatFEN(&want))
			}
			p.Unmake(m, u)
		}
	})
}

func TestAttackedEqualsNaive(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		slow := naive(p.Model())
		for s := model.A1; s <= model.H8; s++ {
			for c := model.White; c <= model.Black; c++ {
				if got, want := p.Attacked(s, c), slow.attacked(s, c); got != want {
					t.Fatalf("%s: %v attacked by %v: %v, want %v", p.FEN(), s, c, got, want)
				}
			}
		}
	})
}

// Legal must say yes to exactly the moves that AppendLegal lists, and to the
// null move out of check.
func TestLegalOfAllMoves(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		if p.FullMove()%16 != 0 {
			return
		}
		legal := map[model.Move]bool{model.NullMove: !p.InCheck()}
		for _, m := range p.AppendLegal(nil) {
			if legal[m] {
				t.Fatalf("%s: %v is listed twice", p.FEN(), m)
			}
			legal[m] = true
		}
		for code := range 1 << 16 {
			m := model.Move(code)
			if p.LegalLoose(m) {
				made, other := p, p
				san, undo := made.AppendMade(nil, m)
				if string(san) != p.SAN(m) || undo != other.Make(m) || made != other {
					t.Fatalf("%s: %v is %q, then %s; want %q, %s", p.FEN(), m, san, made.FEN(), p.SAN(m), other.FEN())
				}
			}
			if p.Legal(m) != legal[m] {
				t.Fatalf("%s: Legal(%#04x %v) = %v, listed %v", p.FEN(), code, m, p.Legal(m), legal[m])
			}
			if legal[m] && !p.LegalLoose(m) {
				t.Fatalf("%s: %v is legal, but not loosely", p.FEN(), m)
			}
			if p.LegalLoose(m) && m.Promotion() != model.NoPieceType && (m.IsCastling() || !legal[m]) {
				t.Fatalf("%s: %#04x is loosely legal", p.FEN(), code)
			}
			if p.LegalLoose(m) && !legal[m] && m != model.NullMove && !m.IsCastling() {
				t.Fatalf("%s: %v is loosely legal", p.FEN(), m)
			}
		}
	})
}

func TestLegalNullMove(t *testing.T) {
	free := mustNew(t, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	inCheck := mustNew(t, "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1")
	if !free.Legal(model.NullMove) || !free.LegalLoose(model.NullMove) {
		t.Error("a null move out of check is refused")
	}
	if inCheck.Legal(model.NullMove) || !inCheck.LegalLoose(model.NullMove) {
		t.Error("a null move in check must be legal only loosely")
	}
}

func TestCastlingWithoutRight(t *testing.T) {
	short, long := model.NewCastling(model.E1, model.H1), model.NewCastling(model.E1, model.A1)
	cases := []struct {
		fen         string
		m           model.Move
		legal, lose bool
	}{
		{"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", short, false, true},
		{"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", long, false, true},
		{"4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", long, true, true},
		{"4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", short, false, true},
		{"4k3/8/8/8/8/8/8/R3K1NR w - - 0 1", short, false, false},
		{"4k3/8/8/8/8/8/8/R2K3R w - - 0 1", model.NewCastling(model.D1, model.H1), false, false},
		{"4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", model.NewCastling(model.E1, model.G1), false, false},
		{"4kr2/8/8/8/8/8/8/R3K2R w - - 0 1", short, false, false},
		{"4k3/8/8/8/8/8/8/R3K2R b - - 0 1", short, false, false},
		{"4k3/8/8/8/R3K2R/8/8/8 w - - 0 1", model.NewCastling(model.E4, model.H4), false, false},
		{"4k3/8/8/8/8/8/8/R3K2r w - - 0 1", short, false, false},
		{"4k3/8/8/8/8/8/7R/4K3 w - - 0 1", model.NewCastling(model.E1, model.H2), false, false},
		// b1 may be attacked, d1 not.
		{"1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", long, true, true},
		{"3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", long, false, false},
	}
	for _, c := range cases {
		p := mustNew(t, c.fen)
		if p.Legal(c.m) != c.legal || p.LegalLoose(c.m) != c.lose {
			t.Errorf("%s: %v legal %v, loosely %v; want %v, %v",
				c.fen, c.m, p.Legal(c.m), p.LegalLoose(c.m), c.legal, c.lose)
		}
	}
}

func TestChess960Castling(t *testing.T) {
	cases := []struct {
		name, fen string
		m         model.Move
		legal     bool
		after     string
	}{
		{"the king stays", "4k3/8/8/8/8/8/8/6KR w H - 0 1",
			model.NewCastling(model.G1, model.H1), true, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"the rook stays", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1",
			model.NewCastling(model.E1, model.F1), true, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"they change places", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
			model.NewCastling(model.F1, model.G1), true, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"the king walks past the rook", "4k3/8/8/8/8/8/8/1K1R4 w D - 0 1",
			model.NewCastling(model.B1, model.D1), true, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"the king walks to the left", "4k3/8/8/8/8/8/8/R5K1 w A - 0 1",
			model.NewCastling(model.G1, model.A1), true, "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"},
		{"the rook was a shield", "4k3/8/8/8/8/8/8/qRK5 w B - 0 1",
			model.NewCastling(model.C1, model.B1), false, ""},
		{"an attacked rook does not matter", "1r2k3/8/8/8/8/8/8/1RK5 w B - 0 1",
			model.NewCastling(model.C1, model.B1), true, "1r2k3/8/8/8/8/8/8/2KR4 b - - 1 1"},
		{"a piece on the rook's way", "4k3/8/8/8/8/8/8/RN3K2 w A - 0 1",
			model.NewCastling(model.F1, model.A1), false, ""},
		{"the way is attacked", "4k3/8/8/8/8/4r3/8/1K1R4 w D - 0 1",
			model.NewCastling(model.B1, model.D1), false, ""},
	}
	for _, c := range cases {
		p := mustNew(t, c.fen)
		if !p.Chess960() {
			t.Errorf("%s: %s is not Chess960", c.name, c.fen)
		}
		if p.Legal(c.m) != c.legal {
			t.Errorf("%s: legal %v, want %v", c.name, p.Legal(c.m), c.legal)
		}
		if !c.legal {
			continue
		}
		u := p.Make(c.m)
		if got := p.FEN(); got != c.after {
			t.Errorf("%s: got %s, want %s", c.name, got, c.after)
		}
		p.Unmake(c.m, u)
		if p != mustNew(t, c.fen) {
			t.Errorf("%s: not taken back", c.name)
		}
	}
}

// The rook stands on h1, the king on g1, f1 is attacked and all else is stuck.
func TestCastlingAsOnlyMove(t *testing.T) {
	p := mustNew(t, "k5r1/8/b7/8/8/5p1p/5PBP/6KR w H - 0 1")
	want := []model.Move{model.NewCastling(model.G1, model.H1)}
	if got := p.AppendLegal(nil); !slices.Equal(got, want) || !p.HasLegalMove() || p.IsStalemate() {
		t.Errorf("legal moves %v, HasLegalMove %v", got, p.HasLegalMove())
	}
}

func TestHasLegalMove(t *testing.T) {
	cases := []struct {
		only, fen string
		want      bool
	}{
		{"king", "7k/8/8/8/8/8/8/K7 w - - 0 1", true},
		{"pawn", "8/8/8/8/8/1k4p1/P5P1/K7 w - - 0 1", true},
		{"knight", "8/8/8/8/8/1k6/p6N/K7 w - - 0 1", true},
		{"bishop", "8/8/8/8/8/1k6/p6B/K7 w - - 0 1", true},
		{"rook", "8/8/8/8/8/1k6/p6R/K7 w - - 0 1", true},
		{"queen", "8/8/8/8/8/1k6/p6Q/K7 w - - 0 1", true},
		{"pinned rook", "1r5k/8/8/8/r7/8/R7/K7 w - - 0 1", true},
		{"pinned bishop", "1r5k/8/8/8/r7/8/B7/K7 w - - 0 1", false},
		{"en passant", "8/2r5/8/8/Q4Pp1/3k2R1/6R1/5K2 b - f3 0 1", true},
		{"nothing: stalemate", "8/8/8/8/8/1k6/p7/K7 w - - 0 1", false},
		{"nothing: mate", "8/8/8/8/8/1k6/8/K2r4 w - - 0 1", false},
		{"nothing: double check", "8/8/8/8/8/8/5PPR/3n1bkK w - - 0 1", false},
	}
	for _, c := range cases {
		p := mustNew(t, c.fen)
		slow := naive(p.Model())
		if want := len(slow.moves()) > 0; want != c.want {
			t.Errorf("%s: %s does not show it", c.only, c.fen)
		}
		if p.HasLegalMove() != c.want {
			t.Errorf("%s: %v", c.only, p.HasLegalMove())
		}
	}
}

func TestEnPassant(t *testing.T) {
	cases := []struct {
		name, fen       string
		attacked, legal bool
	}{
		{"free", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true, true},
		{"black", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true, true},
		{"nobody beside", "4k3/8/8/3p4/8/8/4P3/4K3 w - d6 0 1", false, false},
		{"beyond the edge", "4k3/8/7P/p7/8/8/8/4K3 w - a6 0 1", false, false},
		{"pinned on the rank", "4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1", true, false},
		{"pinned on the file", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true, false},
		{"no pawn where the file says", "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", false, false},
		{"target occupied", "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", false, false},
		{"in check by the pawn", "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", true, true},
		{"in check by another", "4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1", true, false},
	}
	for _, c := range cases {
		p := mustNew(t, c.fen)
		if p.EnPassantAttacked() != c.attacked || p.EnPassantLegal() != c.legal {
			t.Errorf("%s: attacked %v, legal %v; want %v, %v", c.name,
				p.EnPassantAttacked(), p.EnPassantLegal(), c.attacked, c.legal)
		}
	}
}
