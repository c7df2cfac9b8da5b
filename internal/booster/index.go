package booster

import (
	"fmt"
	"io"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/model"
)

// Storage is a file that an [Index] changes. Writing behind the end makes it
// longer.
type Storage interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
}

// Index keeps a pair of list files in step with a database that changes, the
// way ChessBase does, so that a file it maintained goes on to look like one. It
// writes only what changes. (docs/formats/boosters.md 3)
//
// Changes make a transaction, which [Index.Finish] ends. An error leaves the files
// in between; they must then be rebuilt, or deleted.
type Index struct {
	pair          *cbh.ListFile
	table, blocks Storage
	rows          int32
	head          cbh.ListBlocksHeader
	dirty         bool             // head differs from what is stored
	vacant        bool             // no list has block 0 any more: the next one gets it
	last          derive.Reference // a list that was given blocks, to begin with the first of all
	buf           []byte
}

// OpenIndex goes on with files that have the given sizes in bytes.
func OpenIndex(pair *cbh.ListFile, table Storage, tableSize int64, blocks Storage, blocksSize int64) (*Index, error) {
	x := &Index{pair: pair, table: table, blocks: blocks, buf: make([]byte, cbh.ListHeaderSize)}
	if err := x.read(table, 0, cbh.ListHeaderSize); err != nil {
		return nil, err
	}
	head, err := cbh.DecodeListTableHeader(x.buf)
	if err != nil {
		return nil, err
	}
	if x.rows, err = pair.CheckTable(head, tableSize); err != nil {
		return nil, err
	}
	if err := x.read(blocks, 0, cbh.ListHeaderSize); err != nil {
		return nil, err
	}
	if x.head, err = cbh.DecodeListBlocksHeader(x.buf); err != nil {
		return nil, err
	}
	return x, x.head.Check(blocksSize)
}

// Grow adds rows without lists until there are so many: new entities have come.
func (x *Index) Grow(rows int32) error {
	for ; x.rows < rows; x.rows++ {
		x.buf = x.buf[:0]
		for range x.pair.Kinds {
			x.buf = cbh.NoList.Append(x.buf)
		}
		if _, err := x.table.WriteAt(x.buf, x.pair.RowOffset(x.rows)); err != nil {
			return err
		}
	}
	return nil
}

// Cut takes rows away that are behind so many and have no lists: their entities are
// gone, with their records.
func (x *Index) Cut(rows int32) error {
	for x.rows > rows {
		for kind := range x.pair.Kinds {
			ends, err := x.ends(derive.Reference{Kind: cbh.ListKind(kind), Entity: x.rows - 1})
			if err != nil || ends != cbh.NoList {
				return err
			}
		}
		x.rows--
		if err := x.table.Truncate(x.pair.RowOffset(x.rows)); err != nil {
			return err
		}
	}
	return nil
}

// read fills x.buf with n bytes of a file.
func (x *Index) read(from Storage, offset int64, n int) error {
	if cap(x.buf) < n {
		x.buf = make([]byte, n)
	}
	x.buf = x.buf[:n]
	_, err := from.ReadAt(x.buf, offset)
	if err == io.EOF {
		err = nil // the last bytes of the file
	}
	return err
}

// endsOffset is where the ends of a list are in the table.
func (x *Index) endsOffset(ref derive.Reference) int64 {
	return x.pair.RowOffset(ref.Entity) + int64(ref.Kind)*cbh.ListEndsSize
}

// ends reads where a list begins and ends.
func (x *Index) ends(ref derive.Reference) (cbh.ListEnds, error) {
	if ref.Entity < 0 || ref.Entity >= x.rows {
		return cbh.NoList, fmt.Errorf("entity %d has no row, there are %d: %w", ref.Entity, x.rows, model.ErrCorrupt)
	}
	if err := x.read(x.table, x.endsOffset(ref), cbh.ListEndsSize); err != nil {
		return cbh.NoList, err
	}
	return cbh.DecodeListEnds(x.buf)
}

func (x *Index) setEnds(ref derive.Reference, ends cbh.ListEnds) error {
	if ends != cbh.NoList {
		x.last = ref
	}
	x.buf = ends.Append(x.buf[:0])
	_, err := x.table.WriteAt(x.buf, x.endsOffset(ref))
	return err
}

// block reads a block.
func (x *Index) block(n int32) (cbh.ListBlock, error) {
	if n < 0 || n >= x.head.Blocks {
		return cbh.ListBlock{}, fmt.Errorf("block %d, there are %d: %w", n, x.head.Blocks, model.ErrCorrupt)
	}
	if err := x.read(x.blocks, cbh.BlockOffset(n), cbh.ListBlockSize); err != nil {
		return cbh.ListBlock{}, err
	}
	return cbh.DecodeListBlock(x.buf)
}

func (x *Index) setBlock(n int32, k *cbh.ListBlock) error {
	x.buf = k.Append(x.buf[:0])
	_, err := x.blocks.WriteAt(x.buf, cbh.BlockOffset(n))
	return err
}

// allocate takes a block out of use: block 0, else the first free one, else a new one
// at the end.
func (x *Index) allocate() (int32, error) {
	if x.vacant {
		x.vacant = false
		return 0, nil
	}
	x.dirty = true
	if n := x.head.FirstFree; n != 0 {
		k, err := x.block(n)
		x.head.FirstFree = k.Next
		return n, err
	}
	x.head.Blocks++
	return x.head.Blocks - 1, nil
}

// chain returns the blocks of a list.
func (x *Index) chain(ends cbh.ListEnds) (list []int32, err error) {
	if _, inline := ends.Inline(); inline {
		return nil, nil
	}
	for n := ends.Head; n != -1; {
		k, err := x.block(n)
		if err == nil && len(list) == int(x.head.Blocks) {
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
		k, err := x.block(n)
		if err != nil {
			return err
		}
		k.Next = x.head.FirstFree
		if err := x.setBlock(n, &k); err != nil {
			return err
		}
		x.head.FirstFree, x.dirty = n, true
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
		x.head.Blocks, x.head.FirstFree = 0, 0
		if err := x.blocks.Truncate(cbh.BlockOffset(0)); err != nil {
			return err
		}
		return x.flush()
	}
	first, err := x.block(ends.Head)
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
		if ends, err = x.ends(ref); err != nil || ends == cbh.NoList {
			return false
		}
		_, inline := ends.Inline()
		return !inline
	}
	if ref = x.last; ref.Entity < x.rows && hasBlocks() || err != nil {
		return ref, ends, err
	}
	for ref.Entity = 0; ref.Entity < x.rows; ref.Entity++ {
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
	x.buf = x.head.Append(x.buf[:0])
	_, err := x.blocks.WriteAt(x.buf, 0)
	return err
}
