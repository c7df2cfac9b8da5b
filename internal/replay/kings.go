package replay

import (
	"math/bits"

	"cbkit/model"
)

// attacked reports whether a piece of a colour attacks one of the squares of a
// set, with other squares occupied than really are. An attacker that stands on
// a square which is not occupied does not count.
func (b *Board) attacked(squares uint64, by model.Color, occupied uint64) bool {
	for ; squares != 0; squares &= squares - 1 {
		s := model.Square(bits.TrailingZeros64(squares))
		if b.attackedBy(s, b.sides[by&1]&occupied, by, occupied) {
			return true
		}
	}
	return false
}

// attackedBy is attacked for one square, and with some of the attackers only.
func (b *Board) attackedBy(s model.Square, attackers uint64, by model.Color, occupied uint64) bool {
	to := &attackersOf[s&squareSet]
	kinds := &b.kinds
	if attackers&(to.knight&kinds[model.Knight]|to.king&kinds[model.King]|to.pawn[by&1]&kinds[model.Pawn]) != 0 {
		return true
	}
	queens := kinds[model.Queen]
	snipers := attackers & (to.rook&(kinds[model.Rook]|queens) | to.bishop&(kinds[model.Bishop]|queens))
	return anyFree(&path[s&squareSet], snipers, occupied)
}

// anyFree reports whether the path from one of the snipers has no occupied square.
func anyFree(row *[64]uint64, snipers, occupied uint64) bool {
	for ; snipers != 0; snipers &= snipers - 1 {
		if row[bits.TrailingZeros64(snipers)&squareSet]&occupied == 0 {
			return true
		}
	}
	return false
}

// AttackedKings reports whether the king of the side that has moved is attacked, and
// that of the side to move: InCheck for both, for less than twice its cost.
func (b *Board) AttackedKings() (moved, toMove bool) {
	us, them := b.Turn&1^1, b.Turn&1
	ours, theirs := b.King(us), b.King(them)
	if ours|theirs >= model.NoSquare {
		return b.InCheck(us), b.InCheck(them)
	}
	our, their := &attackersOf[ours&squareSet], &attackersOf[theirs&squareSet]
	friends, enemies := b.sides[us], b.sides[them]
	kinds := &b.kinds
	knights, kings, pawns := kinds[model.Knight], kinds[model.King], kinds[model.Pawn]
	straight, diagonal := kinds[model.Rook]|kinds[model.Queen], kinds[model.Bishop]|kinds[model.Queen]
	moved = enemies&(our.knight&knights|our.king&kings|our.pawn[them]&pawns) != 0 ||
		anyFree(&path[ours&squareSet], enemies&(our.rook&straight|our.bishop&diagonal), friends|enemies)
	toMove = friends&(their.knight&knights|their.king&kings|their.pawn[us]&pawns) != 0 ||
		anyFree(&path[theirs&squareSet], friends&(their.rook&straight|their.bishop&diagonal), friends|enemies)
	return moved, toMove
}

// InCheck reports whether the king of a colour is attacked.
func (b *Board) InCheck(c model.Color) bool {
	king := b.King(c)
	return king != model.NoSquare && b.attackedBy(king, b.sides[c&1^1], c^1, b.occupied())
}
