package moveenc

import (
	"testing"

	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

// open returns the position of a FEN and its men.
func open(t rapid.TB, fen string, reverse bool) (p board.Position, n men) {
	t.Helper()
	m, err := board.ParseModel(fen)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = board.New(&m); err != nil {
		t.Fatal(err)
	}
	n.count(&p, reverse)
	return p, n
}

// playAny plays a move that can be made.
func (b *men) playAny(m model.Move) change {
	ch, ok := b.accept(m)
	if !ok {
		panic(m)
	}
	b.play(m, ch)
	return ch
}

// checkNumbers compares the numbers of White's pieces, given by square.
func checkNumbers(t *testing.T, n *men, want map[string]uint8) {
	t.Helper()
	for name, slot := range want {
		s, ok := model.ParseSquare(name)
		if !ok {
			t.Fatal(name)
		}
		if n.at[s] != man(slot) {
			t.Errorf("%s has slot %d, want %d", name, n.at[s], slot)
		}
		if slot < numSlots && n.square[slot] != s {
			t.Errorf("slot %d is on %v, want %s", slot, n.square[slot], name)
		}
	}
}

func TestStandardNumbers(t *testing.T) {
	_, n := open(t, board.FormatFEN(new(model.StartPosition())), false)
	if n != standardMen[0] {
		t.Error("not the numbers of a scan")
	}
	checkNumbers(t, &n, map[string]uint8{"a1": rookSlot, "h1": rookSlot + 1, "b1": knightSlot, "g1": knightSlot + 1,
		"c1": bishopSlot, "f1": bishopSlot + 1, "d1": queenSlot, "e1": kingSlot, "a2": pawnSlot, "h2": pawnSlot + 7})
	checkNumbers(t, &standardMen[1], map[string]uint8{"a1": rookSlot + 1, "h1": rookSlot, "g1": knightSlot,
		"f1": bishopSlot, "a2": pawnSlot + 7, "h2": pawnSlot})
}

// The reverse modes scan from h8 down to a1.
func TestReverseNumbers(t *testing.T) {
	_, n := open(t, "4k3/8/8/Q6Q/8/8/8/Q3K2Q w - - 0 1", true)
	checkNumbers(t, &n, map[string]uint8{"h5": queenSlot, "h1": queenSlot + 1, "a5": queenSlot + 2, "a1": spareQueen})
}

// A pawn captured en passant gives up its number, not the square it left.
func TestEnPassantNumbers(t *testing.T) {
	_, n := open(t, "4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", false)
	n.playAny(model.NewMove(model.E4, model.F3))
	if n.square[pawnSlot] != model.NoSquare || n.at[model.F4] != nobody {
		t.Errorf("White's pawn is still on %v", n.square[pawnSlot])
	}
	if n.at[model.F3] != colorBit|pawnSlot || n.square[colorBit|pawnSlot] != model.F3 {
		t.Errorf("Black's pawn is on %v", n.square[colorBit|pawnSlot])
	}
}

// Squares are scanned file by file; the fourth queen has no number, and gets
// none when a number falls free. A promoted piece takes it.
func TestNumbersFollowCaptures(t *testing.T) {
	_, n := open(t, "4k3/5P2/1r6/8/Q7/Q1Q5/3Q4/K7 b - - 0 1", false)
	checkNumbers(t, &n, map[string]uint8{"a3": queenSlot, "a4": queenSlot + 1, "c3": queenSlot + 2, "d2": spareQueen})
	n.playAny(model.NewMove(model.B6, model.B3))
	n.playAny(model.NewMove(model.D2, model.D7))
	n.playAny(model.NewMove(model.B3, model.A3)) // takes queen 1
	checkNumbers(t, &n, map[string]uint8{"a4": queenSlot, "c3": queenSlot + 1, "d7": spareQueen, "f7": pawnSlot})
	n.playAny(model.NewPromotion(model.F7, model.F8, model.Queen))
	checkNumbers(t, &n, map[string]uint8{"f8": queenSlot + 2, "d7": spareQueen})
	if n.square[pawnSlot] != model.NoSquare {
		t.Error("the pawn's number is still in use")
	}
}

// The men stand where a board has its pieces, and taking moves back restores
// them exactly.
func TestMenAgainstBoard(t *testing.T) {
	fens := []string{
		board.FormatFEN(new(model.StartPosition())),
		"6k1/2Q1n3/2n5/1Q3Qn1/3n4/4Qn2/1K5Q/8 w - - 0 1",
		"r3k2r/PPPPPPPP/8/8/8/8/pppppppp/R3K2R w KQkq - 0 1",
		"nrnk1nrn/pppppppp/8/8/8/8/PPPPPPPP/NRNK1NRN w HBhb - 0 1",
	}
	rapid.Check(t, func(t *rapid.T) {
		type past struct {
			men men
			m   model.Move
			ch  change
		}
		p, n := open(t, rapid.SampledFrom(fens).Draw(t, "fen"), rapid.Bool().Draw(t, "reverse"))
		checkConsistent(t, &p, &n)
		var line []past
		for range rapid.IntRange(0, 120).Draw(t, "plies") {
			legal := append(p.AppendLegal(nil), model.NullMove)
			before := past{men: n, m: rapid.SampledFrom(legal).Draw(t, "move")}
			before.ch = n.playAny(before.m)
			p.Make(before.m)
			checkConsistent(t, &p, &n)
			line = append(line, before)
		}
		for i := len(line) - 1; i >= 0; i-- {
			n.takeBack(line[i].m, line[i].ch)
			checkSame(t, &n, &line[i].men)
		}
	})
}

// checkConsistent checks that men and board say the same, and that numbers
// lead to their pieces and back.
func checkConsistent(t rapid.TB, p *board.Position, n *men) {
	if n.sides != [2]uint64{p.Colored(model.White), p.Colored(model.Black)} || n.turn != p.Turn() || n.enPassant != p.EnPassant() {
		t.Fatalf("%s: occupied %x, %v to move, en passant %d", p.FEN(), n.sides, n.turn, n.enPassant)
	}
	for m, s := range n.square {
		if slot := man(m).slot(); slot < numSlots && s != model.NoSquare && n.at[s] != man(m) {
			t.Fatalf("%s: slot %d on %v, which has %d", p.FEN(), m, s, n.at[s])
		}
	}
	for i, m := range n.at {
		s := model.Square(i)
		piece := p.PieceAt(s)
		switch {
		case m == nobody && piece == model.NoPiece:
		case m == nobody || m.kind() != piece.Type() || m.side() != side(piece.Color()):
			t.Fatalf("%s: %v has man %d, the board %v", p.FEN(), s, m, piece)
		case m.slot() < numSlots && n.square[m] != s:
			t.Fatalf("%s: %v has slot %d, which is on %v", p.FEN(), s, m, n.square[m])
		}
	}
}

// checkSame compares two states of the men, save where pieces without numbers
// left traces that are never read.
func checkSame(t rapid.TB, got, want *men) {
	a, b := *got, *want
	for m := range a.square {
		if man(m).slot() >= numSlots {
			a.square[m], b.square[m] = 0, 0
		}
	}
	if a != b {
		t.Fatalf("taken back\n got %v\nwant %v", a, b)
	}
}
