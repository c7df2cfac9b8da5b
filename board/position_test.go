package board_test

import (
	"errors"
	"math/bits"
	"testing"
	"unsafe"

	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

func TestModelRoundTrip(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		m := p.Model()
		if q := open(t, &m); q != p || q.Model() != m {
			t.Fatalf("%s becomes %s", p.FEN(), q.FEN())
		}
	})
}

func TestAccessorsTellTheModel(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		m := p.Model()
		var occupied uint64
		for i, piece := range m.Board {
			s := model.Square(i)
			if p.PieceAt(s) != piece {
				t.Fatalf("%v: %v, want %v", s, p.PieceAt(s), piece)
			}
			if piece == model.NoPiece {
				continue
			}
			occupied |= 1 << s
			if p.Pieces(piece.Color(), piece.Type())>>s&1 == 0 || p.Colored(piece.Color())>>s&1 == 0 {
				t.Fatalf("%v: no bit for %v", s, piece)
			}
		}
		if p.Occupied() != occupied {
			t.Fatalf("occupied %#x, want %#x", p.Occupied(), occupied)
		}
		n := 0
		for c := model.White; c <= model.Black; c++ {
			if p.KingSquare(c) != m.KingSquare(c) {
				t.Fatalf("king on %v, want %v", p.KingSquare(c), m.KingSquare(c))
			}
			for kind := model.Pawn; kind <= model.King; kind++ {
				n += bits.OnesCount64(p.Pieces(c, kind))
			}
		}
		if n != bits.OnesCount64(occupied) {
			t.Fatalf("%d pieces by kind, %d squares occupied", n, bits.OnesCount64(occupied))
		}
		if p.Turn() != m.Turn || p.Rights() != m.Rights || p.EnPassant() != m.EnPassant ||
			p.HalfMoves() != int(m.HalfMoves) || p.FullMove() != int(m.FullMove) || p.Chess960() != m.Chess960 {
			t.Fatalf("%s: an accessor differs", p.FEN())
		}
	})
}

func TestNewRefuses(t *testing.T) {
	change := func(f func(p *model.Position)) *model.Position {
		p := model.StartPosition()
		f(&p)
		return &p
	}
	cases := []struct {
		name string
		p    *model.Position
		want error
	}{
		{"two white kings", change(func(p *model.Position) { p.Board[model.D1] = model.WhiteKing }), board.TwoKings},
		{"two black kings", change(func(p *model.Position) { p.Board[model.D8] = model.BlackKing }), board.TwoKings},
		{"33 pieces", change(func(p *model.Position) { p.Board[model.D4] = model.BlackPawn }), board.ManyPieces},
		{"piece 7", change(func(p *model.Position) { p.Board[model.D4] = 7 }), board.BadValue},
		{"piece 8", change(func(p *model.Position) { p.Board[model.D4] = 8 }), board.BadValue},
		{"piece 15", change(func(p *model.Position) { p.Board[model.D4] = 15 }), board.BadValue},
		{"piece 17", change(func(p *model.Position) { p.Board[model.D4] = 17 }), board.BadValue},
		{"piece 255", change(func(p *model.Position) { p.Board[model.D4] = 255 }), board.BadValue},
		{"side 2", change(func(p *model.Position) { p.Turn = 2 }), board.BadValue},
		{"file 8", change(func(p *model.Position) { p.EnPassant = 8 }), board.BadValue},
		{"file -2", change(func(p *model.Position) { p.EnPassant = -2 }), board.BadValue},
		{"rook on 65", change(func(p *model.Position) { p.Rights[1][0] = 65 }), board.BadValue},
	}
	for _, c := range cases {
		if _, err := board.New(c.p); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestNewAccepts(t *testing.T) {
	for _, fen := range []string{
		"8/8/8/8/8/8/8/8 w - - 0 1",
		"8/8/8/8/8/8/8/4K3 b - - 0 1",
		"pppppppp/8/8/8/8/8/8/PPPPPPPP w - - 0 1",
		"PPPPPPPP/8/8/8/8/8/8/pppppppp b - - 0 1",
		"8/8/8/3kK3/8/8/8/8 w - - 0 1",
		"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
	} {
		p := mustNew(t, fen)
		for _, m := range p.AppendLegal(nil) {
			p.Unmake(m, p.Make(m))
		}
	}
	zero := model.StartPosition()
	zero.FullMove = 0
	if p := open(t, &zero); p != board.Start() || p.FullMove() != 1 {
		t.Error("full move 0 does not mean 1")
	}
}

func TestSquaresOffTheBoard(t *testing.T) {
	p := board.Start()
	for s := model.NoSquare; s != 0; s++ {
		if p.PieceAt(s) != model.NoPiece || p.Attacked(s, model.White) {
			t.Fatalf("there is something on square %d", s)
		}
	}
}

func TestPositionIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(board.Position{}); size > 200 {
		t.Errorf("%d bytes", size)
	}
}

// A diagram is what stands on each square, and who is to move.
func TestSameDiagram(t *testing.T) {
	texts := []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 4 3",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
		"8/8/4k3/8/8/3K4/4Q3/8 w - - 0 1", "8/8/4k3/8/8/3K4/4R3/8 w - - 0 1", "8/8/4k3/8/8/3K4/4q3/8 w - - 0 1", "8/8/4K3/8/8/3k4/4Q3/8 w - - 0 1",
	}
	list := make([]board.Position, len(texts))
	for i, text := range texts {
		var ok bool
		if list[i], ok = position(text); !ok {
			t.Fatal(text)
		}
	}
	for i, p := range list {
		for j, q := range list {
			want := p.Turn() == q.Turn()
			for s := range model.Square(64) {
				want = want && p.PieceAt(s) == q.PieceAt(s)
			}
			if p.SameDiagram(&q) != want {
				t.Errorf("%s and %s: %t", texts[i], texts[j], !want)
			}
		}
	}
}
