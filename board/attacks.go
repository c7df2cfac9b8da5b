package board

import "cbkit/model"

// Squares attacked on an empty board, and the squares strictly between two
// squares on a common rank, file or diagonal (none if they share no line).
var (
	pawnAttacks   [2][64]uint64
	knightAttacks [64]uint64
	kingAttacks   [64]uint64
	rookRays      [64]uint64
	bishopRays    [64]uint64
	between       [64][64]uint64
	// pieceRays has what a piece of each type attacks, none for pawns, so that
	// it need not be told which table is that of a type.
	pieceRays [8][64]uint64
)

const (
	fileA     uint64 = 0x0101010101010101
	fileH            = fileA << 7
	firstRank uint64 = 0xFF
)

// step is one king's step or one knight's jump.
type step struct{ file, rank int }

var (
	straight = []step{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	oblique  = []step{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}
	jumps    = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

func init() {
	for s := model.A1; s <= model.H8; s++ {
		rookRays[s] = walkRays(s, straight)
		bishopRays[s] = walkRays(s, oblique)
		kingAttacks[s] = leap(s, append(straight[:4:4], oblique...))
		knightAttacks[s] = leap(s, jumps)
		pawnAttacks[model.White][s] = leap(s, oblique[:2])
		pawnAttacks[model.Black][s] = leap(s, oblique[2:])
		pieceRays[model.Knight][s], pieceRays[model.King][s] = knightAttacks[s], kingAttacks[s]
		pieceRays[model.Bishop][s], pieceRays[model.Rook][s] = bishopRays[s], rookRays[s]
		pieceRays[model.Queen][s] = rookRays[s] | bishopRays[s]
	}
	fillLines()
}

// walkRays returns the squares from s to the edges along the steps, and fills
// between on its way.
func walkRays(s model.Square, steps []step) uint64 {
	var seen uint64
	for _, d := range steps {
		var path uint64
		for t := d.from(s); t != model.NoSquare; t = d.from(t) {
			between[s][t] = path
			path |= bit(t)
		}
		seen |= path
	}
	return seen
}

func leap(s model.Square, steps []step) uint64 {
	var seen uint64
	for _, d := range steps {
		if t := d.from(s); t != model.NoSquare {
			seen |= bit(t)
		}
	}
	return seen
}

// from returns the square one step from s, NoSquare beyond the edge.
func (d step) from(s model.Square) model.Square {
	file, rank := s.File()+d.file, s.Rank()+d.rank
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return model.NoSquare
	}
	return model.NewSquare(file, rank)
}

func bit(s model.Square) uint64 { return 1 << (s & 63) }
