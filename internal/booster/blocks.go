package booster

import (
	"errors"
	"fmt"
	"io/fs"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
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

// FindFault returns the first thing that is wrong with a pair of files, whatever
// the records are that it should be of, nil if nothing is; last is the number of
// records in the database. A table without blocks is wrong, blocks alone are not.
func FindFault(files cbhdb.Files, pair *cbh.ListFile, last model.RecordID) (fault, err error) {
	if !files.Has(pair.Table) {
		return nil, nil
	}
	l, err := OpenLists(files, pair)
	if err == nil {
		defer l.Close()
		err = l.findFault(last)
	}
	if dbfile.IsDamage(err) || errors.Is(err, ErrShared) || errors.Is(err, fs.ErrNotExist) {
		return err, nil
	}
	return nil, err
}

func (l *Lists) findFault(last model.RecordID) error {
	use := NewBlockUse(l)
	visit := func(n int32, _ *cbh.ListBlock) error { return use.Take(n) }
	var row []cbh.ListEnds
	var ids []int32
	for entity := range l.Rows {
		var err error
		if row, err = l.Row(row[:0], entity); err != nil {
			return err
		}
		for kind, ends := range row {
			if ids, err = l.Append(ids[:0], entity, cbh.ListKind(kind), ends, last, visit); err != nil {
				return err
			}
		}
	}
	free, fault, err := use.Free()
	if fault != nil {
		return fault
	}
	if err == nil {
		_, err = use.TakeLostBehind(free)
	}
	if n := use.Lost(free); err == nil && n > 0 {
		err = l.blocks.Wrong(0, -1, "", model.ErrCorrupt, "%d blocks are neither in use nor free", n)
	}
	return err
}
