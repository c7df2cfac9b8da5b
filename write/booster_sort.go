package write

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// listKey is a record's place in the lists of a booster file: entity in bits
// 27 up, kind in bits 24-26, record id in bits 0-23. Sorted by number, keys are
// in the order in which a new file has them.
type listKey uint64

func newListKey(ref derive.Reference, id model.RecordID) listKey {
	return listKey(ref.Entity)<<27 | listKey(ref.Kind)<<24 | listKey(id)
}

func (k listKey) entity() int32      { return int32(k >> 27) }
func (k listKey) kind() cbh.ListKind { return cbh.ListKind(k >> 24 & 7) }
func (k listKey) id() int32          { return int32(k & (1<<24 - 1)) }

// sameList reports whether two keys differ in the record alone.
func (k listKey) sameList(l listKey) bool { return k>>24 == l>>24 }

// noListKey sorts behind all keys, and is none.
const noListKey listKey = math.MaxUint64

const listKeySize = 8

// listSorter sorts keys with a bounded amount of memory: what does not fit
// goes to a file in sorted runs, which are merged in the end.
type listSorter struct {
	create func() (fsys.File, error) // makes the file for the runs
	limit  int                       // keys in memory

	keys []listKey
	file fsys.File // nil until needed
	runs []int64   // where each run ends in the file
	buf  []byte
}

// spillBuffer is how much is written to the file, or read from a run, at once.
const spillBuffer = 1 << 15

// add takes a key.
func (s *listSorter) add(k listKey) error {
	if len(s.keys) >= s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.keys = append(s.keys, k)
	return nil
}

// spill writes the keys in memory to the file.
func (s *listSorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = s.create(); err != nil {
			return err
		}
	}
	slices.Sort(s.keys)
	end := int64(0)
	if n := len(s.runs); n > 0 {
		end = s.runs[n-1]
	}
	for part := range slices.Chunk(s.keys, spillBuffer/listKeySize) {
		s.buf = s.buf[:0]
		for _, k := range part {
			s.buf = binary.LittleEndian.AppendUint64(s.buf, uint64(k))
		}
		if _, err := s.file.Write(s.buf); err != nil {
			return fmt.Errorf("sorting: %w", err)
		}
		end += int64(len(s.buf))
	}
	s.runs = append(s.runs, end)
	s.keys = s.keys[:0]
	return nil
}

// sorted yields all keys in order, once.
func (s *listSorter) sorted() iter.Seq2[listKey, error] {
	slices.Sort(s.keys)
	if len(s.runs) == 0 {
		return func(yield func(listKey, error) bool) {
			for _, k := range s.keys {
				if !yield(k, nil) {
					return
				}
			}
		}
	}
	return s.merged
}

// merged yields the keys of all runs and those in memory.
func (s *listSorter) merged(yield func(listKey, error) bool) {
	var h runHeap
	from := int64(0)
	for _, end := range s.runs {
		section := io.NewSectionReader(s.file, from, end-from)
		h = append(h, &sortedRun{in: bufio.NewReaderSize(section, spillBuffer)})
		from = end
	}
	h = append(h, &sortedRun{keys: s.keys})
	for _, r := range h {
		if err := r.advance(); err != nil {
			yield(0, err)
			return
		}
	}
	heap.Init(&h)
	for h[0].head != noListKey {
		if !yield(h[0].head, nil) {
			return
		}
		if err := h[0].advance(); err != nil {
			yield(0, err)
			return
		}
		heap.Fix(&h, 0)
	}
}

// sortedRun is a run that is being merged: of the file, or of those in memory.
type sortedRun struct {
	head listKey // noListKey at the end
	in   *bufio.Reader
	keys []listKey
}

// advance reads the next key.
func (r *sortedRun) advance() error {
	r.head = noListKey
	if r.in == nil {
		if len(r.keys) > 0 {
			r.head, r.keys = r.keys[0], r.keys[1:]
		}
		return nil
	}
	var b [listKeySize]byte
	_, err := io.ReadFull(r.in, b[:])
	if err == io.EOF {
		return nil
	}
	if err == nil {
		r.head = listKey(binary.LittleEndian.Uint64(b[:]))
	}
	return err
}

// runHeap has the run with the smallest head first.
type runHeap []*sortedRun

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return h[i].head < h[j].head }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push and Pop complete heap.Interface; runs neither come nor go.
func (h *runHeap) Push(any) {}
func (h *runHeap) Pop() any { return nil }
