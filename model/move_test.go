package model_test

import (
	"testing"

	"pgregory.net/rapid"

	"cbkit/model"
)

func TestMovePacking(t *testing.T) {
	square := rapid.Map(rapid.ByteRange(0, 63), func(b byte) model.Square { return model.Square(b) })
	rapid.Check(t, func(t *rapid.T) {
		from, to := square.Draw(t, "from"), square.Draw(t, "to")
		becomes := model.PieceType(rapid.ByteRange(0, 6).Draw(t, "becomes"))
		m := model.NewPromotion(from, to, becomes)
		if m.From() != from || m.To() != to || m.Promotion() != becomes || m.IsCastling() || m.KingTarget() != to {
			t.Fatalf("%v%v=%d is %#x", from, to, becomes, m)
		}
		if becomes == model.NoPieceType && m != model.NewMove(from, to) {
			t.Fatalf("%v%v: a promotion to nothing is another move", from, to)
		}
		if m.IsNull() != (m == model.NullMove) {
			t.Fatalf("%#x: IsNull is %v", m, m.IsNull())
		}
		c := model.NewCastling(from, to)
		if c.From() != from || c.To() != to || !c.IsCastling() || c.IsNull() || c.Promotion() != model.NoPieceType {
			t.Fatalf("castling %v%v is %#x", from, to, c)
		}
	})
}

func TestCastlingTargets(t *testing.T) {
	for _, c := range []struct {
		king, rook, kingTo, rookTo model.Square
		short                      bool
		uci, uci960                string
	}{
		{model.E1, model.H1, model.G1, model.F1, true, "e1g1", "e1h1"},
		{model.E1, model.A1, model.C1, model.D1, false, "e1c1", "e1a1"},
		{model.E8, model.H8, model.G8, model.F8, true, "e8g8", "e8h8"},
		{model.E8, model.A8, model.C8, model.D8, false, "e8c8", "e8a8"},
		{model.B1, model.C1, model.G1, model.F1, true, "b1g1", "b1c1"},
		{model.G8, model.F8, model.C8, model.D8, false, "g8c8", "g8f8"},
	} {
		m := model.NewCastling(c.king, c.rook)
		if m.KingTarget() != c.kingTo || m.RookTarget() != c.rookTo || m.IsShortCastling() != c.short {
			t.Errorf("%s: king to %v, rook to %v", c.uci960, m.KingTarget(), m.RookTarget())
		}
		if m.UCI(false) != c.uci || m.UCI(true) != c.uci960 || m.String() != c.uci {
			t.Errorf("%s: written %s and %s", c.uci960, m.UCI(false), m.UCI(true))
		}
	}
}

func TestUCI(t *testing.T) {
	for want, m := range map[string]model.Move{
		"0000": model.NullMove, "e2e4": model.NewMove(model.E2, model.E4),
		"a7a8q": model.NewPromotion(model.A7, model.A8, model.Queen),
		"h2g1n": model.NewPromotion(model.H2, model.G1, model.Knight),
	} {
		if got := m.UCI(false); got != want || m.UCI(true) != want {
			t.Errorf("have %s, want %s", got, want)
		}
	}
}

func TestSquares(t *testing.T) {
	for s := model.A1; s <= model.H8; s++ {
		name := string([]byte{'a' + byte(s.File()), '1' + byte(s.Rank())})
		got, ok := model.ParseSquare(name)
		if s.String() != name || got != s || !ok || model.NewSquare(s.File(), s.Rank()) != s {
			t.Errorf("square %d: %v reads as %v", s, s, got)
		}
		if int(s.FileMajor()) != s.File()*8+s.Rank() || model.SquareFromFileMajor(s.FileMajor()) != s {
			t.Errorf("%v: file-major %d", s, s.FileMajor())
		}
		if m := s.Mirror(); m.File() != s.File() || m.Rank() != 7-s.Rank() {
			t.Errorf("%v: mirrored %v", s, m)
		}
	}
	for _, name := range []string{"", "e", "e44", "i1", "a0", "a9", "E4", "-"} {
		if s, ok := model.ParseSquare(name); ok || s != model.NoSquare {
			t.Errorf("%q reads as %v, %v", name, s, ok)
		}
	}
	if model.NoSquare.String() != "-" {
		t.Error("NoSquare has a name")
	}
}

func TestPieces(t *testing.T) {
	letters := map[byte]bool{}
	for _, c := range []model.Color{model.White, model.Black} {
		for k := model.Pawn; k <= model.King; k++ {
			p := model.NewPiece(c, k)
			if p.Color() != c || p.Type() != k || model.PieceOf(p.Letter()) != p {
				t.Errorf("%v %d: %c", c, k, p.Letter())
			}
			letters[p.Letter()] = true
		}
		if c.Other() == c || c.Other().Other() != c {
			t.Errorf("the opponent of %v is %v", c, c.Other())
		}
	}
	for b := range 256 {
		if p := model.PieceOf(byte(b)); (p != model.NoPiece) != letters[byte(b)] {
			t.Errorf("%q is piece %d", byte(b), p)
		}
	}
	if model.NoPiece.Letter() != ' ' || model.NoPieceType.Letter() != ' ' || len(letters) != 12 {
		t.Error("an empty square has a letter")
	}
	if model.White.String() != "white" || model.Black.String() != "black" {
		t.Error("the names of the sides")
	}
}

func TestPosition(t *testing.T) {
	p := model.StartPosition()
	if p.KingSquare(model.White) != model.E1 || p.KingSquare(model.Black) != model.E8 || !p.Rights.Any() {
		t.Errorf("the starting position: %+v", p)
	}
	if p.EnPassantTarget() != model.NoSquare || model.NoRights().Any() {
		t.Error("en passant or rights where there are none")
	}
	p.EnPassant = 4
	if p.EnPassantTarget() != model.E6 {
		t.Errorf("White captures on %v", p.EnPassantTarget())
	}
	p.Turn = model.Black
	if p.EnPassantTarget() != model.E3 {
		t.Errorf("Black captures on %v", p.EnPassantTarget())
	}
	p.Board = [64]model.Piece{}
	if p.KingSquare(model.White) != model.NoSquare {
		t.Error("a king on an empty board")
	}
}
