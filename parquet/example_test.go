package parquet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	pq "github.com/parquet-go/parquet-go"

	"cbkit"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
)

const oneGame = `[Event "London"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 1-0
`

// A table goes to any writer, and is read back from files.
func ExampleNewWriter() {
	games := pgn.NewReader(strings.NewReader(oneGame), pgn.ReaderOptions{})
	var file bytes.Buffer
	w, err := parquet.NewWriter(&file, parquet.Options{})
	if err == nil {
		err = model.Copy(context.Background(), w, games, model.CopyOptions{})
	}
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := w.Rows(parquet.Games)
	fmt.Println(rows, "row")
	fmt.Printf("%s … %s\n", file.Bytes()[:4], file.Bytes()[file.Len()-4:])
	// Output:
	// 1 row
	// PAR1 … PAR1
}

// Tables are read from any file system, such as one of package embed.
func ExampleOpen_embedded() {
	var table bytes.Buffer
	w, err := parquet.NewWriter(&table, parquet.Options{})
	if err == nil {
		err = model.Copy(context.Background(), w, pgn.NewReader(strings.NewReader(oneGame), pgn.ReaderOptions{}), model.CopyOptions{})
	}
	if err != nil {
		log.Fatal(err)
	}
	files := fstest.MapFS{"games.parquet": {Data: table.Bytes()}}
	src, err := cbkit.Open("games.parquet", cbkit.Options{FS: files})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	for range model.Games(context.Background(), src, model.WantHeaders) {
		fmt.Println("a game")
	}
	// Output:
	// a game
}

// Both tables go to a folder, and the games of one come back.
func ExampleCreate() {
	dir, err := os.MkdirTemp("", "tables")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	games := pgn.NewReader(strings.NewReader(oneGame), pgn.ReaderOptions{})
	tables, err := parquet.ParseTables("games,positions")
	if err != nil {
		log.Fatal(err)
	}
	w, err := parquet.Create(context.Background(), dir, parquet.Options{Database: "old", Tables: tables, Part: 1, Parts: 4})
	if err == nil {
		err = model.Copy(context.Background(), w, games, model.CopyOptions{})
	}
	if err != nil {
		log.Fatal(err)
	}
	manifest, err := os.Open(filepath.Join(dir, "_manifest.old.1-of-4.jsonl"))
	if err != nil {
		log.Fatal(err)
	}
	defer manifest.Close()
	for lines := json.NewDecoder(manifest); lines.More(); {
		var entry parquet.ManifestEntry
		if err := lines.Decode(&entry); err != nil {
			log.Fatal(err)
		}
		fmt.Println(entry.File, entry.Rows, "rows")
	}

	r, err := parquet.Open(filepath.Join(dir, "games", "old.1-of-4.0001.parquet"))
	if err != nil {
		log.Fatal(err)
	}
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		fmt.Println(r.Entities().Players.Value(rec.Game.White), rec.Game.Result, rec.Game.Moves.Len(), err)
	}
	// Output:
	// games/old.1-of-4.0001.parquet 1 rows
	// positions/old.1-of-4.0001.parquet 5 rows
	// Anderssen, Adolf 1-0 4 <nil>
}

// A row that cannot be read is an error of its own; the others are games.
func ExampleRowError() {
	dir, err := os.MkdirTemp("", "rows")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.parquet")
	type row struct {
		Moves string `parquet:"movetext"`
	}
	if err := pq.WriteFile(path, []row{{"1. e4 e5"}, {"1. e4 e4"}, {"1. d4 d5 2. c4"}}); err != nil {
		log.Fatal(err)
	}
	r, err := parquet.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	for rec, err := range r.Records(context.Background(), 1, model.WantMoves) {
		var row *parquet.RowError
		if errors.As(err, &row) {
			fmt.Println("row", row.Row, "is passed over:", row.Err)
			continue
		}
		fmt.Println(rec.Game.Moves.Len(), "moves")
	}
	// Output:
	// 2 moves
	// row 2 is passed over: column movetext: corrupt: move 2, "e4": no legal move fits
	// 3 moves
}
