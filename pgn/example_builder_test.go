package pgn_test

import (
	"fmt"

	"cbkit/model"
	"cbkit/pgn"
)

// A Builder makes a game of what is told in the order of the notation, and a Teller tells
// it again.
func ExampleBuilder() {
	var b pgn.Builder
	b.Reset(true)
	b.Play(model.NewMove(model.E2, model.E4))
	b.Symbol(1)
	b.Enter()
	b.Play(model.NewMove(model.D2, model.D4))
	b.Leave()
	b.Play(model.NewMove(model.E7, model.E5))
	b.Comment("as always")
	g := model.NewGame()
	b.Build(g)
	fmt.Println(pgn.MoveText(g))

	var again pgn.Builder
	again.Reset(true)
	pgn.NewTeller(nil).Tell(&model.Record{ID: 1, Game: g}, new(model.Entities), &again)
	copied := model.NewGame()
	again.Build(copied)
	fmt.Println(copied.Moves.Equal(&g.Moves))
	// Output:
	// 1. e4 $1 (1. d4) 1... e5 {as always} *
	// true
}
