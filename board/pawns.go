package board

import (
	"math/bits"

	"cbkit/model"
)

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
