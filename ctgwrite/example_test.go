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
	"cbkit/read"
)

const twoGames = `[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Nf3 1-0

[White "C"]
[Black "D"]
[Result "0-1"]

1. e4 c5 0-1
`

// exampleDir returns a new folder for the files of an example.
func exampleDir() string {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		log.Fatal(err)
	}
	return dir
}

// buildExample builds a book of two games.
func buildExample(path string) {
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	if err := b.Add(context.Background(), pgn.NewReader(strings.NewReader(twoGames), pgn.ReaderOptions{})); err != nil {
		log.Fatal(err)
	}
	if _, err := b.Write(context.Background(), path); err != nil {
		log.Fatal(err)
	}
}

func ExampleBuilder() {
	dir := exampleDir()
	defer os.RemoveAll(dir)

	games := pgn.NewReader(strings.NewReader(twoGames), pgn.ReaderOptions{})
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{MaxPly: 40})
	defer b.Close()
	if err := b.Add(context.Background(), games); err != nil {
		log.Fatal(err)
	}
	result, err := b.Write(context.Background(), filepath.Join(dir, "book.ctg"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Games, "games,", result.Positions, "positions,", result.Pages, "pages")
	// Output: 2 games, 5 positions, 2 pages
}

func ExampleBuilder_Set() {
	dir := exampleDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")

	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	if err := b.Add(context.Background(), pgn.NewReader(strings.NewReader(twoGames), pgn.ReaderOptions{})); err != nil {
		log.Fatal(err)
	}
	p := board.Start()
	e4 := model.NewMove(model.E2, model.E4)
	p.Make(e4)
	sicilian := model.NewMove(model.C7, model.C5)
	if err := b.Set(p, sicilian, ctgwrite.Setting{Annotation: 1, Recommendation: model.MainMove}); err != nil {
		log.Fatal(err)
	}
	if _, err := b.Write(context.Background(), path); err != nil {
		log.Fatal(err)
	}

	book, err := read.OpenBook(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	e, err := book.Lookup(p)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range e.Moves {
		fmt.Printf("%v $%d %q\n", m.Move, m.Annotation, m.Stats.Recommendation)
	}
	// Output:
	// e7e5 $0 ""
	// c7c5 $1 "main"
}

func ExampleMerge() {
	dir := exampleDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	buildExample(path)
	book, err := read.OpenBook(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	twice := []model.Book{book, book}
	result, err := ctgwrite.Merge(context.Background(), filepath.Join(dir, "twice.ctg"), twice, ctgwrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Games, "games,", result.Positions, "positions")
	// Output: 4 games, 5 positions
}

func ExamplePrune() {
	dir := exampleDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	buildExample(path)
	book, err := read.OpenBook(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	result, err := ctgwrite.Prune(context.Background(), filepath.Join(dir, "small.ctg"), book, 2, ctgwrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Positions, "positions with two games")
	// Output: 2 positions with two games
}

func ExampleWrite() {
	dir := exampleDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	buildExample(path)
	book, err := read.OpenBook(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	// In ChessBase's own form the two half-empty pages are one.
	exact := filepath.Join(dir, "exact.ctg")
	result, err := ctgwrite.Write(context.Background(), exact, book, ctgwrite.Options{Exact: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Pages, "page,", result.Bytes, "bytes")
	// Output: 1 page, 8192 bytes
}
