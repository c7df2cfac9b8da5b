package moveenc

import (
	"math/bits"

	"cbkit/board"
	"cbkit/model"
)

// unchecked returns the sign of an accepted move that is to be made, without what
// it says of check or mate.
func (b *men) unchecked(m model.Move, ch change) model.Sign {
	if m.IsNull() {
		return 0
	}
	kind := ch.moved.kind()
	s := model.Sign(kind)
	if ch.captured != nobody {
		s |= model.SignCapture
	}
	if kind == model.Pawn || kind == model.King {
		return s
	}
	from, to := m.From(), m.To()
	rivals := b.kinds[kind&7] & b.sides[b.turn&1] & reach[kind&7][to&squareSet] &^ set(from)
	if rivals != 0 {
		s |= b.origin(rivals, from, to)
	}
	return s
}

// origin says what tells the piece on from apart from those of its rivals that
// may go to the same square: nothing stands between, and they are not pinned.
func (b *men) origin(rivals uint64, from, to model.Square) model.Sign {
	occupied := b.occupied()
	king, enemies := b.king(b.turn), b.sides[b.turn&1^1]&^set(to)
	row := &path[to&squareSet]
	for rest := rivals; rest != 0; rest &= rest - 1 {
		s := model.Square(bits.TrailingZeros64(rest))
		blocked := row[s&squareSet]&occupied != 0 && b.at[s&squareSet].kind() != model.Knight
		if blocked || king != model.NoSquare && b.attackedBy(king, enemies, b.turn^1, occupied&^set(s)|set(to)) {
			rivals &^= set(s)
		}
	}
	return board.Origin(rivals, from)
}

// judge looks at both kings after a move, which is no null move: it notes whether
// the move leaves the own one in check, and adds check and mate to its sign.
func (d *decoder) judge(node int) {
	g := d.game
	exposed, check := d.attackedKings()
	if exposed && g.CheckKings && g.Exposed == model.NoNode {
		g.Exposed = node
	}
	if check {
		g.Signs[node] |= model.SignCheck
		if !d.kingEscapes() && !d.hasLegalMove() {
			g.Signs[node] |= model.SignMate
		}
	}
}

// kingEscapes reports whether the king of the side to move has a square to go to.
func (b *men) kingEscapes() bool {
	king := b.king(b.turn)
	free := attackersOf[king&squareSet].king &^ (b.sides[b.turn&1] | b.kinds[model.King])
	occupied := b.occupied() &^ set(king)
	for ; free != 0; free &= free - 1 {
		s := model.Square(bits.TrailingZeros64(free))
		if !b.attackedBy(s, b.sides[b.turn&1^1], b.turn^1, occupied) {
			return true
		}
	}
	return false
}

// hasLegalMove asks a board whether the side to move, which is in check, has a
// legal move.
func (b *men) hasLegalMove() bool {
	p := model.Position{Turn: b.turn & 1, Rights: model.NoRights(), EnPassant: b.enPassant, FullMove: 1, Chess960: b.chess960}
	for s := range b.at {
		p.Board[s] = b.at[s].piece()
	}
	on, err := board.New(&p)
	return err == nil && on.HasLegalMove()
}
