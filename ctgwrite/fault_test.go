package ctgwrite_test

import (
	"testing"

	"cbkit/board"
	"cbkit/model"
)

func fenPosition(t testing.TB, fen string) model.Position {
	t.Helper()
	p, err := board.ParseModel(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func legalMoves(t testing.TB, p *model.Position) []model.Move {
	t.Helper()
	b, err := board.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return b.AppendLegal(nil)
}
