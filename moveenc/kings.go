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
		if b.attackedOn(model.Square(bits.TrailingZeros64(squares)), by, occupied) {
			return true
		}
	}
	return false
}

// attackedOn is attacked for one square.
func (b *men) attackedOn(s model.Square, by model.Color, occupied uint64) bool {
	row := &path[s&squareSet]
	for from := checking[s&squareSet] & b.sides[by&1] & occupied; from != 0; from &= from - 1 {
		at := bits.TrailingZeros64(from) & squareSet
		piece := b.at[at].piece() & 15
		if reach[piece][at]&set(s) != 0 && row[at]&slides[piece]&occupied == 0 {
			return true
		}
	}
	return false
}

// inCheck reports whether the king of a colour is attacked.
func (b *men) inCheck(c model.Color) bool {
	king := b.king(c)
	return king != model.NoSquare && b.attackedOn(king, c^1, b.occupied())
}
