// Package eco classifies games by the Encyclopaedia of Chess Openings and names
// the openings.
//
// An opening is a position, not an order of moves: a game belongs to the last
// position of its main line that the table has, however it was reached.
//
//	opening, ply, ok := eco.Classify(game)
//	fmt.Println(opening.Code, opening.Name) // C50 Giuoco Piano
//
// # The table
//
// The 3,397 openings in openings.tsv.gz are those of the project chess-openings of
// Lichess, https://github.com/lichess-org/chess-openings, which its authors have
// put in the public domain (CC0 1.0). They were taken from the copy in the Go
// module github.com/notnil/chess v1.10.0 (folder opening, MIT licence), which
// names that source; a test compares the two. A line is
//
//	code TAB name TAB moves as the Universal Chess Interface writes them
package eco
