package replay

import (
	"math/bits"

	"cbkit/board"
	"cbkit/model"
)

// Unchecked returns the sign of an accepted move that is to be made, without what
// it says of check or mate.
func (b *Board) Unchecked(m model.Move, ch Change) model.Sign {
	if m.IsNull() {
		return 0
	}
	kind := ch.moved.Kind()
	s := model.Sign(kind)
	if ch.captured != Nobody {
		s |= model.SignCapture
	}
	if kind == model.Pawn || kind == model.King {
		return s
	}
	from, to := m.From(), m.To()
	rivals := b.kinds[kind&7] & b.sides[b.Turn&1] & reach[kind&7][to&squareSet] &^ set(from)
	if rivals != 0 {
		s |= b.origin(rivals, from, to)
	}
	return s
}

// origin says what tells the piece on from apart from those of its rivals that
// may go to the same square: nothing stands between, and they are not pinned.
func (b *Board) origin(rivals uint64, from, to model.Square) model.Sign {
	occupied := b.occupied()
	king, enemies := b.King(b.Turn), b.sides[b.Turn&1^1]&^set(to)
	row := &path[to&squareSet]
	for rest := rivals; rest != 0; rest &= rest - 1 {
		s := model.Square(bits.TrailingZeros64(rest))
		blocked := row[s&squareSet]&occupied != 0 && b.At[s&squareSet].Kind() != model.Knight
		if blocked || king != model.NoSquare && b.attackedBy(king, enemies, b.Turn^1, occupied&^set(s)|set(to)) {
			rivals &^= set(s)
		}
	}
	return board.Origin(rivals, from)
}

// CheckSign returns the sign of the move that gave check to the side to move.
func (b *Board) CheckSign() model.Sign {
	if b.kingEscapes() || b.hasLegalMove() {
		return model.SignCheck
	}
	return model.SignCheck | model.SignMate
}

// kingEscapes reports whether the king of the side to move has a square to go to.
func (b *Board) kingEscapes() bool {
	king := b.King(b.Turn)
	free := attackersOf[king&squareSet].king &^ (b.sides[b.Turn&1] | b.kinds[model.King])
	occupied := b.occupied() &^ set(king)
	for ; free != 0; free &= free - 1 {
		s := model.Square(bits.TrailingZeros64(free))
		if !b.attackedBy(s, b.sides[b.Turn&1^1], b.Turn^1, occupied) {
			return true
		}
	}
	return false
}

// hasLegalMove asks a board whether the side to move, which is in check, has a
// legal move.
func (b *Board) hasLegalMove() bool {
	p := model.Position{Turn: b.Turn & 1, Rights: model.NoRights(), EnPassant: b.enPassant, FullMove: 1, Chess960: b.Chess960}
	for s := range b.At {
		p.Board[s] = b.At[s].Piece()
	}
	on, err := board.New(&p)
	return err == nil && on.HasLegalMove()
}
