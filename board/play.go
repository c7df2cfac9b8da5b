package board

import "cbkit/model"

// Play makes a move if [Position.LegalLoose] allows it, and returns what [Position.Sign]
// says of it. It costs less than these with [Position.Make], most of all where the caller
// knows that the position is calm: that no king is attacked. It is after a legal move that is
// neither null nor, by its sign, check. Where it is not signed, nothing but
// the check of the sign counts.
func (p *Position) Play(m model.Move, calm, signed bool) (s model.Sign, legal bool) {
	from, to := m.From(), m.To()
	if m.IsNull() || m.IsCastling() {
		if legal = p.LegalLoose(m); legal {
			s, _ = p.made(m)
		}
		return s, legal
	}
	if !p.reaches(m) {
		return 0, false
	}
	// A move that is not seen from a king on an empty board opens no line to him; one that
	// captures en passant may open another.
	kind := p.board[from].Type()
	calm = calm && (kind != model.Pawn || from&7 == to&7 || p.board[to&63] != model.NoPiece)
	if (!calm || kind == model.King || queenRays(from)&p.Pieces(p.turn, model.King) != 0) && !p.safe(from, to) {
		return 0, false
	}
	if signed {
		s = p.unchecked(m)
	}
	p.Make(m)
	king, check := p.KingSquare(p.turn), false
	switch moved := p.board[to&63].Type(); {
	case king == model.NoSquare:
	case !calm || queenRays(from)&bit(king) != 0:
		check = p.InCheck()
	case moved == model.Pawn:
		check = pawnAttacks[p.turn&1^1][to&63]&bit(king) != 0
	default:
		check = rays(moved, to)&bit(king) != 0 && between[king&63][to&63]&p.Occupied() == 0
	}
	switch {
	case check && signed:
		s |= p.checkSign()
	case check:
		s = model.SignCheck
	}
	return s, true
}

// queenRays returns the squares that a queen attacks on an empty board.
func queenRays(s model.Square) uint64 { return rays(model.Queen, s) }
