package replay

import (
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

// open returns the position of a FEN and its men.
func open(t rapid.TB, fen string, reverse bool) (p board.Position, n Board) {
	t.Helper()
	m := must.Get(board.ParseModel(fen))(t)
	p = must.Get(board.New(&m))(t)
	n.Set(&p, reverse)
	return p, n
}

// playAny plays a move that can be made.
func (b *Board) playAny(m model.Move) Change {
	ch, ok := b.Accept(m)
	if !ok {
		panic(m)
	}
	b.Play(m, ch)
	return ch
}

// checkNumbers compares the numbers of White's pieces, given by square.
func checkNumbers(t *testing.T, n *Board, want map[string]uint8) {
	t.Helper()
	for name, slot := range want {
		s, ok := model.ParseSquare(name)
		if !ok {
			t.Fatal(name)
		}
		if n.At[s] != Man(slot) {
			t.Errorf("%s has slot %d, want %d", name, n.At[s], slot)
		}
		if slot < NumSlots && n.Square[slot] != s {
			t.Errorf("slot %d is on %v, want %s", slot, n.Square[slot], name)
		}
	}
}

func TestStandardNumbers(t *testing.T) {
	_, n := open(t, board.FormatFEN(new(model.StartPosition())), false)
	if n != Standard[0] {
		t.Error("not the numbers of a scan")
	}
	checkNumbers(t, &n, map[string]uint8{"a1": RookSlot, "h1": RookSlot + 1, "b1": KnightSlot, "g1": KnightSlot + 1,
		"c1": BishopSlot, "f1": BishopSlot + 1, "d1": QueenSlot, "e1": KingSlot, "a2": PawnSlot, "h2": PawnSlot + 7})
	checkNumbers(t, &Standard[1], map[string]uint8{"a1": RookSlot + 1, "h1": RookSlot, "g1": KnightSlot,
		"f1": BishopSlot, "a2": PawnSlot + 7, "h2": PawnSlot})
}

// The reverse modes scan from h8 down to a1.
func TestReverseNumbers(t *testing.T) {
	_, n := open(t, "4k3/8/8/Q6Q/8/8/8/Q3K2Q w - - 0 1", true)
	checkNumbers(t, &n, map[string]uint8{"h5": QueenSlot, "h1": QueenSlot + 1, "a5": QueenSlot + 2, "a1": spareQueen})
}

// A pawn captured en passant gives up its number, not the square it left.
func TestEnPassantNumbers(t *testing.T) {
	_, n := open(t, "4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", false)
	n.playAny(model.NewMove(model.E4, model.F3))
	if n.Square[PawnSlot] != model.NoSquare || n.At[model.F4] != Nobody {
		t.Errorf("White's pawn is still on %v", n.Square[PawnSlot])
	}
	if n.At[model.F3] != colorBit|PawnSlot || n.Square[colorBit|PawnSlot] != model.F3 {
		t.Errorf("Black's pawn is on %v", n.Square[colorBit|PawnSlot])
	}
}

// Squares are scanned file by file; the fourth queen has no number, and gets
// none when a number falls free. A promoted piece takes it.
func TestNumbersFollowCaptures(t *testing.T) {
	_, n := open(t, "4k3/5P2/1r6/8/Q7/Q1Q5/3Q4/K7 b - - 0 1", false)
	checkNumbers(t, &n, map[string]uint8{"a3": QueenSlot, "a4": QueenSlot + 1, "c3": QueenSlot + 2, "d2": spareQueen})
	n.playAny(model.NewMove(model.B6, model.B3))
	n.playAny(model.NewMove(model.D2, model.D7))
	n.playAny(model.NewMove(model.B3, model.A3)) // takes queen 1
	checkNumbers(t, &n, map[string]uint8{"a4": QueenSlot, "c3": QueenSlot + 1, "d7": spareQueen, "f7": PawnSlot})
	n.playAny(model.NewPromotion(model.F7, model.F8, model.Queen))
	checkNumbers(t, &n, map[string]uint8{"f8": QueenSlot + 2, "d7": spareQueen})
	if n.Square[PawnSlot] != model.NoSquare {
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
			men Board
			m   model.Move
			ch  Change
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
			n.TakeBack(line[i].m, line[i].ch)
			checkSame(t, &n, &line[i].men)
		}
	})
}

