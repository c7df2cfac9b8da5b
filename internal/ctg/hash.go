package ctg

import "math/bits"

// Hash returns the hash of a key, or of any bytes: for each nibble, the low one
// of a byte first, the sum of table entries at a running index. (docs/formats/ctg.md 2)
func Hash(key []byte) uint32 {
	var i, h uint32
	for _, b := range key {
		i += 61 - 4*uint32(b&15)
		h += hashTable[i&63]
		i += 61 - 4*uint32(b>>4)
		h += hashTable[i&63]
	}
	return h
}

// TrieOrder returns the hash with its bits reversed. In ascending order of
// these numbers the entries of every node of the directory lie together, and
// leaves follow each other from left to right.
func TrieOrder(hash uint32) uint32 { return bits.Reverse32(hash) }
