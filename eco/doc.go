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
// The 3,397 openings in openings.tsv.gz were taken from the file
// opening/eco_lichess.tsv of the Go module github.com/notnil/chess v1.10.0, which is
// under the MIT licence; a test compares the two. Its README names the source: the
// project chess-openings of Lichess, https://github.com/lichess-org/chess-openings.
// Those data are said to be in the public domain (CC0 1.0), which was not verified
// there for this table: it relies on the MIT licence of the copy. A line is
//
//	code TAB name TAB moves as the Universal Chess Interface writes them
package eco
