package read_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"cbkit/board"
	"cbkit/read"
)

// The book of this example has two moves: 1.e4 with the weight 5, and 1...c5 with 3.
var twoMoves = bytes.Join([][]byte{
	{0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0, 5, 0, 0, 0, 0},
	{0x82, 0x3c, 0x9b, 0x50, 0xfd, 0x11, 0x41, 0x96, 0x0c, 0xa2, 0, 3, 0, 0, 0, 0},
}, nil)

// A Polyglot book says of a position which moves it has, with their weights.
func ExampleBook_Lookup() {
	files := fstest.MapFS{"book.bin": {Data: twoMoves}}
	book, err := read.OpenBookFS(context.Background(), files, "book.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	entry, err := book.Lookup(board.Start())
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range entry.Moves {
		fmt.Println(m.Move, m.MoveWeight, "of", entry.MoveWeights())
	}
	// Output: e2e4 5 of 5
}

// What is stored are keys of positions, which tell nothing of a position that no move
// leads to.
func ExamplePolyglot() {
	files := fstest.MapFS{"book.bin": {Data: twoMoves}}
	book, err := read.OpenBookFS(context.Background(), files, "book.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	if polyglot, is := book.(*read.Polyglot); is {
		var scan read.PolyglotScan
		if scan, err = polyglot.Scan(context.Background()); err != nil {
			log.Fatal(err)
		}
		fmt.Println(scan.Entries, "moves of", scan.Positions, "positions")
		var last read.PolyglotEntry
		for e := range polyglot.Stored(context.Background()) {
			last = e
		}
		fmt.Printf("the last one: %016x %d\n", last.Key, last.Weight)
	}
	if _, is := book.(*read.CTG); !is {
		fmt.Println("of ChessBase it is not")
	}
	// Output:
	// 2 moves of 2 positions
	// the last one: 823c9b50fd114196 3
	// of ChessBase it is not
}
