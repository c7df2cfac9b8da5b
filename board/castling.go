package board

import (
	"math/bits"

	"cbkit/model"
)

// castle moves the king onto its target and the rook onto its own.
func (p *Position) castle(m model.Move, king model.Piece) {
	rook := king&8 | model.Piece(model.Rook)
	p.take(m.From(), king)
	p.take(m.To(), rook)
	p.put(m.KingTarget(), king)
	p.put(m.RookTarget(), rook)
}

func (p *Position) uncastle(m model.Move, king model.Piece) {
	rook := king&8 | model.Piece(model.Rook)
	p.take(m.KingTarget(), king)
	p.take(m.RookTarget(), rook)
	p.put(m.From(), king)
	p.put(m.To(), rook)
}

// castlingFits reports whether king and rook of one colour stand on the
// squares of a castling move, on one rank, with their targets free.
func (p *Position) castlingFits(m model.Move) bool {
	king, rook := m.From(), m.To()
	piece := p.board[king]
	return piece.Type() == model.King &&
		p.board[rook] == piece&8|model.Piece(model.Rook) &&
		king&56 == rook&56 &&
		(bit(m.KingTarget())|bit(m.RookTarget()))&p.Occupied()&^(bit(king)|bit(rook)) == 0
}

// forfeit takes away the rights that end when something moves from or to a
// guarded square.
func (p *Position) forfeit(from, to model.Square, moved model.Piece) {
	for c := range p.rights {
		for wing, rook := range p.rights[c] {
			if rook == from || rook == to {
				p.rights[c][wing] = model.NoSquare
			}
		}
		if moved == model.NewPiece(model.Color(c), model.King) {
			p.rights[c] = model.NoRights()[c]
		}
	}
	p.guard = p.guarded()
}

// guarded returns the squares of the rooks that have a right and of their
// kings.
func (p *Position) guarded() uint64 {
	var set uint64
	for c, rooks := range p.rights {
		for _, rook := range rooks {
			if rook < model.NoSquare {
				set |= bit(rook) | p.types[model.King]&p.colors[c]
			}
		}
	}
	return set
}

// hasRight reports whether the side to move has the right to this castling.
func (p *Position) hasRight(m model.Move) bool {
	wing := model.QueenSide
	if m.IsShortCastling() {
		wing = model.KingSide
	}
	return p.rights[p.turn&1][wing] == m.To()
}

// canCastle reports whether the side to move may make the castling move as far
// as the board goes: everything except the right.
func (p *Position) canCastle(m model.Move) bool {
	king, rook := m.From(), m.To()
	if king != p.KingSquare(p.turn) || !p.castlingFits(m) || king>>3 != homeRank(p.turn) {
		return false
	}
	if !p.chess960 && (king&7 != model.E1 || rook&7 != model.A1 && rook&7 != model.H1) {
		return false
	}
	occupied := p.Occupied() &^ (bit(king) | bit(rook))
	kingPath := between[king][m.KingTarget()&63] | bit(m.KingTarget())
	rookPath := between[rook][m.RookTarget()&63]
	if (kingPath|rookPath)&occupied != 0 {
		return false
	}
	// With the rook lifted, an attack from behind it counts too: its new place
	// never shields the king's.
	for path := kingPath | bit(king); path != 0; path &= path - 1 {
		if p.attacked(first(path), p.turn.Other(), occupied) {
			return false
		}
	}
	return true
}

// homeRank returns the rank, from 0, where a colour's pieces start.
func homeRank(c model.Color) model.Square { return model.Square(c&1) * 7 }

func packRights(r *model.CastlingRights) uint32 {
	return uint32(r[0][0]) | uint32(r[0][1])<<8 | uint32(r[1][0])<<16 | uint32(r[1][1])<<24
}

func unpackRights(r *model.CastlingRights, v uint32) {
	r[0][0], r[0][1] = model.Square(v), model.Square(v>>8)
	r[1][0], r[1][1] = model.Square(v>>16), model.Square(v>>24)
}

// castlingTowards returns the castling that the side to move can make towards
// the wing: with the rook that has the right, else with the outermost rook on
// the king's rank. NullMove if there is none.
func (p *Position) castlingTowards(wing model.Side) model.Move {
	king := p.KingSquare(p.turn)
	if king == model.NoSquare {
		return model.NullMove
	}
	outermost := outermostRook(p.Pieces(p.turn, model.Rook), king, wing)
	for _, rook := range [2]model.Square{p.rights[p.turn&1][wing], outermost} {
		if rook >= model.NoSquare || (rook > king) != (wing == model.KingSide) {
			continue
		}
		if m := model.NewCastling(king, rook); p.canCastle(m) {
			return m
		}
	}
	return model.NullMove
}

// outermostRook returns the rook on the king's rank that is farthest from it
// towards the wing, NoSquare if there is none.
func outermostRook(rooks uint64, king model.Square, wing model.Side) model.Square {
	rooks &= firstRank << (king & 56)
	if wing == model.QueenSide {
		return first(rooks & (bit(king) - 1))
	}
	if rooks &^= bit(king)<<1 - 1; rooks == 0 {
		return model.NoSquare
	}
	return model.Square(bits.Len64(rooks) - 1)
}
