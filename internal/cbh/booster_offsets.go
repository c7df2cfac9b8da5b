package cbh

import (
	"encoding/binary"

	"cbkit/internal/wire"
)

// Offsets in a .cbgi file, little-endian:
//
//	0 count u32 | .cbg offset of record 1 u32 | of record 2 u32 | … | zeros
//
// A guiding text has 0 there, or in some versions its offset. The file is
// padded to a multiple of 131072 entries, the count not being one of them. The
// offsets are the low 32 bits, as in the .cbh file. Source: docs/formats/boosters.md 6.
const (
	// OffsetSize is the size of the count and of an entry.
	OffsetSize = 4
	// offsetChunk is how many entries a file grows by.
	offsetChunk = 131072
)

// OffsetsSize returns the size in bytes of a file for the given number of
// records.
func OffsetsSize(records int) int64 {
	chunks := max((int64(records)+offsetChunk-1)/offsetChunk, 1)
	return OffsetSize + OffsetSize*offsetChunk*chunks
}

// AppendOffset appends the count at the beginning of the file, or an entry.
func AppendOffset(dst []byte, v uint32) []byte { return wire.AppendU32LE(dst, v) }

// DecodeOffset reads the first 4 bytes of b.
func DecodeOffset(b []byte) (uint32, error) {
	if len(b) < OffsetSize {
		return 0, truncated(b)
	}
	return binary.LittleEndian.Uint32(b), nil
}

// OffsetsCover returns how many records a file with the given count and size in
// bytes has entries of, for a database that has the given number.
func OffsetsCover(count uint32, records int, size int64) int {
	n := min(int64(count), size/OffsetSize-1)
	return int(min(max(n, 0), int64(records)))
}
