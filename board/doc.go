// Package board plays chess: it makes and unmakes moves, finds the legal ones,
// and reads and writes them as SAN, UCI and FEN, in orthodox chess and in
// Chess960. Nothing in it allocates per move.
//
// # Representation
//
// A [Position] holds the board twice: as one bitboard per colour and per kind
// of piece, and as a mailbox of 64 pieces. In a bitboard the square n is the
// bit n:
//
//	8 | 56 57 58 59 60 61 62 63
//	7 | 48 49 50 51 52 53 54 55
//	6 | 40 41 42 43 44 45 46 47
//	5 | 32 33 34 35 36 37 38 39
//	4 | 24 25 26 27 28 29 30 31
//	3 | 16 17 18 19 20 21 22 23
//	2 |  8  9 10 11 12 13 14 15
//	1 |  0  1  2  3  4  5  6  7
//	    a  b  c  d  e  f  g  h
//
// A Position is a plain value without pointers; assignment copies it.
//
// # Trust
//
// Databases hold odd set-ups and illegal moves. [New] accepts every board
// with at most 32 pieces and at most one king of each colour; from there on no
// method panics, whatever the move. [Position.Make] does not ask whether a
// move is legal: [Position.Legal] and [Position.LegalLoose] do.
//
// # Conventions
//
//   - Castling is the king's move onto its own rook (see [model.Move]).
//   - Castling rights name the rook's square and mean "not forfeited". A right
//     without its king or rook in place is kept and gives no move.
//   - The en passant file is set after every advance of two squares, whether or
//     not a pawn can capture, as the FEN standard has it. Compare positions, or
//     key them, with [Position.EnPassantAttacked] or [Position.EnPassantLegal].
//   - Kings are never captured.
package board
