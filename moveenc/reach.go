package moveenc

import "cbkit/model"

// Sets of squares: bit n is square n.
var (
	// reach are the squares that a piece attacks on an empty board, by piece
	// and square.
	reach [16][64]uint64
	// checking are the squares from which any piece could attack one.
	checking [64]uint64
	// path are the squares between two on a rank, a file or a diagonal.
	path [64][64]uint64
	// slides are the squares that must be free on the path of a piece.
	slides = [16]uint64{
		model.WhiteQueen: ^uint64(0), model.WhiteRook: ^uint64(0), model.WhiteBishop: ^uint64(0),
		model.BlackQueen: ^uint64(0), model.BlackRook: ^uint64(0), model.BlackBishop: ^uint64(0),
	}
)

// direction is a step without the modulo.
type direction struct{ file, rank int }

func init() {
	straight := []direction{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	oblique := []direction{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
	jumps := []direction{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}}
	for s := range model.Square(64) {
		for _, c := range []model.Color{model.White, model.Black} {
			of := func(t model.PieceType) *uint64 { return &reach[model.NewPiece(c, t)][s] }
			*of(model.Rook) = walk(s, straight, 7)
			*of(model.Bishop) = walk(s, oblique, 7)
			*of(model.Queen) = *of(model.Rook) | *of(model.Bishop)
			*of(model.King) = walk(s, straight, 1) | walk(s, oblique, 1)
			*of(model.Knight) = walk(s, jumps, 1)
			*of(model.Pawn) = walk(s, oblique[2*c:2*c+2], 1)
			checking[s] = *of(model.Queen) | *of(model.Knight)
		}
	}
}

// walk returns the squares up to n steps from s in each direction, and fills
// path on its way.
func walk(s model.Square, directions []direction, n int) uint64 {
	var all uint64
	for _, d := range directions {
		var passed uint64
		for k := 1; k <= n; k++ {
			file, rank := s.File()+k*d.file, s.Rank()+k*d.rank
			if file|rank < 0 || file|rank > 7 {
				break
			}
			to := model.NewSquare(file, rank)
			path[s][to] = passed
			passed |= set(to)
		}
		all |= passed
	}
	return all
}

func set(s model.Square) uint64 { return 1 << (s & squareSet) }
