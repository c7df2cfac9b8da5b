// Package extsort sorts more records than fit in memory. A record is a string
// of bytes, and the order is that of the bytes.
//
// Records are collected until the given memory is used up, then sorted and
// written to a temporary file, a run. Reading merges the runs. A run is
//
//	for each record: uvarint size | bytes
package extsort

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	"cbkit/internal/fsys"
)

// Options say how much memory to use, and where the runs go.
type Options struct {
	// Memory in bytes for records; at least 1 MiB is used.
	Memory int
	// FS and Dir are where runs are written.
	FS  fsys.FS
	Dir string
	// Size, if not 0, is the size of all records, 16 bytes at most. They take less memory
	// and time then.
	Size int
}

const (
	minMemory = 1 << 20
	chunkSize = 1 << 18
	// MaxRecord is the size of the largest record, in bytes.
	MaxRecord = chunkSize - binary.MaxVarintLen32
)

// Sorter collects records and gives them back in order. It must be closed.
type Sorter struct {
	opt    Options
	chunks [][]byte
	fill   int // of the last chunk
	index  []place
	runs   []run
	sized  []byte // a record of Options.Size
}

// place is a record in memory: its first eight bytes and the others, if all have a size, or
// its chunk and where it begins there, 4 bytes each.
type place struct{ head, rest uint64 }

// New returns an empty sorter.
func New(opt Options) *Sorter {
	opt.Memory = max(opt.Memory, minMemory)
	return &Sorter{opt: opt}
}

// Add adds a record, which is copied.
func (s *Sorter) Add(record []byte) error {
	if len(record) > MaxRecord || s.opt.Size > 0 && len(record) != s.opt.Size {
		return fmt.Errorf("extsort: a record of %d bytes", len(record))
	}
	if s.used() >= s.opt.Memory {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.opt.Size > 0 {
		if n := len(s.index); n == cap(s.index) {
			more := s.opt.Memory / sizedMemory // in the end, and a half of that before
			for more/2 > max(n, minMemory/sizedMemory/2) {
				more /= 2
			}
			s.index = append(make([]place, 0, more), s.index...)
		}
		s.index = append(s.index, place{head(record), head(record[min(8, len(record)):])})
		return nil
	}
	if len(s.chunks) == 0 || s.fill+len(record)+binary.MaxVarintLen32 > chunkSize {
		s.chunks, s.fill = append(s.chunks, make([]byte, chunkSize)), 0
	}
	last := len(s.chunks) - 1
	chunk := s.chunks[last]
	s.index = append(s.index, place{head(record), uint64(last)<<32 | uint64(s.fill)})
	s.fill += binary.PutUvarint(chunk[s.fill:], uint64(len(record)))
	s.fill += copy(chunk[s.fill:], record)
	return nil
}

// What a place counts in the memory in use, with the growth of the index: beside a record
// half as much again as it has, and twice that where it is all of one.
const (
	placeMemory = 24
	sizedMemory = 32
)

// used returns the memory in use.
func (s *Sorter) used() int {
	if s.opt.Size > 0 {
		return sizedMemory * len(s.index)
	}
	return len(s.chunks)*chunkSize + placeMemory*len(s.index)
}

// head returns the first eight bytes as a number that sorts like them.
func head(record []byte) uint64 {
	if len(record) >= 8 {
		return binary.BigEndian.Uint64(record)
	}
	var b [8]byte
	copy(b[:], record)
	return binary.BigEndian.Uint64(b[:])
}

// at returns a record in memory, as it is and as it is stored.
func (s *Sorter) at(p place) (record, stored []byte) {
	if size := s.opt.Size; size > 0 {
		s.sized = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(append(s.sized[:0], byte(size)), p.head), p.rest)
		return s.sized[1 : 1+size], s.sized[:1+size]
	}
	return content(s.chunks[p.rest>>32][uint32(p.rest):])
}

// sort sorts what is in memory.
func (s *Sorter) sort() { s.sortFrom(s.index, 56) }

// fewPlaces are sorted by comparing them.
const fewPlaces = 48

// sortFrom sorts places whose heads are equal above a byte, which begins at bit shift: each
// goes to those that have the same byte there, and these are sorted by the next one.
func (s *Sorter) sortFrom(list []place, shift int) {
	if len(list) < fewPlaces || shift < 0 {
		slices.SortFunc(list, func(a, b place) int {
			switch {
			case a.head < b.head:
				return -1
			case a.head > b.head:
				return 1
			case s.opt.Size > 0:
				return cmp.Compare(a.rest, b.rest)
			}
			x, _ := s.at(a)
			y, _ := s.at(b)
			return bytes.Compare(x, y)
		})
		return
	}
	var next, end [256]int // of those with a byte: where the next one goes, and where they end
	for _, p := range list {
		end[byte(p.head>>shift)]++
	}
	for b := 1; b < len(end); b++ {
		next[b] = end[b-1]
		end[b] += next[b]
	}
	for b := range end {
		for next[b] < end[b] {
			p := list[next[b]]
			to := &next[byte(p.head>>shift)]
			list[next[b]], list[*to] = list[*to], p
			*to++
		}
	}
	from := 0
	for _, to := range end {
		if to-from > 1 {
			s.sortFrom(list[from:to], shift-8)
		}
		from = to
	}
}

// spill writes what is in memory to a run.
func (s *Sorter) spill() error {
	s.sort()
	err := s.write(func(yield func([]byte, error) bool) {
		for _, p := range s.index {
			if _, stored := s.at(p); !yield(stored, nil) {
				return
			}
		}
	})
	// One chunk stays for what comes; the others are not needed until then.
	s.index, s.chunks, s.fill = s.index[:0], s.chunks[:min(1, len(s.chunks))], 0
	return err
}

// Sorted yields all records in ascending order, equal ones too. A record is
// valid until the next step. It may be called again, and then starts anew;
// no record may be added afterwards.
func (s *Sorter) Sorted() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if len(s.runs) == 0 {
			s.sort()
			for _, p := range s.index {
				if record, _ := s.at(p); !yield(record, nil) {
					return
				}
			}
			return
		}
		if err := s.reduce(); err != nil {
			yield(nil, err)
			return
		}
		for stored, err := range s.merge(s.runs) {
			record, _ := content(stored)
			if !yield(record, err) {
				return
			}
		}
	}
}

// reduce brings everything into so few runs that they can be merged at once.
func (s *Sorter) reduce() error {
	if len(s.index) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.chunks, s.index = nil, nil
	for len(s.runs) > s.fanIn() {
		n := s.fanIn()
		if err := s.write(s.merge(s.runs[:n])); err != nil {
			return err
		}
		if err := s.remove(s.runs[:n]); err != nil {
			return err
		}
		s.runs = slices.Delete(s.runs, 0, n)
	}
	return nil
}

// fanIn is how many runs are merged at once: as many as have room for their
// buffers, and no more files than systems allow without asking.
func (s *Sorter) fanIn() int { return min(max(2, s.opt.Memory/bufferSize), 128) }

// Close removes the temporary files.
func (s *Sorter) Close() error {
	err := s.remove(s.runs)
	s.runs, s.chunks, s.index = nil, nil, nil
	return err
}

func (s *Sorter) remove(runs []run) error {
	var errs []error
	for _, r := range runs {
		errs = append(errs, r.file.Close())
	}
	return errors.Join(errs...)
}
