package cbh

import (
	"cmp"
	"encoding/binary"
)

// sortKey compares one part of the order of an entity file in two payloads of
// the right size.
type sortKey func(a, b []byte, signed bool) int

// textKey compares strings; see CompareText.
func textKey(at, size int) sortKey {
	return func(a, b []byte, signed bool) int { return CompareText(a[at:at+size], b[at:at+size], signed) }
}

// CompareText compares two strings by the order of an entity file: byte by
// byte up to the first NUL or the end of the field, case counting. The end
// takes part as a 0. As unsigned bytes the shorter of two strings that begin
// alike comes first. Some files take the bytes as signed: those above 7F are
// negative then, and come before the end and all others.
// (docs/formats/cbh.md, "The order of entities")
func CompareText(a, b []byte, signed bool) int {
	a, b = beforeNUL(a), beforeNUL(b)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return compareBytes(a[i], b[i], signed)
		}
	}
	switch {
	case len(a) < len(b):
		return compareBytes(0, b[len(a)], signed)
	case len(a) > len(b):
		return compareBytes(a[len(b)], 0, signed)
	}
	return 0
}

func compareBytes(a, b byte, signed bool) int {
	if signed {
		return cmp.Compare(int8(a), int8(b))
	}
	return cmp.Compare(a, b)
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
