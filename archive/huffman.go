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

// unpack unpacks in into out, which has room for a block, and returns how many
// bytes came out (docs/formats/cbv.md 4).
func (h *huffmanReader) unpack(out []byte, in []byte) (int, error) {
	if len(in) < 2 {
		return 0, errHuffmanCut
	}
	size := int(binary.BigEndian.Uint16(in))
	if size > BlockSize {
		return 0, errHuffmanLong
	}
	h.bits = bitReader{in: in[2:]}
	longest, err := h.readCode()
	if err != nil {
		return 0, err
	}
	if err := h.bits.decode(out[:size], h.table[:1<<longest], longest); err != nil {
		return 0, err
	}
	if int(h.bits.count)+8*len(h.bits.in) >= 8 {
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

// huffmanWriter packs.
type huffmanWriter struct {
	counts [2*256 - 1]uint32 // of byte values, then of the nodes above them
	above  [2*256 - 1]uint16 // the node above, and the bit that leads from it
	heap   [256]uint16
	size   int // of the heap
	codes  [256]uint32
	length [256]uint8
}

// pack packs in into out, which has room for a block; ok is false if that does
// not make it smaller (docs/formats/cbv.md 6.2).
func (h *huffmanWriter) pack(out []byte, in []byte) (n int, ok bool) {
	if !h.makeCode(in) {
		return 0, false
	}
	bits := 0
	for v, n := range h.length {
		bits += 4 + int(n) + int(n)*int(h.counts[v])
	}
	size := 2 + (bits+7)/8
	if size >= len(in) {
		return 0, false
	}
	binary.BigEndian.PutUint16(out, uint16(len(in)))
	w := bitWriter{out: out[2:size]}
	for v, n := range h.length {
		w.put(uint64(n), 4)
		w.put(uint64(h.codes[v]), uint(n))
	}
	for _, v := range in {
		w.put(uint64(h.codes[v]), uint(h.length[v]))
	}
	// The last byte is filled with zeros.
	for rest := w.bits << (64 - w.count); len(w.out) > 0; rest <<= 8 {
		w.out[0] = byte(rest >> 56)
		w.out = w.out[1:]
	}
	return size, true
}

// makeCode makes the code for in; it reports whether there is one: at least two
// byte values occur, and no code is too long.
func (h *huffmanWriter) makeCode(in []byte) bool {
	clear(h.counts[:])
	for _, v := range in {
		h.counts[v]++
	}
	h.size = 0
	for v := range 256 {
		if h.counts[v] > 0 {
			h.heap[h.size] = uint16(v)
			h.size++
		}
	}
	if h.size < 2 {
		return false
	}
	// The two rarest nodes are joined until one is left. What is done where counts are
	// equal decides the code: docs/formats/cbv.md 6.2.
	for i := h.size/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
	node := 256
	for ; h.size > 1; node++ {
		zero := h.heap[0]
		h.size--
		h.heap[0] = h.heap[h.size]
		h.sink(0)
		one := h.heap[0]
		h.counts[node] = h.counts[zero] + h.counts[one]
		h.above[zero], h.above[one] = uint16(node)<<1, uint16(node)<<1|1
		h.heap[0] = uint16(node)
		h.sink(0)
	}
	root := node - 1
	for v := range h.length {
		h.length[v], h.codes[v] = 0, 0
		if h.counts[v] == 0 {
			continue
		}
		for node := v; node != root; node = int(h.above[node] >> 1) {
			if h.length[v] == maxCode {
				return false
			}
			h.codes[v] |= uint32(h.above[node]&1) << h.length[v]
			h.length[v]++
		}
	}
	return true
}

// sink lets the node at i sink to its place in the heap.
func (h *huffmanWriter) sink(i int) {
	node := h.heap[i]
	count := h.counts[node]
	for child := 2*i + 1; child < h.size; child = 2*i + 1 {
		if right := child + 1; right < h.size && h.counts[h.heap[child]] > h.counts[h.heap[right]] {
			child = right
		}
		if count <= h.counts[h.heap[child]] {
			break
		}
		h.heap[i] = h.heap[child]
		i = child
	}
	h.heap[i] = node
}

// bitWriter writes bits, the most significant of a byte first.
type bitWriter struct {
	out   []byte
	bits  uint64 // the last ones written, at the bottom
	count uint   // how many of them are still to be stored, fewer than 32
}

// put writes the n lowest bits of value, at most 32.
func (w *bitWriter) put(value uint64, n uint) {
	w.bits = w.bits<<n | value
	w.count += n
	if w.count >= 32 {
		w.count -= 32
		binary.BigEndian.PutUint32(w.out, uint32(w.bits>>w.count))
		w.out = w.out[4:]
	}
}
