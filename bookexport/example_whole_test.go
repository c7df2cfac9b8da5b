package bookexport_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"cbkit/bookexport"
	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// exampleBook makes a book of one game and opens it.
func exampleBook() (book *read.Book, remove func()) {
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
	n, err := bookexport.WriteJSON(context.Background(), &out, book, nil)
	fmt.Println(n, "positions,", bytes.Count(out.Bytes(), []byte("\n")), "lines,", err)
	// Output: 2 positions, 2 lines, <nil>
}

// A Polyglot book has 16 bytes for each move of a position, and of the same with
// colours exchanged, which a .ctg book does not tell apart.
func ExampleWritePolyglot() {
	book, remove := exampleBook()
	defer remove()
	var out bytes.Buffer
	n, err := bookexport.WritePolyglot(context.Background(), &out, book, bookexport.PolyglotOptions{})
	fmt.Println(n, "moves,", out.Len(), "bytes,", err)
	// Output: 2 moves, 32 bytes, <nil>
}

// Three points of four against an average of 2400.
func ExamplePerformance() {
	stats := model.BookStats{
		Games: 4, Wins: 2, Draws: 2, Score: 30,
		Opponent: model.BookRatings{Games: 4, Sum: 4 * 2400},
	}
	fmt.Println(bookexport.Performance(&stats))
	// Output: 2591
}
