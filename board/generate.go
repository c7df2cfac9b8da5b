package board

import (
	"cbkit/model"
)

// survey is what makes a move illegal for the side to move.
type survey struct {
	king model.Square
	// checkers attack the king. pinners would if one piece, in pinned, were
	// not between.
	checkers, pinners, pinned uint64
	// allowed has the squares where a piece other than the king may go: not
	// on its own kind or a king, and if there is a check, where it ends.
	allowed uint64
}

func (p *Position) survey() survey {
	us, them := p.colors[p.turn&1], p.colors[p.turn&1^1]
	v := survey{king: p.KingSquare(p.turn), allowed: ^(us | p.types[model.King])}
	if v.king == model.NoSquare {
		return v
	}
	k := v.king & 63
	v.checkers = them & (knightAttacks[k]&p.types[model.Knight] |
		pawnAttacks[p.turn&1][k]&p.types[model.Pawn] |
		kingAttacks[k]&p.types[model.King])
	row := &between[k]
	for snipers := them & p.sliders(k); snipers != 0; snipers &= snipers - 1 {
		s := first(snipers)
		switch blockers := row[s&63] & (us | them); {
		case blockers == 0:
			v.checkers |= bit(s)
		case blockers&(blockers-1) == 0 && blockers&us != 0:
			v.pinners |= bit(s)
			v.pinned |= blockers
		}
	}
	switch {
	case v.checkers == 0:
	case v.checkers&(v.checkers-1) == 0:
		v.allowed &= row[first(v.checkers)&63] | v.checkers
	default:
		v.allowed = 0
	}
	return v
}

// AppendLegal appends the legal moves to dst: castling by the rights, no null move, kings
// not captured. No move occurs twice. The order is the same every time but has no
// meaning. A position that arises in a game has at most 218.
func (p *Position) AppendLegal(dst []model.Move) []model.Move {
	v := p.survey()
	us := p.colors[p.turn&1]
	if v.allowed != 0 {
		free := us &^ v.pinned
		dst = p.appendPawns(dst, free&p.types[model.Pawn], v.allowed)
		dst = p.appendPieces(dst, free, v.allowed)
		for pinners := v.pinners; pinners != 0; pinners &= pinners - 1 {
			s := first(pinners)
			line := between[v.king&63][s&63] | bit(s)
			pinned := line & us
			dst = p.appendPawns(dst, pinned&p.types[model.Pawn], line&v.allowed)
			dst = p.appendPieces(dst, pinned, line&v.allowed)
		}
		dst = p.appendEnPassant(dst)
	}
	if v.king != model.NoSquare {
		dst = appendTargets(dst, v.king, p.kingTargets(v.king, 8))
		dst = p.appendCastling(dst, v.king)
	}
	return dst
}

// appendPieces appends the moves of those pieces in the set that are neither
// pawns nor kings.
func (p *Position) appendPieces(dst []model.Move, pieces, allowed uint64) []model.Move {
	occupied := p.Occupied()
	for set := pieces & p.types[model.Knight]; set != 0; set &= set - 1 {
		s := first(set)
		dst = appendTargets(dst, s, knightAttacks[s&63]&allowed)
	}
	for set := pieces & (p.types[model.Bishop] | p.types[model.Queen]); set != 0; set &= set - 1 {
		s := first(set)
		dst = appendTargets(dst, s, bishopAttacks(s, occupied)&allowed)
	}
	for set := pieces & (p.types[model.Rook] | p.types[model.Queen]); set != 0; set &= set - 1 {
		s := first(set)
		dst = appendTargets(dst, s, rookAttacks(s, occupied)&allowed)
	}
	return dst
}

func appendTargets(dst []model.Move, from model.Square, targets uint64) []model.Move {
	for ; targets != 0; targets &= targets - 1 {
		dst = append(dst, model.NewMove(from, first(targets)))
	}
	return dst
}

// kingTargets returns where the king can go, castling left aside: all squares,
// or no more than some number of them.
func (p *Position) kingTargets(king model.Square, most int) (targets uint64) {
	enemy := p.turn.Other() & 1
	occupied := p.Occupied() &^ bit(king)
	near := kingAttacks[king&63] &^ (p.colors[p.turn&1] | p.types[model.King])
	for ; near != 0 && most > 0; near &= near - 1 {
		if s := first(near); !p.attackedBy(s, p.colors[enemy], enemy, occupied) {
			targets |= bit(s)
			most--
		}
	}
	return targets
}

func (p *Position) appendCastling(dst []model.Move, king model.Square) []model.Move {
	for wing, rook := range p.rights[p.turn&1] {
		if rook >= model.NoSquare || (rook > king) != (model.Side(wing) == model.KingSide) {
			continue
		}
		if m := model.NewCastling(king, rook); p.canCastle(m) {
			dst = append(dst, m)
		}
	}
	return dst
}

// HasLegalMove reports whether there is a legal move, without listing them.
func (p *Position) HasLegalMove() bool {
	if king := p.KingSquare(p.turn); king != model.NoSquare && p.kingTargets(king, 1) != 0 {
		return true
	}
	v := p.survey()
	us := p.colors[p.turn&1]
	if v.allowed == 0 {
		return false
	}
	if p.canMove(us&^v.pinned, v.allowed) {
		return true
	}
	for pinners := v.pinners; pinners != 0; pinners &= pinners - 1 {
		s := first(pinners)
		line := between[v.king&63][s&63] | bit(s)
		if p.canMove(line&us, line&v.allowed) {
			return true
		}
	}
	// In Chess960 castling can be the only move: king g1, rook h1, f1 attacked.
	var buf [2]model.Move
	return p.EnPassantLegal() ||
		v.king != model.NoSquare && len(p.appendCastling(buf[:0], v.king)) != 0
}

// canMove reports whether any piece of the set, kings left aside, can go to an
// allowed square.
func (p *Position) canMove(pieces, allowed uint64) bool {
	if t := p.pawnTargets(pieces&p.types[model.Pawn], allowed); t.any() {
		return true
	}
	occupied := p.Occupied()
	for set := pieces &^ (p.types[model.Pawn] | p.types[model.King]); set != 0; set &= set - 1 {
		s := first(set)
		var targets uint64
		switch t := p.board[s&63].Type(); t {
		case model.Knight:
			targets = knightAttacks[s&63]
		case model.Bishop:
			targets = bishopAttacks(s, occupied)
		case model.Rook:
			targets = rookAttacks(s, occupied)
		default:
			targets = bishopAttacks(s, occupied) | rookAttacks(s, occupied)
		}
		if targets&allowed != 0 {
			return true
		}
	}
	return false
}

// IsCheckmate reports whether the side to move is in check and has no legal
// move.
func (p *Position) IsCheckmate() bool { return p.InCheck() && !p.HasLegalMove() }

// IsStalemate reports whether the side to move is not in check and has no
// legal move.
func (p *Position) IsStalemate() bool { return !p.InCheck() && !p.HasLegalMove() }
