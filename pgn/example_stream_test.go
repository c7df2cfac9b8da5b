package pgn_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"cbkit/model"
	"cbkit/pgn"
)

// Whatever can be read as a stream is a source: a file, a request, a string.
func ExampleNewReader() {
	r := pgn.NewReader(strings.NewReader(`[White "Tal"] 1. e4 (1. d4) e5 *`), pgn.ReaderOptions{})
	db, err := model.Load(context.Background(), r)
	if err != nil {
		fmt.Println(err)
		return
	}
	g := db.List[0].Game
	fmt.Println(db.Tables.Players.Value(g.White), g.Moves.Len(), g.Moves.MainLen())
	// Output: Tal 3 2
}

// From one stream to another, with what PGN cannot say.
func ExampleNewWriter() {
	db := &model.Database{}
	g := model.NewGame()
	g.White = db.Tables.Players.Intern(model.ParsePlayer("Anderssen, Adolf"))
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.LineEvaluation = 14
	db.AddGame(g)

	w := pgn.NewWriter(os.Stdout, pgn.WriterOptions{Report: func(l model.Loss) { fmt.Println("%", l) }})
	if err := model.Copy(context.Background(), w, db, model.CopyOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// % record 1: line evaluation: $14
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "Anderssen, Adolf"]
	// [Black "?"]
	// [Result "*"]
	// [PlyCount "1"]
	//
	// 1. e4 *
}
