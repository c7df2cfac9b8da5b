package posindex

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"iter"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// The sizes of blocks and of what is in them. (docs/formats/positions.md 3)
const (
	blockSize  = 4096
	leafHead   = 4 + 2 + 6 // sum, end of the entries, first key
	branchHead = 4 + 4     // sum, number of keys
	fanOut     = (blockSize - branchHead) / 8

	maxKey = 1<<48 - 1
	// maxRun is how many records are collected before they are written.
	maxRun = 1 << 10
)

// castagnoli has instructions of its own on most processors.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// layerHead is what the header says of a layer.
type layerHead struct {
	at       int64  // of the first leaf
	leaves   uint64 // how many there are
	keys     uint64 // different ones
	postings uint64 // pairs of a key and a record
}

// levels returns how many blocks there are of each level, leaves first.
func (h *layerHead) levels() (list []uint64) {
	for n := h.leaves; n > 0; n = (n + fanOut - 1) / fanOut {
		if list = append(list, n); n == 1 {
			break
		}
	}
	return list
}

// blocks returns how many blocks the layer has.
func (h *layerHead) blocks() (n uint64) {
	for _, level := range h.levels() {
		n += level
	}
	return n
}

// layerWriter writes a layer. Keys ascend, and so do the records of a key.
type layerWriter struct {
	w      io.Writer
	head   layerHead
	firsts []uint64 // the first keys of the leaves that are written
	leaf   []byte
	first  uint64 // key of the leaf
	last   uint64 // key of the leaf's last entry

	key    uint64
	ids    []model.RecordID // of the key, not written yet
	newest model.RecordID   // of the key
}

// newLayerWriter begins a layer at an offset.
func newLayerWriter(w io.Writer, at int64) *layerWriter {
	return &layerWriter{w: w, head: layerHead{at: at}, leaf: make([]byte, leafHead, blockSize)}
}

// add adds a record to a key; once more does nothing.
func (l *layerWriter) add(key uint64, id model.RecordID) error {
	switch {
	case l.head.keys == 0 || key != l.key:
		if err := l.flush(); err != nil {
			return err
		}
		l.key = key
		l.head.keys++
	case id == l.newest:
		return nil
	case len(l.ids) == maxRun:
		if err := l.flush(); err != nil {
			return err
		}
	}
	l.ids, l.newest = append(l.ids, id), id
	l.head.postings++
	return nil
}

// flush puts the records of the key into leaves.
func (l *layerWriter) flush() error {
	for len(l.ids) > 0 {
		if len(l.leaf) == leafHead {
			l.first, l.last = l.key, l.key
		}
		step := l.key - l.last
		n := fitting(step, l.ids, blockSize-len(l.leaf))
		if n == 0 {
			if err := l.closeLeaf(); err != nil {
				return err
			}
			continue
		}
		l.leaf, l.last = appendEntry(l.leaf, step, l.ids[:n]), l.key
		l.ids = append(l.ids[:0], l.ids[n:]...)
	}
	return nil
}

// fitting returns how many of the records of an entry fit into so many bytes.
func fitting(step uint64, ids []model.RecordID, room int) int {
	size := sizeOf(step<<1) + sizeOf(uint64(ids[0]))
	if size > room {
		return 0
	}
	size += sizeOf(uint64(len(ids)))
	for n := 1; n < len(ids); n++ {
		if size += sizeOf(uint64(ids[n] - ids[n-1] - 1)); size > room {
			return n
		}
	}
	return len(ids)
}

// sizeOf returns how many bytes a number takes.
func sizeOf(n uint64) int {
	size := 1
	for ; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}

// appendEntry appends an entry: the step from the key before, and the records.
// (docs/formats/positions.md 3.1)
func appendEntry(dst []byte, step uint64, ids []model.RecordID) []byte {
	several := uint64(0)
	if len(ids) > 1 {
		several = 1
	}
	dst = binary.AppendUvarint(dst, step<<1|several)
	dst = binary.AppendUvarint(dst, uint64(ids[0]))
	if several == 0 {
		return dst
	}
	dst = binary.AppendUvarint(dst, uint64(len(ids)-2))
	for i, id := range ids[1:] {
		dst = binary.AppendUvarint(dst, uint64(id-ids[i]-1))
	}
	return dst
}

