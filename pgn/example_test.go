package pgn_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cbkit/model"
	"cbkit/pgn"
)

const games = `[Event "Hoogovens"]
[White "Kasparov, Garry"]
[Black "Topalov, Veselin"]
[Result "1-0"]

1. e4 d6 2. d4! {the centre} Nf6 (2... g6 3. Nc3 Bg7) 3. Nc3 1-0

[Event "Casual"]
[White "Anna"]
[Black "Bo"]

1. e4 e5 2. Ke3 Nc6 *
`

func ExampleReader() {
	r := pgn.NewReader(strings.NewReader(games), pgn.ReaderOptions{File: "games.pgn"})
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		e, g := r.Entities(), rec.Game
		white, black := e.Players.Value(g.White), e.Players.Value(g.Black)
		fmt.Printf("%d: %s - %s %v, %d moves\n", rec.ID, white.LastName, black.LastName, g.Result, g.Moves.Len())
	}
	// Output:
	// 1: Kasparov - Topalov 1-0, 8 moves
	// games.pgn:12: game 2: 2.Ke3: no legal move fits
}

// The tags of a game are values that can be kept elsewhere, and make its header again.
func ExampleAppendTags() {
	r := pgn.NewReader(strings.NewReader(games), pgn.ReaderOptions{})
	for rec, err := range model.Games(context.Background(), r, model.WantMoves) {
		if err != nil {
			break
		}
		tags := pgn.AppendTags(nil, &rec, r.Entities(), nil)
		fmt.Println(tags)
		var e model.Entities
		h := pgn.ParseTags(tags, &e)
		fmt.Println(e.Players.Value(h.White), h.Result)
	}
	// Output:
	// [{Event Hoogovens} {White Kasparov, Garry} {Black Topalov, Veselin} {Result 1-0}]
	// Kasparov, Garry 1-0
}

func ExampleMoveText() {
	r := pgn.NewReader(strings.NewReader(games), pgn.ReaderOptions{})
	for rec, err := range model.Games(context.Background(), r, model.WantMoves|model.WantAnnotations) {
		if err != nil {
			break
		}
		fmt.Println(rec.Header(r.Entities()))
		fmt.Println(pgn.MoveText(rec.Game))
	}
	// Output:
	// Kasparov, Garry - Topalov, Veselin 1-0, Hoogovens
	// 1. e4 d6 2. d4 $1 {the centre} 2... Nf6 (2... g6 3. Nc3 Bg7) 3. Nc3 1-0
}

func ExampleReaderOptions_keepGoing() {
	opt := pgn.ReaderOptions{KeepGoing: true, Report: func(l model.Loss) { fmt.Println(l) }}
	r := pgn.NewReader(strings.NewReader(games), opt)
	for rec, err := range r.Records(context.Background(), 2, model.WantAll) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(rec.Game.Moves.Len(), "moves and", rec.Game.Annotations[0].Value)
	}
	// Output:
	// record 2: moves: line 12: game 2: 2.Ke3: no legal move fits; the rest of the game became a comment
	// 2 moves and { false Ke3 Nc6}
}

func ExampleGameError() {
	r := pgn.NewReader(strings.NewReader(games), pgn.ReaderOptions{File: "games.pgn"})
	for _, err := range r.Records(context.Background(), 1, model.WantMoves) {
		var bad *pgn.GameError
		if errors.As(err, &bad) {
			fmt.Println("line", bad.Line, "move", bad.Move)
		}
	}
	// Output: line 12 move 2.Ke3
}

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "pgn")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.pgn")
	if err := os.WriteFile(path, []byte("1. e4 e5 1-0\n\n1. d4 d5 0-1\n"), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	src, err := pgn.Open(pgn.ReaderOptions{}, path)
	if err != nil {
		fmt.Println(err)
		return
	}
	db, err := model.Load(context.Background(), src)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(db.Count(), "games")
	// Output: 2 games
}

func ExampleWriter() {
	src := pgn.NewReader(strings.NewReader("1. e2e4 e7e5 2. Ng1f3!? Nb8c6 {[%csl Ge5]} 1/2-1/2"), pgn.ReaderOptions{})
	dst := pgn.NewWriter(os.Stdout, pgn.WriterOptions{})
	if err := model.Copy(context.Background(), dst, src, model.CopyOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "?"]
	// [Black "?"]
	// [Result "1/2-1/2"]
	// [PlyCount "4"]
	//
	// 1. e4 e5 2. Nf3 $5 Nc6 {[%csl Ge5]} 1/2-1/2
}

func ExampleAppendGame() {
	var e model.Entities
	g := &model.Game{Header: model.NewHeader()}
	g.White = e.Players.Intern(model.Player{LastName: "Morphy", FirstName: "Paul"})
	g.Result = model.WhiteWins
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Annotate(0, model.Text{Text: "a beginning"})
	fmt.Printf("%s", pgn.AppendGame(nil, g, &e))
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "Morphy, Paul"]
	// [Black "?"]
	// [Result "1-0"]
	// [PlyCount "1"]
	//
	// 1. e4 {a beginning} 1-0
}

func ExampleAppendPlainGame() {
	g := &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Annotate(0, model.Text{Language: model.German, Text: "ein Anfang"})
	g.Annotate(0, model.Critical(model.CriticalOpening))
	_, moves, _ := strings.Cut(string(pgn.AppendPlainGame(nil, g, &model.Entities{})), "\n\n")
	fmt.Print(moves)
	// Output: 1. e4 {ein Anfang Critical position of the opening.} *
}

func ExampleEdit() {
	rename := func(rec *model.Record, e *model.Entities) (model.Change, error) {
		g := rec.Game
		if e.Players.Value(g.White).LastName != "Kasparov" {
			return model.Unchanged, nil
		}
		g.White = e.Players.Intern(model.Player{LastName: "Kasparov", FirstName: "Garry Kimovich"})
		return model.ChangedHeader, nil
	}
	var out strings.Builder
	n, err := pgn.Edit(context.Background(), &out, strings.NewReader(games), pgn.EditOptions{
		OnError: func(_ model.RecordID, err error) error { fmt.Println("as it was:", err); return nil },
	}, rename)
	fmt.Println(n, err)
	fmt.Print(out.String()[:55])
	// Output:
	// as it was: line 12: game 2: 2.Ke3: no legal move fits
	// 1 <nil>
	// [Event "Hoogovens"]
	// [White "Kasparov, Garry Kimovich"]
}
