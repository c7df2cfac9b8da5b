package ctgwrite_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/pgn"
)

// Games are added to a book that is there, and a move is marked, in one
// transaction.
func ExampleEdit() {
	dir := exampleDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	buildExample(path)

	ctx := context.Background()
	ed, err := ctgwrite.Edit(ctx, path, ctgwrite.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	b := ed.NewBuilder(ctgwrite.BuilderOptions{MaxPly: 40})
	defer b.Close()
	games := pgn.NewReader(strings.NewReader("[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n"), pgn.ReaderOptions{})
	if err := b.Add(ctx, games); err != nil {
		log.Fatal(err)
	}
	if err := ed.Add(ctx, b); err != nil {
		log.Fatal(err)
	}
	e, err := ed.Lookup(board.Start())
	if err != nil {
		log.Fatal(err)
	}
	e.Moves[0].Annotation = 1 // a good move
	if err := ed.Put(e); err != nil {
		log.Fatal(err)
	}
	if err := ed.Commit(); err != nil {
		log.Fatal(err)
	}
	r := ed.Result()
	fmt.Println(r.Games, "game,", r.Added, "new positions, the start counts", e.Stats.Games, "games")
	// Output: 1 game, 2 new positions, the start counts 3 games
}

// A move goes, and then its position with all moves that lead there.
func ExampleEditor_Remove() {
	dir := exampleDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	buildExample(path) // 1. e4 e5 2. Nf3, and 1. e4 c5

	ctx := context.Background()
	ed, err := ctgwrite.Edit(ctx, path, ctgwrite.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	start := board.Start()
	if err := ed.DropMove(start, model.NewMove(model.E2, model.E4)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(ed.Remove(ctx, start), ed.Commit())
	fmt.Printf("%+v\n", ed.Result())
	// Output:
	// <nil> <nil>
	// {Games:0 Added:0 Changed:1 Removed:1 Pages:0}
}
