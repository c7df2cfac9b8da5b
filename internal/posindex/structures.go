package posindex

import (
	"math/bits"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// Material is how many pieces of each kind White and Black have. Kings do not count.
type Material [2][model.King]uint8

// MostOfKind is of how many pieces of one kind, and no more, an index can tell.
const MostOfKind = 15

// isStructure is set in all keys of material and of pawns but those of games that may have
// any.
const isStructure uint64 = 1 << 47

// key is the key of material: four bits for each kind, of White and then of Black. There
// is none of more pieces than MostOfKind.
func (m *Material) key() (key uint64, ok bool) {
	ok = true
	for c := range m {
		for t := model.Pawn; t < model.King; t++ {
			key = key<<4 | uint64(m[c][t]&MostOfKind)
			ok = ok && m[c][t] <= MostOfKind
		}
	}
	return materialKind | key | isStructure, ok
}

// materialOf counts what is on the board.
func materialOf(p *board.Position) (m Material) {
	for c := range model.Color(2) {
		for t := model.Pawn; t < model.King; t++ {
			m[c][t] = uint8(bits.OnesCount64(p.Pieces(c, t)))
		}
	}
	return m
}

// pawnKey is the key of the squares of pawns.
func pawnKey(white, black uint64) uint64 {
	z := white*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(black*0xd1342543de82ef95, 32)
	return pawnKind | mixed(z)>>17 | isStructure
}

// mixed is how SplitMix64 ends.
func mixed(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// structure is the one that was listed last of a game.
type structure struct {
	known        bool
	men          int
	white, black uint64 // pawns
}

// appendNew appends the keys of a position whose material or pawns are others than those
// of the one before.
func (s *structure) appendNew(dst []uint64, p *board.Position) []uint64 {
	now := structure{true, bits.OnesCount64(p.Occupied()), p.Pieces(model.White, model.Pawn), p.Pieces(model.Black, model.Pawn)}
	was := *s
	*s = now
	samePawns := was.white == now.white && was.black == now.black && was.known
	if !samePawns {
		dst = append(dst, pawnKey(now.white, now.black))
	}
	if samePawns && was.men == now.men {
		return dst
	}
	m := materialOf(p)
	key, ok := m.key()
	if !ok {
		key = materialKind
	}
	return append(dst, key)
}

// appendAlways appends the keys of a game that may have anything.
func (h *Head) appendAlways(dst []uint64) []uint64 {
	dst = append(dst, always)
	if h.Structures {
		dst = append(dst, materialKind, pawnKind)
	}
	return dst
}

// WithMaterial returns the games that had any of the given material on the board, and those,
// besides, that may have had it. Both ascend; no other game had it. The index must have
// structures.
func (x *Index) WithMaterial(list []Material) (listed, open []model.RecordID, err error) {
	keys := make([]uint64, 0, len(list))
	for i := range list {
		if key, ok := list[i].key(); ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return x.ask(keys, among(materialKind))
}

// WithPawns is WithMaterial for games with just the pawns of a position.
func (x *Index) WithPawns(p *board.Position) (listed, open []model.RecordID, err error) {
	return x.ask([]uint64{pawnKey(p.Pieces(model.White, model.Pawn), p.Pieces(model.Black, model.Pawn))}, among(pawnKind))
}
