package cbh

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// sortKey compares one part of the order of an entity file in two payloads of
// the right size.
type sortKey func(a, b []byte, signed bool) int

// textKey compares strings byte by byte up to the NUL, a shorter one first;
// case counts. Some files take the bytes as signed, so that those above 7F come
// before all others (spec/cbh-entities.md 7.2).
func textKey(at, size int) sortKey {
	return func(a, b []byte, signed bool) int {
		x, y := beforeNUL(a[at:at+size]), beforeNUL(b[at:at+size])
		if signed {
			return compareSigned(x, y)
		}
		return bytes.Compare(x, y)
	}
}

func compareSigned(x, y []byte) int {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return cmp.Compare(int8(x[i]), int8(y[i]))
		}
	}
	return cmp.Compare(len(x), len(y))
}

// numberKey compares signed 32-bit numbers.
func numberKey(at int) sortKey {
	return func(a, b []byte, _ bool) int {
		return cmp.Compare(int32(binary.LittleEndian.Uint32(a[at:])), int32(binary.LittleEndian.Uint32(b[at:])))
	}
}

// descendingKey compares a part of a packed date, later first.
func descendingKey(at int, shift, mask uint32) sortKey {
	return func(a, b []byte, _ bool) int {
		part := func(p []byte) uint32 { return binary.LittleEndian.Uint32(p[at:]) >> shift & mask }
		return cmp.Compare(part(b), part(a))
	}
}

// byteKey compares the bits of a byte that are set in mask.
func byteKey(at int, mask uint8) sortKey {
	return func(a, b []byte, _ bool) int { return cmp.Compare(a[at]&mask, b[at]&mask) }
}

// setFirst turns an order around.
func setFirst(key sortKey) sortKey {
	return func(a, b []byte, signed bool) int { return key(b, a, signed) }
}
