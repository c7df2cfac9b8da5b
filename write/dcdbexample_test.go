package write_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// PGN becomes a Simple Chess Database that the programs of the format's author
// can read, and the losses are told.
func ExampleCreateSimple() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	games := pgn.NewReader(strings.NewReader(`[White "Tal, Mikhail"]
[Black "Keres, Paul"]
[Annotator "Tal"]
[Result "1-0"]

1. e4 {best by test} c5 (1... e5) 2. Nf3 1-0
`), pgn.ReaderOptions{})
	path := filepath.Join(dir, "Games.dci")
	sink, err := write.CreateSimple(context.Background(), path, write.Options{
		Layout: write.SimpleV0,
		Report: func(l model.Loss) { fmt.Println(l) },
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}

	db, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for rec, err := range db.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(db.Entities().Players.Value(rec.Game.White), rec.Game.Moves.Len(), "moves")
	}
	// Output:
	// record 1: annotator: "Tal"
	// Tal, Mikhail 4 moves
}

func ExampleParseSimpleLayout() {
	layout, err := write.ParseSimpleLayout("v1")
	fmt.Println(layout, err)
	_, err = write.ParseSimpleLayout("v2")
	fmt.Println(err)
	// Output:
	// v1 <nil>
	// "v2" is no layout of a Simple Chess Database; there are v0 and v1
}

func ExampleRecoverSimple() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	// Nothing was interrupted here, so there is nothing to do.
	fmt.Println(write.RecoverSimple(filepath.Join(dir, "Games.dci"), model.RecoverOptions{}))
	// Output: nothing to recover <nil>
}
