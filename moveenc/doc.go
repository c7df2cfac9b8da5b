// Package moveenc reads and writes the moves of a game as ChessBase stores
// them: one record of a .cbg file. (docs/formats/cbg.md)
//
// # The record
//
//	+0     1   bit 7: rarely set in games, no effect
//	           bit 6: a start position follows
//	           bits 0-5: number of the encoding mode
//	+1     3   size of the record, these four bytes included, big-endian
//	+4    28   start position, if bit 6; 36 bytes in Chess960     (start.go)
//	...        the moves
//
// # The moves
//
// A mode is a way to write moves, compact or simple, and a substitution table, which
// encodes each byte with n, the number of moves before it in the record (mode.go,
// tables.go). The compact encoder writes most moves in one byte:
//
//	00        null move            EB        two bytes follow: from, to, promotion
//	01-0A     king, castling       EC        nothing (a dummy)
//	0B-EA     a numbered piece     FE  PUSH  alternatives to the next move will follow
//	          and its step         FF  POP   the line ends
//
// The simple encoder writes every move in two bytes that hold the squares, the
// promotion, and one bit each for PUSH and POP. Moves stand in the stored
// order of [model.Tree]:
//
//	1.e4 e5 (1...c5)    e4 PUSH e5 POP c5 POP
//
// # Piece numbers
//
// A one-byte code names its piece by number: queen 1 to 3, rook 1 to 3, pawn 1 to 8. The
// numbers follow from the start position and the moves (internal/replay). A piece beyond
// the third of its kind has no number; its moves take two bytes, and so do promotions.
//
// # What is accepted
//
// Every move, read or written, must be one that the piece can make: along a free way,
// onto no piece of its own side and no king, castling as [board.Position.LegalLoose] has
// it. A king may be left in check; [Game.CheckKings] tells legal games from others. Any
// other content, or an unknown mode, is an error; such a record should be kept as it is.
//
// What a record holds besides its start position and its moves (dummies, a
// missing last POP, bytes after it, the mode) is its [Form]. With it, [Append]
// gives back the record byte for byte.
package moveenc
