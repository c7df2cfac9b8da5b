package board

import "cbkit/model"

// Attacked reports whether a piece of the colour attacks the square. Pins do
// not matter, en passant does not count.
func (p *Position) Attacked(s model.Square, by model.Color) bool {
	return s < model.NoSquare && p.attacked(s, by&1, p.Occupied())
}

// InCheck reports whether the king of the side to move is attacked.
func (p *Position) InCheck() bool {
	return p.Attacked(p.KingSquare(p.turn), p.turn.Other())
}

// attacked is Attacked with other squares occupied than really are.
func (p *Position) attacked(s model.Square, by model.Color, occupied uint64) bool {
	return p.attackedBy(s, p.colors[by], by, occupied)
}

// attackedBy is attacked with some of the attackers only. Instead of computing
// how far a slider on s would see, it looks at the few sliders on its lines.
func (p *Position) attackedBy(s model.Square, attackers uint64, by model.Color, occupied uint64) bool {
	s &= 63
	if attackers&(knightAttacks[s]&p.types[model.Knight]|
		kingAttacks[s]&p.types[model.King]|
		pawnAttacks[by&1^1][s]&p.types[model.Pawn]) != 0 {
		return true
	}
	row := &between[s]
	for snipers := attackers & p.sliders(s); snipers != 0; snipers &= snipers - 1 {
		if row[first(snipers)&63]&occupied == 0 {
			return true
		}
	}
	return false
}

// sliders returns the pieces of both colours that would attack s on an
// otherwise empty board along a rank, file or diagonal.
func (p *Position) sliders(s model.Square) uint64 {
	return rookRays[s&63]&(p.types[model.Rook]|p.types[model.Queen]) |
		bishopRays[s&63]&(p.types[model.Bishop]|p.types[model.Queen])
}

// Legal reports whether the side to move may play m. Castling needs its right.
// The null move is legal unless the side to move is in check. A promotion must
// name its piece.
func (p *Position) Legal(m model.Move) bool {
	switch {
	case m.IsNull():
		return !p.InCheck()
	case m.IsCastling():
		return m.Promotion() == model.NoPieceType && p.hasRight(m) && p.canCastle(m)
	}
	return p.reaches(m) && p.safe(m.From(), m.To())
}

// LegalLoose is Legal for the moves that databases hold although the rules
// forbid them: castling without the right, when king and rook stand on their
// squares and nothing else is against it (in Chess960: on the back rank), and
// null moves in check. See docs/formats/cbg.md 4.
func (p *Position) LegalLoose(m model.Move) bool {
	switch {
	case m.IsNull():
		return true
	case m.IsCastling():
		return m.Promotion() == model.NoPieceType && p.canCastle(m)
	}
	return p.Legal(m)
}

// reaches reports whether a piece of the side to move goes from From to To by
// its way of moving, check left aside.
func (p *Position) reaches(m model.Move) bool {
	from, to := m.From(), m.To()
	piece := p.board[from]
	if piece == model.NoPiece || piece.Color() != p.turn ||
		(p.colors[p.turn&1]|p.types[model.King])&bit(to) != 0 {
		return false
	}
	if piece.Type() == model.Pawn {
		return p.pawnReaches(m)
	}
	return m.Promotion() == model.NoPieceType &&
		rays(piece.Type(), from)&bit(to) != 0 && between[from&63][to&63]&p.Occupied() == 0
}

// rays returns the squares that a piece, not a pawn, attacks on an empty board.
func rays(t model.PieceType, s model.Square) uint64 { return pieceRays[t&7][s&63] }

func (p *Position) pawnReaches(m model.Move) bool {
	from, to := m.From(), m.To()
	if promotes := to>>3 == homeRank(p.turn.Other()); promotes != (m.Promotion() != model.NoPieceType) {
		return false
	}
	if promotion := m.Promotion(); promotion == model.Pawn || promotion > model.Queen {
		return false
	}
	if from&7 != to&7 {
		return pawnAttacks[p.turn&1][from&63]&bit(to)&(p.Occupied()|p.enPassantSet()) != 0
	}
	ahead := pawnStep(bit(from), p.turn) &^ p.Occupied()
	if ahead&doubleStepRank(p.turn) != 0 {
		ahead |= pawnStep(ahead, p.turn) &^ p.Occupied()
	}
	return ahead&bit(to) != 0
}

// enPassantSet returns the square a pawn of the side to move would capture on
// en passant, as a set: empty if there is none, or if the pawn that the file
// names is not there.
func (p *Position) enPassantSet() uint64 {
	if p.enPassant < 0 {
		return 0
	}
	pawn := fileA << (p.enPassant & 7) & (firstRank << (24 + 8*(p.turn^1)))
	target := pawnStep(pawn, p.turn)
	if pawn&p.Pieces(p.turn.Other(), model.Pawn) == 0 {
		return 0
	}
	return target &^ p.Occupied()
}

// EnPassantAttacked reports whether a pawn of the side to move stands beside
// the pawn that has just advanced two squares, pinned or not.
func (p *Position) EnPassantAttacked() bool {
	target := p.enPassantSet()
	return target != 0 &&
		pawnAttacks[p.turn&1^1][first(target)&63]&p.Pieces(p.turn, model.Pawn) != 0
}

// EnPassantLegal reports whether the side to move has a legal en passant
// capture.
func (p *Position) EnPassantLegal() bool {
	var buf [2]model.Move
	return len(p.appendEnPassant(buf[:0])) != 0
}

// safe reports whether the king of the side to move is not attacked after the
// piece on from has gone to to, capturing what it can; not for castling.
func (p *Position) safe(from, to model.Square) bool {
	king := p.KingSquare(p.turn)
	if king == model.NoSquare {
		return true
	}
	occupied := p.Occupied()&^bit(from) | bit(to)
	captured := bit(to)
	if king == from {
		king = to
	} else if bit(from)&p.types[model.Pawn] != 0 && from&7 != to&7 && p.board[to&63] == model.NoPiece {
		captured = bit(from&56 | to&7)
		occupied &^= captured
	}
	enemy := p.turn.Other() & 1
	return !p.attackedBy(king, p.colors[enemy]&^captured, enemy, occupied)
}