// checkConsistent checks that men and board say the same, and that numbers
// lead to their pieces and back.
func checkConsistent(t rapid.TB, p *board.Position, n *Board) {
	if n.sides != [2]uint64{p.Colored(model.White), p.Colored(model.Black)} || n.Turn != p.Turn() || n.enPassant != p.EnPassant() {
		t.Fatalf("%s: occupied %x, %v to move, en passant %d", p.FEN(), n.sides, n.Turn, n.enPassant)
	}
	for m, s := range n.Square {
		if slot := Man(m).Slot(); slot < NumSlots && s != model.NoSquare && n.At[s] != Man(m) {
			t.Fatalf("%s: slot %d on %v, which has %d", p.FEN(), m, s, n.At[s])
		}
	}
	for i, m := range n.At {
		s := model.Square(i)
		piece := p.PieceAt(s)
		switch {
		case m == Nobody && piece == model.NoPiece:
		case m == Nobody || m.Kind() != piece.Type() || m.side() != Side(piece.Color()):
			t.Fatalf("%s: %v has man %d, the board %v", p.FEN(), s, m, piece)
		case m.Slot() < NumSlots && n.Square[m] != s:
			t.Fatalf("%s: %v has slot %d, which is on %v", p.FEN(), s, m, n.Square[m])
		}
	}
}

// checkSame compares two states of the men, save where pieces without numbers
// left traces that are never read.
func checkSame(t rapid.TB, got, want *Board) {
	a, b := *got, *want
	for m := range a.Square {
		if Man(m).Slot() >= NumSlots {
			a.Square[m], b.Square[m] = 0, 0
		}
	}
	if a != b {
		t.Fatalf("taken back\n got %v\nwant %v", a, b)
	}
}

// Move says of all moves what LegalLoose and Sign of a board say, and makes them as it does;
// MoveKnown says the same where it may be asked.
func TestMoveAgainstBoard(t *testing.T) {
	fens := []string{
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/k1p5/8/3P4/8/4B3/8/4K3 b - - 0 1", // a capture en passant opens a line
		"4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 1",
		"r3k2r/PPPPPPPP/8/8/8/8/pppppppp/R3K2R w KQkq - 0 1",
		"8/8/8/2k5/1q6/8/8/3R4 w - - 0 1", // a king missing
		"nrnk1nrn/pppp1ppp/8/8/8/4r3/PP3PPP/1R1K2R1 w GBgb - 0 1",
	}
	rapid.Check(t, func(t *rapid.T) {
		p, n := open(t, rapid.SampledFrom(fens).Draw(t, "fen"), false)
		for range rapid.IntRange(0, 30).Draw(t, "plies") {
			m := rapid.SampledFrom(append(p.AppendLegal(nil), model.NullMove)).Draw(t, "move")
			n.playAny(m)
			p.Make(m)
		}
		for code := range 1 << 16 {
			m, after, made := model.Move(code), p, n
			want := p.LegalLoose(m)
			sign, legal := made.Move(m, true)
			if legal != want || legal && sign != p.Sign(m) {
				t.Fatalf("%s: %v (%x): sign %x, legal %t; want %x, %t", p.FEN(), m, code, sign, legal, p.Sign(m), want)
			}
			if legal {
				after.Make(m)
				checkConsistent(t, &after, &made)
			}
			unsigned, known := n, n
			if _, legal := unsigned.Move(m, false); legal != want || legal && unsigned != made {
				t.Fatalf("%s: %v without a sign: legal %t", p.FEN(), m, legal)
			}
			if !mayAsk(p.PieceAt(m.From()), p.PieceAt(m.To()), m) {
				continue
			}
			if s, legal := known.MoveKnown(m, true); legal != want || legal && (s != sign || known != made) {
				t.Fatalf("%s: %v, known: sign %x, legal %t; want %x, %t", p.FEN(), m, s, legal, sign, want)
			}
		}
	})
}

// mayAsk reports whether MoveKnown may be asked about the move of a piece to a square where
// another stands, or none.
func mayAsk(piece, other model.Piece, m model.Move) bool {
	from, to := m.From(), m.To()
	attacks := reach[piece&15][from]&set(to) != 0 && !m.IsCastling()
	if piece.Type() != model.Pawn {
		return attacks && m.Promotion() == model.NoPieceType
	}
	up, c, kind := forward[piece.Color()], piece.Color(), m.Promotion()
	straight := to == from+up || to == from+2*up && from>>3 == firstRanks[c]
	return !m.IsCastling() && (kind != model.NoPieceType) == (to>>3 == lastRanks[c]) && kind != model.Pawn && kind <= model.Queen &&
		(straight && other == model.NoPiece || attacks && other != model.NoPiece)
}
