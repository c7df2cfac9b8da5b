package posindex

import (
	"encoding/binary"
	"io"
	"iter"
	"slices"
	"sort"
	"sync"

	"cbkit/internal/dbfile"
	"cbkit/model"
)

// The sizes of blocks and of what is in them. (docs/formats/positions.md 3)
const (
	blockSize = 4096
	leafHead  = 4 + 2 // sum, end of the entries
	firstSize = 8     // a first key, behind the leaves
)

// segment is keys with the records that have them, as some records were when it was made.
type segment struct {
	leaves uint64
	of     Records // those that it is of
	// Of a segment in an open index:
	file    *dbfile.File
	at      int64
	later   Records                // of which something newer says what they have
	records model.RecordID         // in the database
	firsts  func() ([]byte, error) // the first keys of the leaves, read once
}

// size returns how many bytes it has: leaves, then their first keys in whole blocks.
func (s *segment) size() int64 {
	firsts := 4 + firstSize*int64(s.leaves)
	return (int64(s.leaves) + (firsts+blockSize-1)/blockSize) * blockSize
}

// block reads some blocks and proves their sum.
func (s *segment) block(buf []byte, leaf uint64, size int64) ([]byte, error) {
	at := s.at + int64(leaf)*blockSize
	b, err := s.file.Bytes(buf, at, size)
	if err == nil && binary.LittleEndian.Uint32(b) != sum(b[4:]) {
		err = s.file.Wrong(at, -1, "sum", model.ErrCorrupt, "the block has another sum")
	}
	return b, err
}

// open makes it a segment of a file.
func (s *segment) open(file *dbfile.File, at int64, records model.RecordID) {
	s.file, s.at, s.records = file, at, records
	s.firsts = sync.OnceValues(func() ([]byte, error) {
		b, err := s.block(nil, s.leaves, s.size()-int64(s.leaves)*blockSize)
		if err != nil {
			return nil, err
		}
		return b[4:], nil
	})
}

// segmentWriter writes a segment. Keys ascend, and so do the records of a key.
type segmentWriter struct {
	w      io.Writer
	leaf   []byte
	firsts []byte // behind room for their sum
	key    uint64 // of the last entry
	id     model.RecordID
	many   int // records of the key
	step   int // where in the leaf the entry of the key begins
}

// newSegmentWriter begins a segment.
func newSegmentWriter(w io.Writer) *segmentWriter {
	return &segmentWriter{w: w, leaf: make([]byte, leafHead, blockSize+3*binary.MaxVarintLen64), firsts: make([]byte, 4)}
}

// add adds a record to a key; once more does nothing. (docs/formats/positions.md 3.1)
func (s *segmentWriter) add(key uint64, id model.RecordID) error {
	same := key == s.key
	if same && id == s.id {
		return nil
	}
	if !same {
		s.many = 0
	}
	end := len(s.leaf)
	switch {
	case end == leafHead:
		s.firsts = binary.LittleEndian.AppendUint64(s.firsts, key)
		s.step, s.leaf = end, binary.AppendUvarint(append(s.leaf, 0), uint64(id))
	case same:
		if s.leaf = binary.AppendUvarint(s.leaf, uint64(id-s.id)); len(s.leaf) <= blockSize {
			s.leaf[s.step] |= 1
		}
	default:
		if s.leaf[s.step]&1 != 0 {
			s.leaf = append(s.leaf, 0)
		}
		s.step = len(s.leaf)
		s.leaf = binary.AppendUvarint(binary.AppendUvarint(s.leaf, (key-s.key)<<1), uint64(id))
	}
	if len(s.leaf) > blockSize {
		s.leaf = s.leaf[:end]
		if err := s.closeLeaf(); err != nil {
			return err
		}
		return s.add(key, id)
	}
	s.key, s.id, s.many = key, id, s.many+1
	return nil
}

// closeLeaf writes the leaf and begins a new one.
func (s *segmentWriter) closeLeaf() error {
	binary.LittleEndian.PutUint16(s.leaf[4:], uint16(len(s.leaf)))
	err := s.write(s.leaf)
	s.leaf = s.leaf[:leafHead]
	return err
}

// write writes whole blocks with their sum, filled up with zeros.
func (s *segmentWriter) write(b []byte) error {
	b = append(b, make([]byte, (blockSize-len(b)%blockSize)%blockSize)...)
	binary.LittleEndian.PutUint32(b, sum(b[4:]))
	_, err := s.w.Write(b)
	return err
}

