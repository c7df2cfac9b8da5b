package jsonl_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"cbkit/jsonl"
	"cbkit/model"
)

func ExampleNewWriter() {
	db := &model.Database{}
	g := model.NewGame()
	g.White = db.Tables.Players.Intern(model.ParsePlayer("Anderssen, Adolf"))
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Annotate(0, model.Symbols{Move: 1})
	db.AddGame(g)
	db.Tables.Players.Intern(model.ParsePlayer("Nobody"))

	w := jsonl.NewWriter(os.Stdout, jsonl.WriterOptions{Report: func(l model.Loss) { fmt.Println(l.Kind) }})
	if err := model.Copy(context.Background(), w, db, model.CopyOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// entity
	// {"id":1,"kind":"game","white":"Anderssen, Adolf","result":"*","moves":[{"uci":"e2e4","nags":[1],"annotations":[{"kind":"symbols","move":1}]}]}
}

func ExampleEncoder_Append() {
	var e model.Entities
	g := model.NewGame()
	g.White = e.Players.Intern(model.ParsePlayer("Anderssen, Adolf"))
	g.Moves.Append(model.NewMove(model.E2, model.E4))

	line, err := jsonl.NewEncoder(&e).Append(nil, model.Record{Game: g})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s\n", line)

	var again model.Entities
	rec, err := jsonl.NewDecoder(&again).Decode(line, model.WantAll)
	fmt.Println(again.Players.Value(rec.Game.White), rec.Game.Moves.Move(0), err)
	// Output:
	// {"kind":"game","white":"Anderssen, Adolf","result":"*","moves":[{"uci":"e2e4"}]}
	// Anderssen, Adolf e2e4 <nil>
}

// A line that cannot be read is known by its number.
func ExampleLineError() {
	r := jsonl.NewReader(strings.NewReader("{}\n{\"white\":7}\n"), jsonl.ReaderOptions{File: "games.jsonl"})
	for _, err := range r.Records(context.Background(), 1, model.WantAll) {
		var line *jsonl.LineError
		if errors.As(err, &line) {
			fmt.Println(line.File, "line", line.Line, "-", line.Err)
		}
	}
	// Output: games.jsonl line 2 - byte 9: want '"', have '7'
}
