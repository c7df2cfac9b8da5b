package archive

import "encoding/binary"

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
	w.end()
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
	return h.readTree(h.makeTree())
}

// makeTree joins the two rarest nodes until one is left, which it returns. What
// it does where counts are equal decides the code: docs/formats/cbv.md 6.2.
func (h *huffmanWriter) makeTree() (root int) {
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
	return node - 1
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

// readTree reads the codes off the tree; it reports whether all are short enough.
func (h *huffmanWriter) readTree(root int) bool {
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

// end fills the last byte with zeros.
func (w *bitWriter) end() {
	for rest := w.bits << (64 - w.count); len(w.out) > 0; rest <<= 8 {
		w.out[0] = byte(rest >> 56)
		w.out = w.out[1:]
	}
}
