package board

import (
	"math/bits"

	"cbkit/model"
)

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

// Sliding attacks by hyperbola quintessence: subtracting the slider's bit
// twice from the occupied squares of its line flips every bit up to the first
// blocker. Reversed bytes give the other half of the line. Reversal does
// nothing for a rank, so ranks come from a table.
//
// It needs 2 KiB of tables. Magic bitboards, with 800 KiB, made perft faster
// by no more than 5 percent.
var (
	lines [64]struct{ file, diagonal, antidiagonal uint64 }
	// rankAttacks is indexed by the inner six squares of the rank and the
	// slider's file.
	rankAttacks [64][8]uint8
)

func fillLines() {
	for s := model.A1; s <= model.H8; s++ {
		lines[s].file = walkRays(s, straight[2:])
		lines[s].diagonal = walkRays(s, []step{oblique[0], oblique[3]})
		lines[s].antidiagonal = walkRays(s, oblique[1:3])
	}
	for inner := range rankAttacks {
		for file := range 8 {
			rankAttacks[inner][file] = rankReach(uint8(inner<<1), file)
		}
	}
}

// rankReach returns the squares of a rank that a rook on the file attacks.
func rankReach(occupied uint8, file int) uint8 {
	var reach uint8
	for _, step := range [2]int{1, -1} {
		for f := file + step; f >= 0 && f < 8; f += step {
			reach |= 1 << f
			if occupied>>f&1 != 0 {
				break
			}
		}
	}
	return reach
}

// rookAttacks returns the squares a rook on s attacks, blockers included.
func rookAttacks(s model.Square, occupied uint64) uint64 {
	shift := s & 56
	rank := uint64(rankAttacks[occupied>>shift>>1&63][s&7]) << shift
	return rank | lineAttacks(s, occupied, lines[s&63].file)
}

// bishopAttacks returns the squares a bishop on s attacks, blockers included.
func bishopAttacks(s model.Square, occupied uint64) uint64 {
	l := &lines[s&63]
	return lineAttacks(s, occupied, l.diagonal) | lineAttacks(s, occupied, l.antidiagonal)
}

func lineAttacks(s model.Square, occupied, line uint64) uint64 {
	occupied &= line
	up := occupied - bit(s)<<1
	down := bits.ReverseBytes64(bits.ReverseBytes64(occupied) - bit(s.Mirror())<<1)
	return (up ^ down) & line
}

// forward returns the distance between a pawn's square and the one ahead, as a
// rotation of bitboards: 8 upwards for White, 8 downwards for Black.
func forward(c model.Color) int { return 8 - 16*int(c&1) }

// pawnStep moves a set of pawns one square ahead; those on their last rank
// leave the board.
func pawnStep(pawns uint64, c model.Color) uint64 {
	if c == model.White {
		return pawns << 8
	}
	return pawns >> 8
}

// doubleStepRank returns the rank a pawn crosses when it advances two squares.
func doubleStepRank(c model.Color) uint64 {
	if c == model.White {
		return firstRank << 16
	}
	return firstRank << 40
}

// lastRank returns the rank where a pawn promotes.
func lastRank(c model.Color) uint64 {
	if c == model.White {
		return firstRank << 56
	}
	return firstRank
}

// pawnTargets holds the squares that a set of pawns can go to, by direction.
type pawnTargets struct{ step, double, west, east uint64 }

// pawnTargets returns where the pawns can go within allowed, en passant left
// aside.
func (p *Position) pawnTargets(pawns, allowed uint64) pawnTargets {
	up := forward(p.turn)
	pawns &^= lastRank(p.turn)
	empty := ^p.Occupied()
	enemy := p.colors[p.turn&1^1] & allowed
	step := bits.RotateLeft64(pawns, up) & empty
	double := bits.RotateLeft64(step&doubleStepRank(p.turn), up) & empty
	return pawnTargets{
		step: step & allowed, double: double & allowed,
		west: bits.RotateLeft64(pawns&^fileA, up-1) & enemy,
		east: bits.RotateLeft64(pawns&^fileH, up+1) & enemy,
	}
}

func (t *pawnTargets) any() bool { return t.step|t.double|t.west|t.east != 0 }

func (p *Position) appendPawns(dst []model.Move, pawns, allowed uint64) []model.Move {
	t := p.pawnTargets(pawns, allowed)
	up := forward(p.turn)
	last := lastRank(p.turn)
	if (t.step|t.west|t.east)&last != 0 {
		dst = appendPromotions(dst, t.step&last, up)
		dst = appendPromotions(dst, t.west&last, up-1)
		dst = appendPromotions(dst, t.east&last, up+1)
	}
	dst = appendShifted(dst, t.step&^last, up)
	dst = appendShifted(dst, t.double, 2*up)
	dst = appendShifted(dst, t.west&^last, up-1)
	return appendShifted(dst, t.east&^last, up+1)
}

// appendShifted appends the moves that end on the targets and start the
// distance before them.
func appendShifted(dst []model.Move, targets uint64, distance int) []model.Move {
	for ; targets != 0; targets &= targets - 1 {
		to := first(targets)
		dst = append(dst, model.NewMove(to-model.Square(distance), to))
	}
	return dst
}

func appendPromotions(dst []model.Move, targets uint64, distance int) []model.Move {
	for ; targets != 0; targets &= targets - 1 {
		to := first(targets)
		from := to - model.Square(distance)
		for t := model.Queen; t >= model.Knight; t-- {
			dst = append(dst, model.NewPromotion(from, to, t))
		}
	}
	return dst
}

// appendEnPassant appends the legal en passant captures.
func (p *Position) appendEnPassant(dst []model.Move) []model.Move {
	target := p.enPassantSet()
	if target == 0 {
		return dst
	}
	to := first(target)
	pawns := pawnAttacks[p.turn&1^1][to&63] & p.Pieces(p.turn, model.Pawn)
	for ; pawns != 0; pawns &= pawns - 1 {
		if from := first(pawns); p.safe(from, to) {
			dst = append(dst, model.NewMove(from, to))
		}
	}
	return dst
}
