package extsort

import (
	"encoding/binary"
	"iter"
)

// Numbers sorts numbers as a [Sorter] sorts records of eight bytes. It must be closed.
type Numbers struct{ sorter *Sorter }

// NewNumbers returns an empty sorter of numbers.
func NewNumbers(opt Options) *Numbers {
	opt.Size = 8
	return &Numbers{New(opt)}
}

// Add adds a number.
func (n *Numbers) Add(number uint64) error {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], number)
	return n.sorter.Add(b[:])
}

// Sorted yields all numbers in ascending order, equal ones too. No number may be added
// afterwards.
func (n *Numbers) Sorted() iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
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