// closeLeaf writes the leaf and begins a new one.
func (l *layerWriter) closeLeaf() error {
	if len(l.leaf) == leafHead {
		return nil
	}
	binary.LittleEndian.PutUint16(l.leaf[4:], uint16(len(l.leaf)))
	putKey(l.leaf[6:], l.first)
	err := writeBlock(l.w, l.leaf)
	l.leaf, l.firsts = l.leaf[:leafHead], append(l.firsts, l.first)
	return err
}

// putKey puts 48 bits, little-endian.
func putKey(dst []byte, key uint64) {
	binary.LittleEndian.PutUint32(dst, uint32(key))
	binary.LittleEndian.PutUint16(dst[4:], uint16(key>>32))
}

// keyAt reads what putKey puts.
func keyAt(b []byte) uint64 {
	return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint16(b[4:]))<<32
}

// writeBlock writes a block with its sum, filled up with zeros.
func writeBlock(w io.Writer, b []byte) error {
	used := len(b)
	b = b[:blockSize]
	clear(b[used:])
	binary.LittleEndian.PutUint32(b, crc32.Checksum(b[4:], castagnoli))
	_, err := w.Write(b)
	return err
}

// finish writes what is left, and the branches.
func (l *layerWriter) finish() (layerHead, error) {
	err := l.flush()
	if err == nil {
		err = l.closeLeaf()
	}
	l.head.leaves = uint64(len(l.firsts))
	for keys := l.firsts; err == nil && len(keys) > 1; {
		var above []uint64
		for part := range slices.Chunk(keys, fanOut) {
			b := wire.AppendU32LE(make([]byte, 4, blockSize), uint32(len(part)))
			for _, key := range part {
				b = wire.AppendU64LE(b, key)
			}
			if err = writeBlock(l.w, b); err != nil {
				break
			}
			above = append(above, part[0])
		}
		keys = above
	}
	return l.head, err
}

// entry is a key with some of its records, which are valid until the next step. Those
// of one key follow each other.
type entry struct {
	key uint64
	ids []model.RecordID
}

// layer is a layer of an open index.
type layer struct {
	layerHead
	file    *dbfile.File
	records model.RecordID // in the database
}

// block reads a block and proves its sum.
func (l *layer) block(buf []byte, n uint64) ([]byte, error) {
	at := l.at + int64(n)*blockSize
	b, err := l.file.Bytes(buf, at, blockSize)
	if err == nil && binary.LittleEndian.Uint32(b) != crc32.Checksum(b[4:], castagnoli) {
		err = l.file.Wrong(at, -1, "sum", model.ErrCorrupt, "the block has another sum")
	}
	return b, err
}

// keysOf returns the keys of a branch.
func (l *layer) keysOf(b []byte, n uint64) ([]byte, error) {
	count := binary.LittleEndian.Uint32(b[4:])
	if count == 0 || count > fanOut {
		return nil, l.file.Wrong(l.at+int64(n)*blockSize+4, -1, "keys", model.ErrCorrupt, "%d keys in a block", count)
	}
	return b[branchHead : branchHead+8*count], nil
}

// leafOf returns the first leaf that may have a key.
func (l *layer) leafOf(key uint64) (leaf uint64, err error) {
	levels := l.levels()
	first := l.blocks() // of the level
	buf := make([]byte, blockSize)
	for i := len(levels) - 1; i > 0; i-- {
		first -= levels[i]
		b, err := l.block(buf, first+leaf)
		if err != nil {
			return 0, err
		}
		keys, err := l.keysOf(b, first+leaf)
		if err != nil {
			return 0, err
		}
		next := uint64(0)
		for at := 8; at < len(keys) && binary.LittleEndian.Uint64(keys[at:]) < key; at += 8 {
			next++
		}
		if leaf = leaf*fanOut + next; leaf >= levels[i-1] {
			return 0, l.file.Wrong(l.at+int64(first)*blockSize, -1, "keys", model.ErrCorrupt, "the block leads to leaf %d of %d", leaf, levels[i-1])
		}
	}
	return leaf, nil
}

// from yields the entries from a key on.
func (l *layer) from(key uint64) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		leaf, err := l.leafOf(key)
		if err != nil {
			yield(entry{}, err)
			return
		}
		r := leafReader{layer: l, begin: true}
		for ; leaf < l.leaves; leaf++ {
			if err := r.read(leaf); err != nil {
				yield(entry{}, err)
				return
			}
			for r.next() {
				if r.key >= key && !yield(r.entry, nil) {
					return
				}
			}
			if r.err != nil {
				yield(entry{}, r.err)
				return
			}
		}
	}
}

