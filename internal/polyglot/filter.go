package polyglot

import "math/bits"

// KeyFilter has a bit for each of some keys, by the highest bits of the key: where it has
// none, the key is none of them.
type KeyFilter struct {
	bits  []uint64
	shift int
}

// FilterBytes is how many bytes a filter takes for each key, at most.
const FilterBytes = 2

// NewKeyFilter returns a filter for so many keys, in which one of 8 other keys has a bit,
// or fewer.
func NewKeyFilter(keys int64) *KeyFilter {
	size := max(6, bits.Len64(uint64(keys))+3)
	return &KeyFilter{bits: make([]uint64, 1<<(size-6)), shift: 64 - size}
}

// Add enters a key.
func (f *KeyFilter) Add(key uint64) { f.bits[key>>f.shift>>6] |= 1 << (key >> f.shift & 63) }

// MayHave reports whether a key may be one of them.
func (f *KeyFilter) MayHave(key uint64) bool {
	return f.bits[key>>f.shift>>6]>>(key>>f.shift&63)&1 != 0
}
