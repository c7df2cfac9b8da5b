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
}

// Index keeps a pair of list files in step with a database that changes, the
// way ChessBase does, so that a file it maintained goes on to look like one. It
// writes only what changes. (docs/formats/boosters.md 3)
//
// An error leaves the files in between; they must then be rebuilt, or deleted.
type Index struct {
	pair          *cbh.ListFile
	table, blocks Storage
	rows          int32
	head          cbh.ListBlocksHeader
	dirty         bool // head differs from what is stored
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

// allocate takes a block out of use: the first free one, else a new one at the
// end.
func (x *Index) allocate() (int32, error) {
	x.dirty = true
	if n := x.head.FirstFree; n != 0 {
		k, err := x.block(n)
		x.head.FirstFree = k.Next
		return n, err
	}
	x.head.Blocks++
	return x.head.Blocks - 1, nil
}

// release puts the blocks of a list on the list of free ones, one by one; they
// keep their ids. Block 0 cannot be on it, since 0 ends it, and is lost.
func (x *Index) release(ends cbh.ListEnds) error {
	if _, inline := ends.Inline(); inline {
		return nil
	}
	for n, left := ends.Head, x.head.Blocks; n != -1; left-- {
		k, err := x.block(n)
		if err == nil && left == 0 {
			err = fmt.Errorf("block %d: the list has no end: %w", n, model.ErrCorrupt)
		}
		if err != nil {
			return err
		}
		next := k.Next
		k.Next = x.head.FirstFree
		if err := x.setBlock(n, &k); err != nil {
			return err
		}
		if n != 0 {
			x.head.FirstFree, x.dirty = n, true
		}
		n = next
	}
	return nil
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
