package model

// Position is a chess position as data. Package board plays moves on positions.
//
// The zero value is not an empty board: its castling rights all belong to a
// rook on a1, and a pawn has just advanced on the a-file. Start with
// [StartPosition], or set Rights to [NoRights] and EnPassant to [NoFile].
//
// Positions are comparable with ==.
type Position struct {
	Board  [64]Piece
	Turn   Color
	Rights CastlingRights
	// EnPassant is the file (0 for a) of the pawn that has just advanced two
	// squares, or [NoFile], whether or not it can be captured.
	EnPassant int8
	// HalfMoves counts the plies since the last capture or pawn move.
	HalfMoves uint16
	// FullMove is the number of the next full move, from 1. 0 is read as 1.
	FullMove uint16
	// Chess960 reports whether Chess960 rules apply.
	Chess960 bool
}

// NoFile is the absence of an en passant file.
const NoFile int8 = -1

// Side is a wing of the board.
type Side uint8

// The two wings: kingside is towards the h-file.
const (
	KingSide Side = iota
	QueenSide
)

// CastlingRights holds, for each colour and wing, the square of the rook that
// may still castle, or [NoSquare]. A right means that castling is not
// forfeited, not that it is possible now.
type CastlingRights [2][2]Square

// NoRights returns the absence of all castling rights.
func NoRights() CastlingRights { return CastlingRights{{NoSquare, NoSquare}, {NoSquare, NoSquare}} }

// AllRights returns the castling rights of the standard starting position.
func AllRights() CastlingRights { return CastlingRights{{H1, A1}, {H8, A8}} }

// Any reports whether any right is left.
func (r CastlingRights) Any() bool { return r != NoRights() }

// EnPassantTarget returns the square behind the pawn that has just advanced
// two squares, or NoSquare.
func (p *Position) EnPassantTarget() Square {
	switch {
	case p.EnPassant == NoFile:
		return NoSquare
	case p.Turn == White:
		return NewSquare(int(p.EnPassant), 5)
	default:
		return NewSquare(int(p.EnPassant), 2)
	}
}

// KingSquare returns the square of the first king of the colour, counting
// from a1, or NoSquare.
func (p *Position) KingSquare(c Color) Square {
	for s, piece := range p.Board {
		if piece == NewPiece(c, King) {
			return Square(s)
		}
	}
	return NoSquare
}

// StartPosition returns the standard starting position.
func StartPosition() Position {
	p := Position{Rights: AllRights(), EnPassant: NoFile, FullMove: 1}
	back := [8]PieceType{Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook}
	for file, t := range back {
		p.Board[NewSquare(file, 0)] = NewPiece(White, t)
		p.Board[NewSquare(file, 1)] = WhitePawn
		p.Board[NewSquare(file, 6)] = BlackPawn
		p.Board[NewSquare(file, 7)] = NewPiece(Black, t)
	}
	return p
}
