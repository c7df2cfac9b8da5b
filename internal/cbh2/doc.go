// Package cbh2 holds the layouts of the databases of ChessBase 17 and later: each is
// decoded and appended side by side. It knows bytes and values, and no files.
// (docs/formats/2cbh.md)
//
// A database is a set of files with one name:
//
//	.2cbh  a header record of 192 bytes for each game, text and analysis   record.go
//	.2cbg  moves, and the bodies of guiding texts, in frames               frame.go, moves.go, text.go
//	.2cba  annotations, in frames                                          annotation.go
//	.2lid  players, tournaments, sources, teams, titles                    entity.go
//	.2lgd  the games of each entity; not needed to read                    lists.go
//	.2lcd  sort orders; not needed to read
//
// Integers are little-endian but for the header of .2lid and the checksum of a
// frame. Texts are UTF-8; databases that were converted hold some in an old code
// page. A square is 8*file + rank, as in the classic format. Dates are 32 bits: day
// in bits 0-4, month in 5-8, year in 9-20.
//
// # Moves
//
// A move is one word of 16 bits that names the piece, both squares, what is captured
// and what a pawn becomes (words.go), so that it is read without a board. Moves stand
// in the stored order of model.Tree:
//
//	1.e4 e5 (1...c5) 2.Nf3     e4 e5 MORE Nf3 END c5 END
//
// MORE says that the move before it has one more alternative, which comes when the
// line that goes on has ended: the latest branch first.
//
// Annotations count moves in the order of PGN instead: a move, its alternatives with
// all that follows each, then the line goes on (see [Places]).
package cbh2

import "cbkit/model"

// Format names the format in leftovers and opaque values.
const Format = "2cbh"

// square returns a stored square; they count files first.
func square(n byte) model.Square { return model.Square(n%8*8 + n/8) }

// storedSquare is the inverse of square.
func storedSquare(s model.Square) byte { return byte(s)%8*8 + byte(s)/8 }

// date returns a stored date.
func date(v uint32) model.Date {
	return model.Date{Year: uint16(v >> 9 & 0xfff), Month: uint8(v >> 5 & 15), Day: uint8(v & 31)}
}

// storedDate is the inverse of date.
func storedDate(d model.Date) uint32 {
	return uint32(d.Year&0xfff)<<9 | uint32(d.Month&15)<<5 | uint32(d.Day&31)
}
