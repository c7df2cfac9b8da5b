package dcdb

import "cbkit/internal/wire"

// Lengths take one byte up to 126, else a byte 81 to 84 and as many bytes of
// number as its low digit says. (docs/formats/dcdb.md 4.1)
const (
	lengthLong = 0x80 // and the number of bytes
	lengthMax  = 4    // bytes of the longest number

	// MaxLengthSize is the size of the longest length in bytes.
	MaxLengthSize = 1 + lengthMax
)

// AppendLength appends a length. The thresholds are those of the author's
// encoder, whose decoder does not take 7F.
func AppendLength(dst []byte, n uint32) []byte {
	switch {
	case n < 0x7f:
		return append(dst, byte(n))
	case n < 0xff:
		return append(dst, lengthLong|1, byte(n))
	case n < 0xffff:
		return wire.AppendU16BE(append(dst, lengthLong|2), uint16(n))
	case n < 0xffffff:
		return wire.AppendU24BE(append(dst, lengthLong|3), n)
	}
	return wire.AppendU32BE(append(dst, lengthLong|4), n)
}

// DecodeLength reads the length at the beginning of b, in the shortest form or
// not, and returns how many bytes it takes. It fails, with size 0, where the
// first byte begins no length and where b ends too early.
func DecodeLength(b []byte) (n uint32, size int) {
	if len(b) == 0 {
		return 0, 0
	}
	if b[0] < lengthLong {
		return uint32(b[0]), 1
	}
	digits := int(b[0] - lengthLong)
	if digits == 0 || digits > lengthMax || len(b) < 1+digits {
		return 0, 0
	}
	for _, digit := range b[1 : 1+digits] {
		n = n<<8 | uint32(digit)
	}
	return n, 1 + digits
}
