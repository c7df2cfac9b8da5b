package derive

import (
	"math/bits"

	"cbkit/board"
	"cbkit/model"
)

// Material is what one side has on the board, as a 16-bit word: pawns in bits
// 12-15, queens 9-11, knights 6-8, bishops 3-5, rooks 0-2. A number too large
// for its field is stored as the field's largest. The starting position has
// 0x8292. (docs/formats/cbh-entities.md 5.1)
type Material uint16

// materialField is where the number of a kind of piece stands in a word.
type materialField struct {
	kind  model.PieceType
	shift uint
	limit int
}

// materialFields lists, for each kind of piece, the lowest bit of its field
// and the largest number the field holds.
var materialFields = [...]materialField{
	{model.Pawn, 12, 15},
	{model.Queen, 9, 7},
	{model.Knight, 6, 7},
	{model.Bishop, 3, 7},
	{model.Rook, 0, 7},
}

// MaterialOf counts the pieces of one side.
func MaterialOf(p *board.Position, c model.Color) Material {
	var m Material
	for _, f := range materialFields {
		n := bits.OnesCount64(p.Pieces(c, f.kind))
		m |= Material(min(n, f.limit)) << f.shift
	}
	return m
}

// Sorted returns the words of both sides as databases store them: the larger
// number first, whichever side it belongs to.
func Sorted(m [2]Material) (first, second Material) {
	return max(m[0], m[1]), min(m[0], m[1])
}
