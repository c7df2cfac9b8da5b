package booster

import (
	"errors"
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// BlockUse notes which blocks of a pair of files are in lists.
type BlockUse struct {
	lists *Lists
	used  []bool
}

// NewBlockUse returns one that has no block in use yet.
func NewBlockUse(l *Lists) *BlockUse { return &BlockUse{l, make([]bool, l.Head.Blocks)} }

// ErrShared is the error of a block that is in a list already.
var ErrShared = errors.New("the block belongs to two lists, or twice to one")

// Take notes that a block is in a list. It returns ErrShared if it is in one
// already.
func (u *BlockUse) Take(n int32) error {
	if u.used[n] {
		return ErrShared
	}
	u.used[n] = true
	return nil
}

// Free follows the free blocks, when all lists were read, and says which they are,
// up to the first fault.
func (u *BlockUse) Free() (free []bool, fault *model.FormatError, err error) {
	free = make([]bool, len(u.used))
	wrong := &model.FormatError{File: u.lists.blocks.Name(), Offset: 8, Record: -1, Field: "first free block"}
	for n := u.lists.Head.FirstFree; n != 0; {
		switch {
		case n < 0 || int(n) >= len(free):
			wrong.Err = fmt.Errorf("%w: %d is none of the %d blocks", model.ErrCorrupt, n, len(free))
			return free, wrong, nil
		case u.used[n]:
			wrong.Err = fmt.Errorf("%w: block %d is said to be free and is in use", model.ErrCorrupt, n)
			return free, wrong, nil
		case free[n]:
			wrong.Err = fmt.Errorf("%w: the list of free blocks leads back to block %d", model.ErrCorrupt, n)
			return free, wrong, nil
		}
		free[n] = true
		b, err := u.lists.Block(n)
		if err != nil {
			return free, nil, err
		}
		wrong.Offset, wrong.Record, wrong.Field = cbh.BlockOffset(n), int64(n), "next block"
		n = b.Next
	}
	return free, nil, nil
}

// TakeLostBehind marks the blocks as free that are lost with block 0, itself
// included, and counts them: 0 is what ends the list of free blocks, so that a
// freed block 0 ends it, and those that were free before are behind it.
// (docs/formats/boosters.md 3)
func (u *BlockUse) TakeLostBehind(free []bool) (n int, err error) {
	for at := int32(0); at >= 0 && int(at) < len(free) && !free[at] && !u.used[at]; n++ {
		free[at] = true
		b, err := u.lists.Block(at)
		if err != nil {
			return n, err
		}
		at = b.Next
	}
	return n, nil
}

// Lost counts the blocks that are neither free nor in use.
func (u *BlockUse) Lost(free []bool) (n int) {
	for i := range free {
		if !free[i] && !u.used[i] {
			n++
		}
	}
	return n
}
