package ctgwrite

import (
	"hash/maphash"

	"cbkit/internal/ctg"
)

// table counts positions in memory until it is full.
//
// Everything is in a few flat slices, found through open addressing. A slot is
// 32 bits of the hash and, below, the position's number plus one.
type table struct {
	seed  maphash.Seed
	slots []uint64
	keys  []ctg.Key
	sums  []sum
	moves []moveCount
	max   int // positions
	line  uint32
}

// sum is what is known of a position. Figures are of the side to move.
type sum struct {
	ownSum, opponentSum        uint64
	games, wins, losses, draws uint32
	score                      uint32
	ownGames, opponentGames    uint32
	// line is the last line that was counted here.
	line uint32
	// moves is the number of the first move plus one.
	moves uint32
	// onPath is how often the position is on the way to the variation that is
	// being counted.
	onPath uint32
}

// moveCount is a move of a position, in a list.
type moveCount struct {
	count uint32
	next  uint32 // number plus one
	code  byte
}

// positionSize is how much memory a position takes, with its moves and the
// room that slices grow into.
const positionSize = 256

func newTable(memory int) *table {
	return &table{seed: maphash.MakeSeed(), slots: make([]uint64, 1<<10), max: max(memory/positionSize, 1<<10)}
}

// full reports whether the table should be emptied. It looks at the memory
// after a line, and a line's positions always fit.
func (t *table) full() bool { return len(t.keys) >= t.max || len(t.moves) >= 2*t.max }

// find returns the number of a position, which is added if it is new; grow
// must have made room.
func (t *table) find(key *ctg.Key) uint32 {
	hash := maphash.Bytes(t.seed, key[:])
	tag := hash &^ (1<<32 - 1)
	mask := uint64(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := t.slots[i]
		if slot == 0 {
			t.keys = append(t.keys, *key)
			t.sums = append(t.sums, sum{})
			t.slots[i] = tag | uint64(len(t.keys))
			return uint32(len(t.keys) - 1)
		}
		if n := uint32(slot) - 1; slot&^(1<<32-1) == tag && t.keys[n] == *key {
			return n
		}
	}
}

// grow makes room for more positions: at most half of the slots are ever used.
func (t *table) grow(more int) {
	if 2*(len(t.keys)+more) <= len(t.slots) {
		return
	}
	size := len(t.slots)
	for 2*(len(t.keys)+more) > size {
		size *= 2
	}
	t.slots = make([]uint64, size)
	mask := uint64(size - 1)
	for n := range t.keys {
		hash := maphash.Bytes(t.seed, t.keys[n][:])
		i := hash & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = hash&^(1<<32-1) | uint64(n+1)
	}
}

// addMove counts a move of a position in so many lines.
func (t *table) addMove(position uint32, code byte, lines uint32) {
	s := &t.sums[position]
	for i := s.moves; i != 0; i = t.moves[i-1].next {
		if t.moves[i-1].code == code {
			t.moves[i-1].count += lines
			return
		}
	}
	t.moves = append(t.moves, moveCount{count: lines, next: s.moves, code: code})
	s.moves = uint32(len(t.moves))
}

// flush gives every position to yield and empties the table.
func (t *table) flush(yield func(key *ctg.Key, s *sum, moves []moveCount) error) error {
	for n := range t.keys {
		if err := yield(&t.keys[n], &t.sums[n], t.moves); err != nil {
			return err
		}
	}
	clear(t.slots)
	t.keys, t.sums, t.moves, t.line = t.keys[:0], t.sums[:0], t.moves[:0], 0
	return nil
}
