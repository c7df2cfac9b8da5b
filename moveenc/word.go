package moveenc

import "cbkit/model"

// A word holds a move in two bytes, for the simple encoder and for what has no
// one-byte code (docs/formats/cbg.md 5.3, 7):
//
//	bits  0-5   square the move starts from, a1 0, a2 1, ... h8 63
//	bits  6-11  square it goes to
//	bits 12-13  promotion: 0 queen, 1 rook, 2 bishop, 3 knight
//	bit  14     simple encoder: the line ends after this move
//	bit  15     simple encoder: alternatives to this move will follow
//
// In the reverse modes of the simple encoder the squares change places.
// Castling is the king's move; in Chess960 both squares are the one where the
// king ends. A null move is 0; in bits 12-13 it can have anything.
const (
	wordEnds      = 1 << 14
	wordBranch    = 1 << 15
	wordSquares   = 1<<12 - 1
	wordPromotion = 3 << 12
)

// promotions are the pieces a pawn can become, in the order of their numbers.
var promotions = [4]model.PieceType{model.Queen, model.Rook, model.Bishop, model.Knight}

// promotionNumbers is the inverse of promotions, shifted to its place.
var promotionNumbers = [8]uint16{model.Rook: 1 << 12, model.Bishop: 2 << 12, model.Knight: 3 << 12}

// swapSquares exchanges the two squares of a word.
func swapSquares(w uint16) uint16 {
	return w&^wordSquares | w&63<<6 | w>>6&63
}

// word returns the move as a word, without bits 14 and 15.
func (s *state) word(m model.Move) uint16 {
	from, to := m.From(), m.To()
	if m.IsCastling() {
		to = m.KingTarget()
		if s.chess960 {
			from = to
		}
	}
	return uint16(from.FileMajor()) | uint16(to.FileMajor())<<6 | promotionNumbers[m.Promotion()&7]
}

// parseWord returns the move that a word means to the side to move. It need
// not be legal; ok is false if no move is written so.
func (s *state) parseWord(w uint16) (m model.Move, ok bool) {
	from, to := model.SquareFromFileMajor(uint8(w)), model.SquareFromFileMajor(uint8(w>>6))
	promotion := w >> 12 & 3
	switch {
	case w&wordSquares == 0:
		return model.NullMove, true
	case from == to:
		m, ok = s.castlingTo(to)
		return m, ok && promotion == 0
	case s.at[from].kind() == model.Pawn && (to.Rank() == 0 || to.Rank() == 7):
		return model.NewPromotion(from, to, promotions[promotion]), true
	case promotion != 0:
		return 0, false
	case s.castlesFrom(from) && (to-from == 2 || from-to == 2):
		side := model.KingSide
		if to < from {
			side = model.QueenSide
		}
		return s.castling(side)
	}
	return model.NewMove(from, to), true
}

// castlesFrom reports whether the king of the side to move stands on a square
// from which it castles by a move of its own.
func (s *state) castlesFrom(from model.Square) bool {
	return !s.chess960 && from == s.king(s.turn)
}

// castlingTo returns the Chess960 castling that takes the king to a square.
func (s *state) castlingTo(to model.Square) (m model.Move, ok bool) {
	side := model.KingSide
	if to.File() < 4 {
		side = model.QueenSide
	}
	m, ok = s.castling(side)
	return m, ok && s.chess960 && m.KingTarget() == to
}
