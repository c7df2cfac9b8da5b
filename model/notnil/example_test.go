package notnil_test

import (
	"fmt"

	"github.com/notnil/chess"

	"cbkit/model"
	"cbkit/model/notnil"
)

// A game that was played with the library becomes part of a database.
func ExampleFromChess() {
	played := chess.NewGame(chess.TagPairs([]*chess.TagPair{{Key: "White", Value: "Hand, Fred"}}))
	for _, move := range []string{"e4", "e5", "Nf3"} {
		if err := played.MoveStr(move); err != nil {
			fmt.Println(err)
		}
	}
	played.Resign(chess.Black)

	db := &model.Database{}
	g, err := notnil.FromChess(played, db.Entities())
	if err != nil {
		fmt.Println(err)
		return
	}
	db.AddGame(g)
	fmt.Println(db.Tables.Players.Value(g.White), g.Result, g.Moves.Len(), g.Moves.Move(2))
	// Output: Hand, Fred 1-0 3 g1f3
}

// A game of a database is looked at with the library.
func ExampleToChess() {
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	b := new(model.TreeBuilder)
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(e4, model.NewMove(model.E7, model.E5))
	b.Add(e4, model.NewMove(model.C7, model.C5))
	b.Build(&g.Moves)
	db.AddGame(g)

	game, err := notnil.ToChess(db.List[0], db.Entities(), func(l model.Loss) { fmt.Println(l) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.FEN())
	// Output:
	// record 1: variations: 1 moves
	// rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2
}
