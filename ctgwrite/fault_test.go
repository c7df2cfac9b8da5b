package ctgwrite_test

import (
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

func fenPosition(t testing.TB, fen string) model.Position {
	t.Helper()
	return must.Get(board.ParseModel(fen))(t)
}

func legalMoves(t testing.TB, p *model.Position) []model.Move {
	t.Helper()
	b := must.Get(board.New(p))(t)
	return b.AppendLegal(nil)
}
