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

// A game to be looked at, with its variations numbered; line 1 begins with d4.
func ExampleAppendReadable() {
	r := pgn.NewReader(strings.NewReader(`1. e4! (1. d4 d5 (1... Nf6)) 1... e5 *`), pgn.ReaderOptions{})
	db, err := model.Load(context.Background(), r)
	if err != nil {
		fmt.Println(err)
		return
	}
	g := db.List[0].Game
	text, lines := pgn.AppendReadable(nil, g, db.Entities())
	_, moves, _ := strings.Cut(string(text), "\n\n")
	fmt.Print(moves)
	fmt.Println(len(lines)-1, "variations, the first with", g.Moves.Move(lines[1]))
	// Output:
	// 1. e4!
	//     [1] (1. d4 d5
	//         [2] (1... Nf6))
	// 1... e5 *
	//
	// 2 variations, the first with d2d4
}

func ExampleFormatNAG() {
	fmt.Println(pgn.FormatNAG(5), pgn.FormatNAG(16), pgn.FormatNAG(99))
	fmt.Println(pgn.PlainText("White is better: \uE00A"))
	// Output:
	// !? ± $99
	// White is better: ±
}
