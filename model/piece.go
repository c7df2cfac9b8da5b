package model

import "strings"

// Color is a side of the game.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other returns the opponent.
func (c Color) Other() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// PieceType is a kind of piece without its colour.
type PieceType uint8

// The kinds of pieces. NoPieceType is the absence of one, for instance in a
// move that does not promote.
const (
	NoPieceType PieceType = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// Letter returns the English letter of the kind in capitals, 'P' for a pawn,
// and ' ' for NoPieceType.
func (t PieceType) Letter() byte { return " PNBRQK"[t&7%7] }

// Piece is a piece with its colour. The zero value is an empty square.
type Piece uint8

// The twelve pieces, and the empty square.
const (
	NoPiece     Piece = 0
	WhitePawn         = Piece(Pawn)
	WhiteKnight       = Piece(Knight)
	WhiteBishop       = Piece(Bishop)
	WhiteRook         = Piece(Rook)
	WhiteQueen        = Piece(Queen)
	WhiteKing         = Piece(King)
	BlackPawn         = blackBit | Piece(Pawn)
	BlackKnight       = blackBit | Piece(Knight)
	BlackBishop       = blackBit | Piece(Bishop)
	BlackRook         = blackBit | Piece(Rook)
	BlackQueen        = blackBit | Piece(Queen)
	BlackKing         = blackBit | Piece(King)
)

const blackBit Piece = 8

// NewPiece joins a colour and a kind.
func NewPiece(c Color, t PieceType) Piece { return Piece(c)<<3 | Piece(t) }

// Color returns the side a piece belongs to; of NoPiece it says White.
func (p Piece) Color() Color { return Color(p >> 3) }

// Type returns the kind of a piece, NoPieceType for NoPiece.
func (p Piece) Type() PieceType { return PieceType(p & 7) }

// Letter returns the FEN letter: capitals for White, small for Black, ' '
// for NoPiece.
func (p Piece) Letter() byte {
	l := p.Type().Letter()
	if p.Color() == Black && l != ' ' {
		l += 'a' - 'A'
	}
	return l
}

// PieceOf returns the piece with the given FEN letter, NoPiece if there is
// none.
func PieceOf(letter byte) Piece {
	c := White
	if letter >= 'a' {
		c, letter = Black, letter-('a'-'A')
	}
	if i := strings.IndexByte("PNBRQK", letter); i >= 0 {
		return NewPiece(c, Pawn+PieceType(i))
	}
	return NoPiece
}
