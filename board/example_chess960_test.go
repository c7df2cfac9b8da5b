package board_test

import (
	"fmt"

	"cbkit/board"
)

// The 960 starting positions are numbered from 0; 518 is the usual one.
func ExampleChess960Start() {
	p := board.Chess960Start(0)
	fmt.Println(board.FormatFEN(&p))
	usual := board.Chess960Start(518)
	fmt.Println(board.ShredderFEN(&usual))
	// Output:
	// bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1
	// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1
}

// KQkq mean the outermost rooks in Chess960, letters of files any rook.
func ExampleParseModel960() {
	const pieces = "4k3/8/8/8/8/8/8/R1R1K2R w "
	for _, rights := range []string{"KQ", "HC"} {
		p, err := board.ParseModel960(pieces + rights + " - 0 1")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Rights[0], board.ShredderFEN(&p))
	}
	// Output:
	// [h1 a1] 4k3/8/8/8/8/8/8/R1R1K2R w HA - 0 1
	// [h1 c1] 4k3/8/8/8/8/8/8/R1R1K2R w HC - 0 1
}

// Programs for Chess960 take the files of the rooks in every position.
func ExampleShredderFEN() {
	p, err := board.ParseModel("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(board.ShredderFEN(&p))
	// Output: r3k2r/8/8/8/8/8/8/R3K2R w Ha - 0 1
}