// finish writes what is left, and returns how many leaves there are.
func (s *segmentWriter) finish() (leaves uint64, err error) {
	if len(s.leaf) > leafHead {
		if err := s.closeLeaf(); err != nil {
			return 0, err
		}
	}
	leaves = uint64(len(s.firsts)-4) / firstSize
	return leaves, s.write(s.firsts)
}

// entry is a key with some of its records, which are valid until the next step. Those
// of one key follow each other.
type entry struct {
	key uint64
	ids []model.RecordID
}

// asked says which keys are asked for: it returns the first one of them that is not less
// than a key, noKind if there is none.
type asked func(from uint64) uint64

// all asks for all keys.
func all(from uint64) uint64 { return from }

// among asks for keys that ascend.
func among(keys ...uint64) asked {
	return func(from uint64) uint64 {
		at, _ := slices.BinarySearch(keys, from)
		if at == len(keys) {
			return noKind
		}
		return keys[at]
	}
}

// entries yields those of the keys that are asked for.
func (s *segment) entries(want asked) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		firsts, err := s.firsts()
		r := leafReader{segment: s}
		for leaf := 0; err == nil; leaf++ {
			next := want(r.key)
			// Keys before the first one of a leaf are in those before it.
			first := func(n int) uint64 { return binary.LittleEndian.Uint64(firsts[firstSize*n:]) }
			leaf = max(leaf, sort.Search(int(s.leaves), func(n int) bool { return first(n) >= next })-1)
			if next >= noKind || leaf >= int(s.leaves) {
				return
			}
			if err = r.read(leaf, first(leaf)); err != nil {
				break
			}
			for r.next() {
				if r.key < next {
					continue
				}
				if next = want(r.key); next == r.key && !yield(r.entry, nil) {
					return
				}
			}
			err = r.err
		}
		yield(entry{}, err)
	}
}

// numbers are numbers of seven bits in a byte.
type numbers struct {
	rest []byte
	cut  bool // one is not all there
}

// next reads a number.
func (b *numbers) next() uint64 {
	n, size := binary.Uvarint(b.rest)
	if size <= 0 {
		b.rest, b.cut = nil, true
		return 0
	}
	b.rest = b.rest[size:]
	return n
}

// leafReader reads leaves one behind the other and proves that what they hold is in
// order.
type leafReader struct {
	*segment
	entry
	buf  []byte
	rest []byte // entries not read yet
	leaf int
	last model.RecordID // of the key
	err  error
}

// read begins a leaf.
func (r *leafReader) read(leaf int, first uint64) error {
	b, err := r.block(r.buf, uint64(leaf), blockSize)
	if err != nil {
		return err
	}
	r.buf, r.leaf = b, leaf
	end := int(binary.LittleEndian.Uint16(b[4:]))
	if end <= leafHead || end > blockSize {
		return r.wrong("end", "entries end at %d", end)
	}
	if first < r.key || first >= noKind {
		return r.wrong("first key", "%#x behind %#x", first, r.key)
	}
	if first != r.key {
		r.key, r.last = first, 0
	}
	r.rest = b[leafHead:end]
	return nil
}

// wrong is the error of what is wrong in the leaf.
func (r *leafReader) wrong(field, format string, args ...any) error {
	return r.file.Wrong(r.at+int64(r.leaf)*blockSize, -1, field, model.ErrCorrupt, format, args...)
}

// next reads an entry.
func (r *leafReader) next() bool {
	if len(r.rest) == 0 {
		return false
	}
	b := numbers{rest: r.rest}
	step, id := b.next(), b.next()
	if step>>1 != 0 {
		r.last = 0
	}
	if b.cut || step>>1 >= noKind-r.key || id <= uint64(r.last) || id > uint64(r.records) {
		r.err = r.wrong("entry", "a step of %#x from %#x, record %d behind %d of %d", step>>1, r.key, id, r.last, r.records)
		return false
	}
	r.key += step >> 1
	ids, rest := append(r.ids[:0], model.RecordID(id)), b.rest
	for step&1 != 0 && len(rest) > 0 {
		more, size := binary.Uvarint(rest)
		if size <= 0 || more > uint64(r.records)-id {
			r.err = r.wrong("entry", "a step of %d, in %d bytes, from record %d of %d", more, size, id, r.records)
			return false
		}
		if rest = rest[size:]; more == 0 {
			break
		}
		id += more
		ids = append(ids, model.RecordID(id))
	}
	r.rest, r.last, r.ids = rest, model.RecordID(id), ids
	return true
}
