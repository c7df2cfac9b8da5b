package booster

import (
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/model"
)

// Index keeps a pair of list files in step with a database that changes, the
// way ChessBase does, so that a file it maintained goes on to look like one. It
// writes only what changes. (docs/formats/boosters.md 3)
//
// Changes make a transaction, which [Index.Finish] ends. An error leaves the files
// in between; they must then be rebuilt, or deleted.
type Index struct {
	*Lists
	dirty  bool             // Head differs from what is stored
	vacant bool             // no list has block 0 any more: the next one gets it
	last   derive.Reference // a list that was given blocks, to begin with the first of all
	buf    []byte
}

// OpenIndex opens a pair of files that can be written; see [OpenLists].
func OpenIndex(files cbhdb.Files, pair *cbh.ListFile) (*Index, error) {
	lists, err := OpenLists(files, pair)
	return &Index{Lists: lists}, err
}

// Grow adds rows without lists until there are so many: new entities have come.
func (x *Index) Grow(rows int32) error {
	for ; x.Rows < rows; x.Rows++ {
		x.buf = x.buf[:0]
		for range x.pair.Kinds {
			x.buf = cbh.NoList.Append(x.buf)
		}
		if err := x.table.PutAt(x.buf, x.pair.RowOffset(x.Rows)); err != nil {
			return err
		}
	}
	return nil
}

// Cut takes rows away that are behind so many and have no lists: their entities are
// gone, with their records.
func (x *Index) Cut(rows int32) error {
	for x.Rows > rows {
		for kind := range x.pair.Kinds {
			ends, err := x.Ends(derive.Reference{Kind: cbh.ListKind(kind), Entity: x.Rows - 1})
			if err != nil || ends != cbh.NoList {
				return err
			}
		}
		x.Rows--
		if err := x.table.Truncate(x.pair.RowOffset(x.Rows)); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) setEnds(ref derive.Reference, ends cbh.ListEnds) error {
	if ends != cbh.NoList {
		x.last = ref
	}
	x.buf = ends.Append(x.buf[:0])
	return x.table.PutAt(x.buf, x.pair.EndsOffset(ref.Entity, ref.Kind))
}

func (x *Index) setBlock(n int32, k *cbh.ListBlock) error {
	x.buf = k.Append(x.buf[:0])
	return x.blocks.PutAt(x.buf, cbh.BlockOffset(n))
}

// allocate takes a block out of use: block 0, else the first free one, else a new one
// at the end.
func (x *Index) allocate() (int32, error) {
	if x.vacant {
		x.vacant = false
		return 0, nil
	}
	x.dirty = true
	if n := x.Head.FirstFree; n != 0 {
		k, err := x.Block(n)
		x.Head.FirstFree = k.Next
		return n, err
	}
	x.Head.Blocks++
	return x.Head.Blocks - 1, nil
}

// chain returns the blocks of a list.
func (x *Index) chain(ends cbh.ListEnds) (list []int32, err error) {
	if _, inline := ends.Inline(); inline {
		return nil, nil
	}
	for n := ends.Head; n != -1; {
		k, err := x.Block(n)
		if err == nil && len(list) == int(x.Head.Blocks) {
			err = fmt.Errorf("block %d: the list has no end: %w", n, model.ErrCorrupt)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, n)
		n = k.Next
	}
	return list, nil
}

// release puts blocks on the list of free ones, one by one; they keep their ids.
// Block 0 cannot be on it, since 0 ends it.
func (x *Index) release(blocks []int32) error {
	for _, n := range blocks {
		if n == 0 {
			continue
		}
		k, err := x.Block(n)
		if err != nil {
			return err
		}
		k.Next = x.Head.FirstFree
		if err := x.setBlock(n, &k); err != nil {
			return err
		}
		x.Head.FirstFree, x.dirty = n, true
	}
	return nil
}

// Finish ends a transaction. If block 0 has no list any more, one that has others gets
// it for its first; if there is no list at all, no block stays either.
func (x *Index) Finish() error {
	if !x.vacant {
		return nil
	}
	ref, ends, err := x.anyList()
	if err != nil {
		return err
	}
	if ends == cbh.NoList {
		x.vacant, x.dirty = false, true
		x.Head.Blocks, x.Head.FirstFree = 0, 0
		if err := x.blocks.Truncate(cbh.BlockOffset(0)); err != nil {
			return err
		}
		return x.flush()
	}
	first, err := x.Block(ends.Head)
	if err == nil {
		x.vacant = false
		err = x.setBlock(0, &first)
	}
	if err != nil {
		return err
	}
	moved := cbh.ListEnds{Tail: ends.Tail}
	if ends.Tail == ends.Head {
		moved.Tail = 0
	}
	if err := x.setEnds(ref, moved); err != nil {
		return err
	}
	if err := x.release([]int32{ends.Head}); err != nil {
		return err
	}
	return x.flush()
}

// anyList returns a list that has blocks: the last one that was changed, else the
// first of all. If there is none, it is [cbh.NoList].
func (x *Index) anyList() (ref derive.Reference, ends cbh.ListEnds, err error) {
	hasBlocks := func() bool {
		if ends, err = x.Ends(ref); err != nil || ends == cbh.NoList {
			return false
		}
		_, inline := ends.Inline()
		return !inline
	}
	if ref = x.last; ref.Entity < x.Rows && hasBlocks() || err != nil {
		return ref, ends, err
	}
	for ref.Entity = 0; ref.Entity < x.Rows; ref.Entity++ {
		for kind := range x.pair.Kinds {
			ref.Kind = cbh.ListKind(kind)
			if hasBlocks() || err != nil {
				return ref, ends, err
			}
		}
	}
	return ref, cbh.NoList, nil
}

// flush writes the header of the blocks if it has changed.
func (x *Index) flush() error {
	if !x.dirty {
		return nil
	}
	x.dirty = false
	x.buf = x.Head.Append(x.buf[:0])
	return x.blocks.PutAt(x.buf, 0)
}
