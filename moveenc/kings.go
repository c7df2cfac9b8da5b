package moveenc

import (
	"math/bits"

	"cbkit/model"
)

// attacked reports whether a piece of a colour attacks one of the squares of a
// set, with other squares occupied than really are. An attacker that stands on
// a square which is not occupied does not count.
func (b *men) attacked(squares uint64, by model.Color, occupied uint64) bool {
	for ; squares != 0; squares &= squares - 1 {
		s := model.Square(bits.TrailingZeros64(squares))
		if b.attackedBy(s, b.sides[by&1]&occupied, by, occupied) {
			return true
		}
	}
	return false
}

// attackedBy is attacked for one square, and with some of the attackers only.
func (b *men) attackedBy(s model.Square, attackers uint64, by model.Color, occupied uint64) bool {
	to := &attackersOf[s&squareSet]
	kinds := &b.kinds
	if attackers&(to.knight&kinds[model.Knight]|to.king&kinds[model.King]|to.pawn[by&1]&kinds[model.Pawn]) != 0 {
		return true
	}
	queens := kinds[model.Queen]
	snipers := attackers & (to.rook&(kinds[model.Rook]|queens) | to.bishop&(kinds[model.Bishop]|queens))
	for row := &path[s&squareSet]; snipers != 0; snipers &= snipers - 1 {
		if row[bits.TrailingZeros64(snipers)&squareSet]&occupied == 0 {
			return true
		}
	}
	return false
}

// inCheck reports whether the king of a colour is attacked.
func (b *men) inCheck(c model.Color) bool {
	king := b.king(c)
	return king != model.NoSquare && b.attackedBy(king, b.sides[c&1^1], c^1, b.occupied())
}
