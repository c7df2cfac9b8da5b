package write

import (
	"fmt"
	"math"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/internal/extsort"
	"cbkit/internal/journal"
	"cbkit/model"
)

// listBuilder makes a pair of list files, such as .cit and .cib, in the layout
// of a full rebuild: for each entity id and each kind the whole list in
// consecutive blocks. (docs/formats/boosters.md 3, 8)
type listBuilder struct {
	out      *boosterFiles
	pair     *cbh.ListFile
	files    cbhdb.Files
	capacity []int32 // records of the entity file of each kind
	sorter   *extsort.Numbers
	refs     []derive.Reference

	table, blocks *journal.File
	rows, written int32 // rows of the table, and those written so far
	row           []cbh.ListEnds
	block         cbh.ListBlock
	count         int32 // blocks
	buf           []byte
}

// add takes the references of the next record.
func (b *listBuilder) add(id model.RecordID, r *derive.References) error {
	b.refs = r.Append(b.refs[:0], b.pair)
	for _, ref := range b.refs {
		if has := b.capacity[ref.Kind]; ref.Entity >= has {
			kind := b.pair.Kinds[ref.Kind]
			err := fmt.Errorf("%w: it refers to %d, and %s is missing", model.ErrCorrupt, ref.Entity, b.files.Name(kind.Ext))
			if b.files.Has(kind.Ext) {
				err = fmt.Errorf("%w: %d does not exist, %s has %d records", model.ErrCorrupt, ref.Entity, b.files.Name(kind.Ext), has)
			}
			return &model.FormatError{File: b.files.Name(".cbh"), Offset: int64(id) * cbh.RecordSize, Record: int64(id), Field: kind.Name, Err: err}
		}
		if err := b.sorter.Add(uint64(newListKey(ref, id))); err != nil {
			return err
		}
	}
	return nil
}

// finish writes both files.
func (b *listBuilder) finish() (err error) {
	if b.table, err = b.out.create(b.pair.Table, cbh.ListHeaderSize); err != nil {
		return err
	}
	if b.blocks, err = b.out.create(b.pair.Blocks, cbh.ListHeaderSize); err != nil {
		return err
	}
	b.clearRow()
	last := noListKey
	for number, err := range b.sorter.Sorted() {
		if err != nil {
			return err
		}
		k := listKey(number)
		switch {
		case last == noListKey || k>>24 != last>>24: // another list
			if err := b.endList(last); err != nil {
				return err
			}
			if err := b.rowsUpTo(k.entity()); err != nil {
				return err
			}
			b.row[k.kind()].Head = b.count
		case b.block.Count == cbh.ListBlockIDs:
			b.block.Next = b.count + 1
			if err := b.flushBlock(); err != nil {
				return err
			}
		}
		b.block.IDs[b.block.Count] = k.id()
		b.block.Count++
		last = k
	}
	if err := b.endList(last); err != nil {
		return err
	}
	if err := b.rowsUpTo(b.rows); err != nil {
		return err
	}
	if _, err := b.table.WriteAt(b.pair.NewTableHeader().Append(nil), 0); err != nil {
		return err
	}
	_, err = b.blocks.WriteAt(cbh.NewListBlocksHeader(b.count).Append(nil), 0)
	return err
}

// endList writes the last block of the list that last belongs to.
func (b *listBuilder) endList(last listKey) error {
	if last == noListKey {
		return nil
	}
	b.block.Next = -1
	b.row[last.kind()].Tail = b.count
	return b.flushBlock()
}

// flushBlock writes the block and begins another.
func (b *listBuilder) flushBlock() error {
	b.buf = b.block.Append(b.buf[:0])
	b.block = cbh.ListBlock{}
	b.count++
	_, err := b.blocks.Append(b.buf)
	return err
}

// rowsUpTo writes the rows of all entities before the given one.
func (b *listBuilder) rowsUpTo(entity int32) error {
	for ; b.written < entity; b.written++ {
		b.buf = b.buf[:0]
		for _, ends := range b.row {
			b.buf = ends.Append(b.buf)
		}
		if _, err := b.table.Append(b.buf); err != nil {
			return err
		}
		b.clearRow()
	}
	return nil
}

func (b *listBuilder) clearRow() {
	for i := range b.row {
		b.row[i] = cbh.NoList
	}
}

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

// noListKey is none.
const noListKey listKey = math.MaxUint64

// offsetBuilder makes a .cbgi file: where the moves of every game are in the
// .cbg file.
type offsetBuilder struct {
	out *journal.File
	buf []byte
}

func newOffsetBuilder(out *journal.File, records model.RecordID) (*offsetBuilder, error) {
	_, err := out.Append(cbh.AppendOffset(nil, uint32(records)))
	return &offsetBuilder{out: out}, err
}

// add takes the stored header of the next record; a text has no place.
func (b *offsetBuilder) add(head []byte) error {
	offset := uint32(0)
	if !cbh.RecordType(head[0]).IsText() {
		offset = uint32(cbh.GameMoves.Uint(head))
	}
	b.buf = cbh.AppendOffset(b.buf[:0], offset)
	_, err := b.out.Append(b.buf)
	return err
}

// finish fills the file up to its full size.
func (b *offsetBuilder) finish(records model.RecordID) error {
	if size := cbh.OffsetsSize(int(records)); b.out.Size() < size {
		return b.out.Truncate(size)
	}
	return nil
}
