// Package scid holds the layouts of Scid's databases: each is decoded and appended
// side by side. It knows bytes and values, and no files. (docs/formats/si4.md)
//
// A database is three files with one name:
//
//	.si4 .si3 .si5  the index: an entry of 47, 46 or 56 bytes for each game   entry.go
//	.sn4 .sn3 .sn5  names of players, events, sites and rounds                names.go
//	.sg4 .sg3 .sg5  the games: tags, start, moves, texts                      game.go
//
// Integers of .si4 and .si3 are big-endian, those of .si5 little-endian. Texts are
// UTF-8, or what the system of an older Scid had: nothing says which.
//
// # Moves
//
// A move is a byte: the number of the man, which he keeps while he is on the board,
// and a code of what he does (move.go). Moves stand in the order of PGN:
//
//	1.e4 e5 (1...c5 2.Nf3) 2.Nc3     e4 e5 BEGIN c5 Nf3 END Nc3 STOP
//
// Texts stand behind all moves, one for each mark among them.
package scid

import (
	"fmt"

	"cbkit/model"
)

// Format names the format in leftovers.
const Format = "si4"

// wrong returns an error at an offset of a record, an entry or a file.
func wrong(offset int, field string, kind error, format string, args ...any) error {
	return &model.FormatError{Offset: int64(offset), Record: -1, Field: field, Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))}
}