// leafReader reads leaves one after the other and proves that what they hold is in
// order.
type leafReader struct {
	*layer
	entry
	buf   []byte
	rest  []byte // entries not read yet
	leaf  uint64
	begin bool // no entry was read yet
	fresh bool // none of this leaf
	last  model.RecordID
	err   error
}

// read begins a leaf.
func (r *leafReader) read(leaf uint64) error {
	b, err := r.block(r.buf, leaf)
	if err != nil {
		return err
	}
	r.buf, r.leaf, r.fresh = b, leaf, true
	end := int(binary.LittleEndian.Uint16(b[4:]))
	if end <= leafHead || end > blockSize {
		return r.wrong("end", "entries end at %d", end)
	}
	first := keyAt(b[6:])
	if !r.begin && first < r.key {
		return r.wrong("first key", "%#x behind %#x", first, r.key)
	}
	if first != r.key {
		r.last = 0
	}
	r.rest, r.key = b[leafHead:end], first
	return nil
}

// wrong is the error of what is wrong in the leaf.
func (r *leafReader) wrong(field, format string, args ...any) error {
	return r.file.Wrong(r.at+int64(r.leaf)*blockSize, -1, field, model.ErrCorrupt, format, args...)
}

// number reads a number.
func (r *leafReader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.err = r.wrong("entry", "a number is cut")
		r.rest = nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// next reads an entry.
func (r *leafReader) next() bool {
	if len(r.rest) == 0 || r.err != nil {
		return false
	}
	step := r.number()
	switch {
	case step>>1 > maxKey-r.key || r.fresh && step>>1 != 0:
		r.err = r.wrong("entry", "a step of %#x from %#x", step>>1, r.key)
	case step>>1 != 0:
		r.last = 0
	}
	if r.err != nil {
		return false
	}
	r.key += step >> 1
	r.fresh, r.begin = false, false
	first := r.number()
	more := uint64(0)
	if step&1 != 0 {
		more = r.number() + 1
	}
	if r.err == nil && (more > uint64(len(r.rest)) || first <= uint64(r.last) || first > uint64(r.records)) {
		r.err = r.wrong("entry", "record %d behind %d of %d, with %d more", first, r.last, r.records, more)
	}
	if r.err != nil {
		return false
	}
	rest, last, ids := r.rest, model.RecordID(first), append(slices.Grow(r.ids[:0], int(more)+1), model.RecordID(first))
	for range more {
		step, size := binary.Uvarint(rest)
		if size <= 0 || step >= uint64(r.records-last) {
			r.err = r.wrong("entry", "a step of %d, in %d bytes, from record %d of %d", step, size, last, r.records)
			return false
		}
		rest = rest[size:]
		last += model.RecordID(step) + 1
		ids = append(ids, last)
	}
	r.rest, r.last, r.ids = rest, last, ids
	return true
}

// find appends the records of a key.
func (l *layer) find(dst []model.RecordID, key uint64) ([]model.RecordID, error) {
	for e, err := range l.from(key) {
		if err != nil {
			return dst, err
		}
		if e.key != key {
			break
		}
		dst = append(dst, e.ids...)
	}
	return dst, nil
}

// cursor finds keys that ascend.
type cursor struct {
	leafReader
	ok   bool // it is at an entry
	done bool // all were read
}

// newCursor returns a cursor in front of a layer.
func newCursor(l *layer) *cursor {
	return &cursor{leafReader: leafReader{layer: l, begin: true}, done: l.leaves == 0}
}

// find returns the records of a key, which is larger than the one before.
func (c *cursor) find(key uint64) (ids []model.RecordID, err error) {
	for !c.done && (!c.ok || c.key < key) {
		if err := c.step(key); err != nil {
			return nil, err
		}
	}
	for !c.done && c.key == key {
		ids = append(ids, c.ids...)
		if err := c.step(key); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// step goes to the next entry. Where that is in another leaf, those are passed over that
// have lesser keys alone.
func (c *cursor) step(key uint64) error {
	if c.ok = c.next(); c.ok || c.err != nil {
		return c.err
	}
	leaf, err := c.leafOf(key)
	if err != nil {
		return err
	}
	if !c.begin {
		leaf = max(leaf, c.leaf+1)
	}
	if c.done = leaf >= c.leaves; c.done {
		return nil
	}
	if err := c.read(leaf); err != nil {
		return err
	}
	c.ok = c.next() // no leaf is without entries
	return c.err
}
