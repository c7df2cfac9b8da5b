package model

// Move is a move in 16 bits: bits 0-5 the square it starts from, bits 6-11
// the square it goes to, bits 12-14 the piece a pawn becomes, bit 15 castling.
//
// Castling is the king's move onto its own rook: from is the king's square,
// to is the rook's, in orthodox chess and in Chess960 alike. En passant is an
// ordinary pawn move. The zero value is the null move.
type Move uint16

// NullMove passes the turn.
const NullMove Move = 0

const castlingBit Move = 1 << 15

// NewMove returns a move that is neither a promotion nor castling.
func NewMove(from, to Square) Move { return Move(from&63) | Move(to&63)<<6 }

// NewPromotion returns a pawn's move to the last rank where it becomes a
// piece of the given kind.
func NewPromotion(from, to Square, becomes PieceType) Move {
	return NewMove(from, to) | Move(becomes&7)<<12
}

// NewCastling returns the castling move of the king with the rook.
func NewCastling(king, rook Square) Move { return NewMove(king, rook) | castlingBit }

// From returns the square the move starts from.
func (m Move) From() Square { return Square(m & 63) }

// To returns the square the move goes to; for castling the rook's square.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Promotion returns the piece a pawn becomes, NoPieceType otherwise.
func (m Move) Promotion() PieceType { return PieceType(m >> 12 & 7) }

// IsCastling reports whether the move is castling.
func (m Move) IsCastling() bool { return m&castlingBit != 0 }

// IsNull reports whether the move passes the turn.
func (m Move) IsNull() bool { return m == NullMove }

// IsShortCastling reports whether the move is castling towards the h-file.
func (m Move) IsShortCastling() bool { return m.IsCastling() && m.To() > m.From() }

// KingTarget returns the square where the king ends: for castling the g- or
// c-file of its rank, for every other move To.
func (m Move) KingTarget() Square {
	switch {
	case !m.IsCastling():
		return m.To()
	case m.IsShortCastling():
		return m.From()&^7 | G1
	default:
		return m.From()&^7 | C1
	}
}

// RookTarget returns the square where the rook of a castling move ends: the
// f- or d-file of its rank. It has no meaning for other moves.
func (m Move) RookTarget() Square {
	if m.IsShortCastling() {
		return m.From()&^7 | F1
	}
	return m.From()&^7 | D1
}

// UCI returns the move as the Universal Chess Interface writes it: "e2e4",
// "e7e8q", "0000" for the null move. Castling is the king's own move ("e1g1")
// or, with chess960, the king taking its rook ("e1h1").
func (m Move) UCI(chess960 bool) string {
	if m.IsNull() {
		return "0000"
	}
	to := m.To()
	if !chess960 {
		to = m.KingTarget()
	}
	s := []byte{
		'a' + byte(m.From().File()), '1' + byte(m.From().Rank()),
		'a' + byte(to.File()), '1' + byte(to.Rank()),
	}
	if p := m.Promotion(); p != NoPieceType {
		s = append(s, p.Letter()+'a'-'A')
	}
	return string(s)
}

// String returns UCI notation as for orthodox chess.
func (m Move) String() string { return m.UCI(false) }
