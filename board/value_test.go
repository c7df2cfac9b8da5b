package board_test

import (
	"testing"

	"cbkit/board"
)

// A position that was returned has a FEN, without a variable for it.
func TestFENOfStart(t *testing.T) {
	if got, want := board.Start().FEN(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
