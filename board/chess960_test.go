package board_test

import (
	"testing"

	"cbkit/board"
	"cbkit/model"
)

// backRank returns the letters of White's first rank.
func backRank(p *model.Position) string {
	var row [8]byte
	for file := range row {
		row[file] = p.Board[file].Letter()
	}
	return string(row[:])
}

func TestChess960Start(t *testing.T) {
	for n, want := range map[int]string{
		0: "BBQNNRKR", 1: "BQNBNRKR", 4: "QBBNNRKR", 16: "BBNQNRKR", 95: "NNRKRQBB", 96: "BBQNRNKR",
		356: "NBBRKRQN", 518: "RNBQKBNR", 534: "RNBKQBNR", 959: "RKRNNQBB", 960: "BBQNNRKR", -1: "RKRNNQBB",
	} {
		p := board.Chess960Start(n)
		if got := backRank(&p); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	orthodox := board.Chess960Start(518)
	orthodox.Chess960 = false
	if orthodox != model.StartPosition() {
		t.Error("518 is not the orthodox position")
	}
}

func TestChess960Number(t *testing.T) {
	seen := map[string]bool{}
	for n := range 960 {
		p := board.Chess960Start(n)
		seen[backRank(&p)] = true
		if got, ok := board.Chess960Number(&p); got != n || !ok {
			t.Errorf("%d: %d, %v", n, got, ok)
		}
		fen := board.FormatFEN(&p)
		if back, err := board.ParseModel960(fen); err != nil || back != p {
			t.Errorf("%d: %s is read back as %s (%v)", n, fen, board.FormatFEN(&back), err)
		}
		if p.Rights == model.AllRights() {
			continue // looks orthodox
		}
		if back, err := board.ParseModel(fen); err != nil || back != p {
			t.Errorf("%d: %s is not noticed as Chess960 (%v)", n, fen, err)
		}
	}
	if len(seen) != 960 {
		t.Errorf("%d different positions", len(seen))
	}
}

func TestNotAChess960Start(t *testing.T) {
	for name, change := range map[string]func(p *model.Position){
		"a move played":   func(p *model.Position) { p.Board[model.E2], p.Board[model.E4] = 0, model.WhitePawn },
		"black to move":   func(p *model.Position) { p.Turn = model.Black },
		"a right missing": func(p *model.Position) { p.Rights[0][0] = model.NoSquare },
		"black differs":   func(p *model.Position) { p.Board[model.B8], p.Board[model.A8] = p.Board[model.A8], p.Board[model.B8] },
		"no bishops":      func(p *model.Position) { p.Board[model.C1], p.Board[model.F1] = model.WhiteKnight, model.WhiteKnight },
		"one colour":      func(p *model.Position) { p.Board[model.C1], p.Board[model.B1] = model.WhiteKnight, model.WhiteBishop },
		"three bishops":   func(p *model.Position) { p.Board[model.G1] = model.WhiteBishop },
		"two queens":      func(p *model.Position) { p.Board[model.G1] = model.WhiteQueen },
		"empty":           func(p *model.Position) { p.Board = [64]model.Piece{} },
		"en passant":      func(p *model.Position) { p.EnPassant = 3 },
	} {
		p := model.StartPosition()
		change(&p)
		if n, ok := board.Chess960Number(&p); ok {
			t.Errorf("%s: number %d", name, n)
		}
	}
	p := model.StartPosition()
	p.FullMove, p.HalfMoves = 12, 3
	if n, ok := board.Chess960Number(&p); n != 518 || !ok {
		t.Errorf("orthodox position: %d, %v", n, ok)
	}
}
