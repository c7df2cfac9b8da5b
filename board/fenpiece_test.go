package board_test

import (
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/model"
)

// TestFENOfImpossiblePieces: a number that is no piece must not look like one,
// nor like the blank between two fields.
func TestFENOfImpossiblePieces(t *testing.T) {
	for n := range 256 {
		piece := model.Piece(n)
		p := model.StartPosition()
		p.Board[model.A4] = piece
		fen := board.FormatFEN(&p)
		back, err := board.ParseFEN(fen)
		possible := n == 0 || n >= 1 && n <= 6 || n >= 9 && n <= 14
		if possible && (err != nil || back != p) {
			t.Errorf("piece %d: %q reads back otherwise, error %v", n, fen, err)
		}
		if !possible && (err == nil || !strings.Contains(fen, "/?7/") || len(strings.Fields(fen)) != 6) {
			t.Errorf("piece %d: %q, error %v", n, fen, err)
		}
	}
}
