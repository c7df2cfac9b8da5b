package extsort

import (
	"encoding/binary"
	"iter"
	"slices"
)

// Numbers sorts numbers as a [Sorter] sorts records, with eight bytes of memory for
// each. It must be closed.
type Numbers struct {
	sorter *Sorter // of the runs
	limit  int     // numbers in memory
	list   []uint64
}

// NewNumbers returns an empty sorter of numbers. Unlike a Sorter it uses no more memory
// for them than the options say.
func NewNumbers(opt Options) *Numbers {
	return &Numbers{sorter: New(opt), limit: max(opt.Memory/8, 1)}
}

// Add adds a number.
func (n *Numbers) Add(number uint64) error {
	if len(n.list) >= n.limit {
		if err := n.spill(); err != nil {
			return err
		}
	}
	n.list = append(n.list, number)
	return nil
}

// spill writes what is in memory to a run.
func (n *Numbers) spill() error {
	slices.Sort(n.list)
	b := [9]byte{8} // its size
	err := n.sorter.write(func(yield func([]byte, error) bool) {
		for _, number := range n.list {
			binary.BigEndian.PutUint64(b[1:], number)
			if !yield(b[:], nil) {
				return
			}
		}
	})
	n.list = n.list[:0]
	return err
}

// Sorted yields all numbers in ascending order, equal ones too. No number may be added
// afterwards.
func (n *Numbers) Sorted() iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
		if len(n.sorter.runs) == 0 {
			slices.Sort(n.list)
			for _, number := range n.list {
				if !yield(number, nil) {
					return
				}
			}
			return
		}
		if err := n.spill(); err != nil {
			yield(0, err)
			return
		}
		for record, err := range n.sorter.Sorted() {
			if err != nil {
				yield(0, err)
				return
			}
			if !yield(binary.BigEndian.Uint64(record), nil) {
				return
			}
		}
	}
}

// Close removes the temporary files.
func (n *Numbers) Close() error { return n.sorter.Close() }
