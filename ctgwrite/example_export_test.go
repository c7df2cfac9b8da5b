package ctgwrite_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// exampleBook makes a book of one game and opens it.
func exampleBook() (book read.Book, remove func()) {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "book.ctg")
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	games := pgn.NewReader(strings.NewReader(`[Result "1-0"] 1. e4 1-0`), pgn.ReaderOptions{})
	if err := b.Add(context.Background(), games); err != nil {
		log.Fatal(err)
	}
	if _, err := b.Write(context.Background(), path); err != nil {
		log.Fatal(err)
	}
	if book, err = read.OpenBook(context.Background(), path); err != nil {
		log.Fatal(err)
	}
	return book, func() {
		book.Close()
		os.RemoveAll(dir)
	}
}

// Every stored position, one object a line.
func ExampleWriteJSON() {
	book, remove := exampleBook()
	defer remove()
	var out bytes.Buffer
	n, err := ctgwrite.WriteJSON(context.Background(), &out, book, nil)
	fmt.Println(n, "positions,", bytes.Count(out.Bytes(), []byte("\n")), "lines,", err)
	// Output: 2 positions, 2 lines, <nil>
}

// A Polyglot book has 16 bytes for each move of a position, and of the same with
// colours exchanged, which a .ctg book does not tell apart.
func ExampleWritePolyglot() {
	book, remove := exampleBook()
	defer remove()
	var out bytes.Buffer
	n, err := ctgwrite.WritePolyglot(context.Background(), &out, []model.Book{book}, ctgwrite.PolyglotOptions{})
	fmt.Println(n, "moves,", out.Len(), "bytes,", err)
	// Output: 2 moves, 32 bytes, <nil>
}

// A book as a tree of variations: one game.
func ExampleWritePGN() {
	book, remove := exampleBook()
	defer remove()
	if _, err := ctgwrite.WritePGN(context.Background(), os.Stdout, book, ctgwrite.PGNOptions{Name: "Mine", MaxPly: 10}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [Event "Mine"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "?"]
	// [Black "?"]
	// [Result "*"]
	// [PlyCount "1"]
	//
	// 1. e4 {+1 =0 -0} *
}

// openingBook is what a book has of the first move.
func openingBook() *model.BookEntry {
	return &model.BookEntry{
		Position: model.StartPosition(),
		Stats:    model.BookStats{Games: 2, Wins: 1, Draws: 1, Score: 15},
		Moves: []model.BookMove{{
			Move: model.NewMove(model.E2, model.E4), Annotation: 1, Known: true,
			Stats: model.BookStats{Games: 2, Wins: 1, Draws: 1, Score: 15, Recommendation: model.MainMove},
		}},
	}
}

// An entry as a table for people.
func ExampleWriteTable() {
	if err := ctgwrite.WriteTable(os.Stdout, openingBook()); err != nil {
		log.Fatal(err)
	}
	// Output:
	//   Move  Games  Score  Win  Draw  Loss  Av  Perf  Fact
	//    e4!      2  75.0%    1     1     0   -     -     -  main
	//    all      2  75.0%    1     1     0   -     -     -
}

// An entry for programs.
func ExampleAppendJSON() {
	fmt.Printf("%s\n", ctgwrite.AppendJSON(nil, openingBook()))
	// Output: {"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","games":2,"wins":1,"draws":1,"losses":0,"score":15,"moves":[{"uci":"e2e4","san":"e4","games":2,"wins":1,"draws":1,"losses":0,"score":15,"annotation":1,"recommendation":"main"}]}
}
