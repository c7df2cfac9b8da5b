package posindex

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"cbkit/board"
	"cbkit/internal/derive"
	"cbkit/model"
)

// Kinds of keys, in the order of the file: a key is its kind and 48 bits.
const (
	positionKind uint64 = iota << 48
	lateKind
	gameKind
	materialKind // these two are there for Head.Structures alone
	pawnKind
	noKind // behind all keys
)

// keySize is how many bytes a key has, the highest first.
const keySize = 7

// appendKey appends a key.
func appendKey(dst []byte, key uint64) []byte {
	return binary.BigEndian.AppendUint64(dst, key<<8)[:len(dst)+keySize]
}

// keyAt reads what appendKey appends.
func keyAt(b []byte) uint64 {
	return uint64(binary.BigEndian.Uint32(b))<<24 | uint64(binary.BigEndian.Uint32(b[3:]))&0xFFFFFF
}

// positionKey is the key of a position: the upper bits of [board.Position.DiagramKey].
func positionKey(p *board.Position) uint64 { return positionKind | p.DiagramKey()>>16 }

// gameKey is the key of a game by its moves.
func gameKey(g *model.Game) (key uint64) {
	for _, hash := range derive.Beginnings(g) {
		key = hash >> 16
	}
	return gameKind | key
}

// always is the late key of games that may have any position: those that cannot be played
// through, and those with pawns where none can come to.
const always = lateKind

// Where a late key has what. (docs/formats/positions.md 4)
const (
	lateMen   = 40 // 63 less the number of men
	lateWhite = 36 // white pawns
	lateBlack = 32
	lateHome  = 24 // white pawns on the second rank; eight bits behind, black ones on the seventh
	lateThird = 8  // white pawns on the third rank; eight bits behind, black ones on the sixth
	mostMen   = 63
	mostPawns = 15
)

// lateKey says of a position what bounds those that can come after it.
func lateKey(p *board.Position) uint64 {
	white, black := p.Pieces(model.White, model.Pawn), p.Pieces(model.Black, model.Pawn)
	men := bits.OnesCount64(p.Occupied())
	return lateKind | uint64(mostMen-men)<<lateMen |
		uint64(min(bits.OnesCount64(white), mostPawns))<<lateWhite | uint64(min(bits.OnesCount64(black), mostPawns))<<lateBlack |
		rank(white, 1)<<lateHome | rank(black, 6)<<(lateHome-8) | rank(white, 2)<<lateThird | rank(black, 5)<<(lateThird-8)
}

// rank returns the squares of a rank, counted from 0.
func rank(squares uint64, n int) uint64 { return squares >> (8 * n) & 0xFF }

// canFollow reports whether a position can come in a game behind one with a late key:
// men go and pawns advance, never the other way.
func canFollow(late, want uint64) bool {
	if late == always {
		return true
	}
	part := func(key uint64, shift, mask int) int { return int(key>>shift) & mask }
	if late>>lateMen > want>>lateMen ||
		part(late, lateWhite, mostPawns) < part(want, lateWhite, mostPawns) ||
		part(late, lateBlack, mostPawns) < part(want, lateBlack, mostPawns) {
		return false
	}
	for side := range 2 {
		home, third := part(late, lateHome-8*side, 0xFF), part(late, lateThird-8*side, 0xFF)
		if part(want, lateHome-8*side, 0xFF)&^home != 0 ||
			part(want, lateThird-8*side, 0xFF)&^(third|home|home<<1|home>>1) != 0 {
			return false
		}
	}
	return true
}

// hasOddPawns reports whether a pawn stands where no pawn comes to.
func hasOddPawns(p *board.Position) bool {
	pawns := p.Pieces(model.White, model.Pawn) | p.Pieces(model.Black, model.Pawn)
	return rank(pawns, 0)|rank(pawns, 7) != 0
}

// appendSorted appends the keys of a game in their order, each once.
func (h *Head) appendSorted(dst []uint64, g *model.Game) []uint64 {
	from := len(dst)
	dst = h.appendKeys(dst, g)
	own := dst[from:]
	slices.Sort(own)
	return dst[:from+len(slices.Compact(own))]
}

// appendKeys appends the keys of a game as it comes to them; of nil those of a game that
// cannot be played through.
func (h *Head) appendKeys(dst []uint64, g *model.Game) []uint64 {
	if g == nil || g.MovesErr != nil {
		return h.appendAlways(dst)
	}
	p, err := board.New(g.Start)
	if err != nil {
		return h.appendAlways(dst)
	}
	odd, late := hasOddPawns(&p), false
	var s structure
	main := g.Moves.Nodes()[:g.Moves.MainLen()]
	for ply := 0; ; ply++ {
		few := bits.OnesCount64(p.Occupied()) <= h.Men
		switch {
		case ply <= h.Plies || few:
			dst = append(dst, positionKey(&p))
		case !late && odd:
			dst, late = append(dst, always), true
		case !late:
			dst, late = append(dst, lateKey(&p)), true
		}
		if h.Structures {
			dst = s.appendNew(dst, &p)
		}
		if ply == len(main) {
			break
		}
		p.Make(main[ply].Move)
	}
	return append(dst, gameKey(g))
}
