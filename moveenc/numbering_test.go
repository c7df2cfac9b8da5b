package moveenc

import (
	"testing"

	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

// open returns the position of a FEN and its numbering.
func open(t rapid.TB, fen string, reverse bool) (p board.Position, n numbering) {
	t.Helper()
	m, err := board.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = board.New(&m); err != nil {
		t.Fatal(err)
	}
	n.count(&p, reverse)
	return p, n
}

// checkNumbers compares the numbers of White's pieces, given by square.
func checkNumbers(t *testing.T, n *numbering, want map[string]uint8) {
	t.Helper()
	for name, slot := range want {
		s, ok := model.ParseSquare(name)
		if !ok {
			t.Fatal(name)
		}
		if n.slot[s] != slot {
			t.Errorf("%s has slot %d, want %d", name, n.slot[s], slot)
		}
		if slot < numSlots && n.square[model.White][slot] != s {
			t.Errorf("slot %d is on %v, want %s", slot, n.square[model.White][slot], name)
		}
	}
}

func TestStandardNumbers(t *testing.T) {
	_, n := open(t, board.FormatFEN(new(model.StartPosition())), false)
	if n != standardNumbers[0] {
		t.Error("not the numbers of a scan")
	}
	checkNumbers(t, &n, map[string]uint8{"a1": rookSlot, "h1": rookSlot + 1, "b1": knightSlot, "g1": knightSlot + 1,
		"c1": bishopSlot, "f1": bishopSlot + 1, "d1": queenSlot, "e1": kingSlot, "a2": pawnSlot, "h2": pawnSlot + 7})
	checkNumbers(t, &standardNumbers[1], map[string]uint8{"a1": rookSlot + 1, "h1": rookSlot, "g1": knightSlot,
		"f1": bishopSlot, "a2": pawnSlot + 7, "h2": pawnSlot})
}

// The reverse modes scan from h8 down to a1.
func TestReverseNumbers(t *testing.T) {
	_, n := open(t, "4k3/8/8/Q6Q/8/8/8/Q3K2Q w - - 0 1", true)
	checkNumbers(t, &n, map[string]uint8{"h5": queenSlot, "h1": queenSlot + 1, "a5": queenSlot + 2, "a1": unnumbered})
}

// A pawn captured en passant gives up its number, not the square it left.
func TestEnPassantNumbers(t *testing.T) {
	p, n := open(t, "4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", false)
	n.play(&p, model.NewMove(model.E4, model.F3))
	if n.square[model.White][pawnSlot] != model.NoSquare || n.slot[model.F4] != unnumbered {
		t.Errorf("White's pawn is still on %v", n.square[model.White][pawnSlot])
	}
	if n.slot[model.F3] != pawnSlot || n.square[model.Black][pawnSlot] != model.F3 {
		t.Errorf("Black's pawn is on %v", n.square[model.Black][pawnSlot])
	}
}

// Squares are scanned file by file; the fourth queen has no number, and gets
// none when a number falls free. A promoted piece takes it.
func TestNumbersFollowCaptures(t *testing.T) {
	p, n := open(t, "4k3/5P2/1r6/8/Q7/Q1Q5/3Q4/K7 b - - 0 1", false)
	checkNumbers(t, &n, map[string]uint8{"a3": queenSlot, "a4": queenSlot + 1, "c3": queenSlot + 2, "d2": unnumbered})
	play := func(m model.Move) {
		n.play(&p, m)
		p.Make(m)
	}
	play(model.NewMove(model.B6, model.B3))
	play(model.NewMove(model.D2, model.D7))
	play(model.NewMove(model.B3, model.A3)) // takes queen 1
	checkNumbers(t, &n, map[string]uint8{"a4": queenSlot, "c3": queenSlot + 1, "d7": unnumbered, "f7": pawnSlot})
	play(model.NewPromotion(model.F7, model.F8, model.Queen))
	checkNumbers(t, &n, map[string]uint8{"f8": queenSlot + 2, "d7": unnumbered})
	if n.square[model.White][pawnSlot] != model.NoSquare {
		t.Error("the pawn's number is still in use")
	}
}

// Taking moves back restores the numbering exactly.
func TestNumbersTakenBack(t *testing.T) {
	fens := []string{
		board.FormatFEN(new(model.StartPosition())),
		"6k1/2Q1n3/2n5/1Q3Qn1/3n4/4Qn2/1K5Q/8 w - - 0 1",
		"r3k2r/PPPPPPPP/8/8/8/8/pppppppp/R3K2R w KQkq - 0 1",
		"nrnk1nrn/pppppppp/8/8/8/8/PPPPPPPP/NRNK1NRN w HBhb - 0 1",
	}
	rapid.Check(t, func(t *rapid.T) {
		type past struct {
			p       board.Position
			numbers numbering
			m       model.Move
			r       renumbering
		}
		p, n := open(t, rapid.SampledFrom(fens).Draw(t, "fen"), rapid.Bool().Draw(t, "reverse"))
		var line []past
		for range rapid.IntRange(0, 120).Draw(t, "plies") {
			legal := append(p.AppendLegal(nil), model.NullMove)
			m := rapid.SampledFrom(legal).Draw(t, "move")
			before := past{p: p, numbers: n, m: m}
			before.r = n.play(&p, m)
			p.Make(m)
			checkConsistent(t, &p, &n)
			line = append(line, before)
		}
		for i := len(line) - 1; i >= 0; i-- {
			n.takeBack(line[i].p.Turn(), line[i].m, line[i].r)
			checkSame(t, &n, &line[i].numbers)
		}
	})
}

// checkConsistent checks that both halves of a numbering say the same, and
// that numbered pieces are there.
func checkConsistent(t rapid.TB, p *board.Position, n *numbering) {
	for c := range n.square {
		for slot := range uint8(numSlots) {
			s := n.square[c][slot]
			if s != model.NoSquare && (n.slot[s] != slot || p.PieceAt(s) == model.NoPiece || int(p.PieceAt(s).Color()) != c) {
				t.Fatalf("%s: slot %d of %v on %v, which has %d", p.FEN(), slot, model.Color(c), s, n.slot[s])
			}
		}
	}
	for s, slot := range n.slot {
		piece := p.PieceAt(model.Square(s))
		if slot != unnumbered && (slot < slots[piece.Type()].first || slot >= slots[piece.Type()].end ||
			n.square[piece.Color()][slot] != model.Square(s)) {
			t.Fatalf("%s: %v has slot %d", p.FEN(), model.Square(s), slot)
		}
	}
}

// checkSame compares two numberings, save where unnumbered pieces left traces
// that are never read.
func checkSame(t rapid.TB, got, want *numbering) {
	a, b := *got, *want
	for c := range a.square {
		a.square[c][unnumbered], b.square[c][unnumbered] = 0, 0
	}
	if a != b {
		t.Fatalf("taken back\n got %v\nwant %v", a, b)
	}
}
