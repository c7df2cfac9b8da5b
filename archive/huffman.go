package archive

import "encoding/binary"

// maxCode is the longest code in bits: lengths are stored in four.
const maxCode = 15

// Errors of Huffman-packed data.
var (
	errHuffmanCut    = corrupt("the Huffman data breaks off")
	errHuffmanCode   = corrupt("the Huffman code is not complete")
	errHuffmanLong   = corrupt("the Huffman data holds more than a block")
	errHuffmanBeyond = corrupt("bytes follow the Huffman data")
)

// huffmanReader unpacks. Its table has, for every value of the next bits, what
// they begin with.
type huffmanReader struct {
	table [1 << maxCode]uint16 // byte value << 4 | length in bits
	bits  bitReader
}

// huffmanSize returns how many bytes come out of in.
func huffmanSize(in []byte) (int, error) {
	if len(in) < 2 {
		return 0, errHuffmanCut
	}
	size := int(binary.BigEndian.Uint16(in))
	if size > BlockSize {
		return 0, errHuffmanLong
	}
	return size, nil
}

// unpack unpacks in into out, which has room for a block, and returns how many
// bytes came out (docs/formats/cbv.md 4).
func (h *huffmanReader) unpack(out []byte, in []byte) (int, error) {
	size, err := huffmanSize(in)
	if err != nil {
		return 0, err
	}
	h.bits = bitReader{in: in[2:]}
	longest, err := h.readCode()
	if err != nil {
		return 0, err
	}
	if err := h.bits.decode(out[:size], h.table[:1<<longest], longest); err != nil {
		return 0, err
	}
	if h.bits.rest() >= 8 {
		return 0, errHuffmanBeyond
	}
	return size, nil
}

// readCode reads the lengths and codes of all byte values into the table and
// returns the longest length. The code must be complete: any bits begin with
// exactly one.
func (h *huffmanReader) readCode() (longest uint, err error) {
	var lengths [256]uint8
	var codes [256]uint16
	full := 0
	for v := range lengths {
		n, ok := h.bits.take(4)
		if !ok {
			return 0, errHuffmanCut
		}
		code, ok := h.bits.take(n)
		if !ok {
			return 0, errHuffmanCut
		}
		lengths[v], codes[v] = uint8(n), uint16(code)
		longest = max(longest, n)
		if n > 0 {
			full += 1 << (maxCode - n)
		}
	}
	if full != 1<<maxCode {
		return 0, errHuffmanCode
	}
	table := h.table[:1<<longest]
	clear(table)
	for v, n := range lengths {
		if n == 0 {
			continue
		}
		free := longest - uint(n)
		part := table[uint(codes[v])<<free:][:1<<free]
		for i := range part {
			part[i] = uint16(v)<<4 | uint16(n)
		}
	}
	for _, entry := range table {
		if entry == 0 {
			return 0, errHuffmanCode // two codes begin alike, so some bits have none
		}
	}
	return longest, nil
}

// bitReader reads bits, the most significant of a byte first.
type bitReader struct {
	in    []byte
	bits  uint64 // the next ones at the top
	count uint   // how many of them there are
}

// fill reads bytes while there is room for them.
func (b *bitReader) fill() {
	if len(b.in) >= 8 {
		b.bits |= binary.BigEndian.Uint64(b.in) >> b.count
		n := (63 - b.count) >> 3
		b.in = b.in[n:]
		b.count += n << 3
		return
	}
	for b.count <= 56 && len(b.in) > 0 {
		b.bits |= uint64(b.in[0]) << (56 - b.count)
		b.in = b.in[1:]
		b.count += 8
	}
}

// take returns the next n bits, at most 15; ok is false if there are not as
// many.
func (b *bitReader) take(n uint) (value uint, ok bool) {
	if b.count < n {
		b.fill()
		if b.count < n {
			return 0, false
		}
	}
	value = uint(b.bits >> 1 >> (63 - n))
	b.bits <<= n
	b.count -= n
	return value, true
}

// rest returns how many bits are left.
func (b *bitReader) rest() int { return int(b.count) + 8*len(b.in) }

// decode reads as many codes as out has bytes. The table has an entry for every
// value of so many bits.
func (b *bitReader) decode(out []byte, table []uint16, longest uint) error {
	shift := 64 - longest
	batch := int(56 / longest) // codes that one filling is enough for
	for len(out) >= batch && len(b.in) >= 8 {
		b.fill()
		for i := range out[:batch] {
			entry := table[b.bits>>shift]
			out[i] = byte(entry >> 4)
			b.bits <<= entry & 15
			b.count -= uint(entry & 15)
		}
		out = out[batch:]
	}
	for i := range out {
		b.fill()
		entry := table[b.bits>>shift]
		n := uint(entry & 15)
		if b.count < n {
			return errHuffmanCut
		}
		out[i] = byte(entry >> 4)
		b.bits <<= n
		b.count -= n
	}
	return nil
}
