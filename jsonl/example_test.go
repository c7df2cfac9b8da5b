package jsonl_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"cbkit/jsonl"
	"cbkit/model"
)

// scholarsMate returns a database of one short game.
func scholarsMate() *model.Database {
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: "Hand", FirstName: "Fred"})
	g.Result = model.WhiteWins
	b := new(model.TreeBuilder)
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(e4, model.NewMove(model.E7, model.E5))
	b.Add(e4, model.NewMove(model.C7, model.C5))
	b.Build(&g.Moves)
	g.Annotate(e4, model.Symbols{Move: 1})
	db.AddGame(g)
	return db
}

func ExampleWriter() {
	w := jsonl.NewWriter(os.Stdout, jsonl.WriterOptions{})
	if err := model.Copy(context.Background(), w, scholarsMate(), model.CopyOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"id":1,"kind":"game","white":"Hand, Fred","result":"1-0","moves":[{"uci":"e2e4","nags":[1],"annotations":[{"kind":"symbols","move":1}]},{"uci":"e7e5","alternatives":[[{"uci":"c7c5"}]]}]}
}

func ExampleNewReader() {
	text := `{"white":"Hand, Fred","moves":[{"uci":"e2e4","nags":[1]}]}
{"white":"Hand, Fred","moves":[{"uci":"e2e5"}]}
{"white":"Hand, Fred","result":"0-1"}
`
	r := jsonl.NewReader(strings.NewReader(text), jsonl.ReaderOptions{File: "hand.jsonl"})
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			fmt.Println(err) // concerns one line
			continue
		}
		white := r.Entities().Players.Value(rec.Game.White)
		fmt.Println(rec.ID, white.LastName, rec.Game.Result, rec.Game.Moves.Len())
	}
	// Output:
	// 1 Hand * 1
	// hand.jsonl:2: moves: "e2e5" at ply 1: no legal move fits
	// 3 Hand 0-1 0
}

func ExampleOpen() {
	path := os.TempDir() + "/cbkit-example.jsonl"
	if err := os.WriteFile(path, []byte(`{"kind":"text","title":[{"lang":"en","text":"Report"}]}`), 0o600); err != nil {
		fmt.Println(err)
	}
	defer os.Remove(path)

	r, err := jsonl.Open(path, jsonl.ReaderOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for rec := range r.Records(context.Background(), 1, model.WantAll) {
		fmt.Println(rec.ID, rec.Text.Titles[0].Text)
	}
	// Output: 1 Report
}

func ExampleAppendRecord() {
	db := scholarsMate()
	line := jsonl.AppendRecord(nil, db.List[0], db.Entities())
	fmt.Println(bytes.HasPrefix(line, []byte(`{"id":1,"kind":"game","white":"Hand, Fred"`)))
	// Output: true
}

func ExampleParseValue() {
	v, err := jsonl.ParseValue([]byte(`{"kind":"arrows","arrows":[{"color":"red","from":"e2","to":"e4"}]}`))
	fmt.Println(v, err)
	fmt.Printf("%s\n", jsonl.AppendValue(nil, model.Text{Language: model.English, Text: "best by test"}))
	_, err = jsonl.ParseValue([]byte(`{"kind":"arows"}`))
	fmt.Println(err)
	// Output:
	// [{red e2 e4}] <nil>
	// {"kind":"text","lang":"en","text":"best by test"}
	// annotation: unknown kind "arows"
}

func ExampleEdit() {
	text := `{"id": 1, "white": "Tal, M", "black": "Smyslov, V"}` + "\n"
	n, err := jsonl.Edit(context.Background(), os.Stdout, strings.NewReader(text), jsonl.EditOptions{}, func(rec *model.Record, _ *model.Entities) (model.Change, error) {
		rec.Game.Result = model.WhiteWins
		return model.ChangedHeader, nil
	})
	fmt.Println(n, err)
	// Output:
	// {"id": 1, "white": "Tal, M", "black": "Smyslov, V", "result": "1-0"}
	// 1 <nil>
}
