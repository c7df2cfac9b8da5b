package booster

import (
	"math/bits"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Lists is an open pair of booster files with lists: .cit and .cib, or .cit2
// and .cib2. It may be used from several goroutines.
type Lists struct {
	// Rows is the number of rows of the table.
	Rows int32
	// Head is the header of the blocks.
	Head cbh.ListBlocksHeader

	pair          *cbh.ListFile
	table, blocks *dbfile.File
}

// OpenLists opens a pair of files. The error wraps fs.ErrNotExist if one is
// missing, and is a *model.FormatError if one is not as it should be.
func OpenLists(files cbhdb.Files, pair *cbh.ListFile) (*Lists, error) {
	l := &Lists{pair: pair}
	for _, open := range []func(cbhdb.Files) error{l.openTable, l.openBlocks} {
		if err := open(files); err != nil {
			l.Close()
			return nil, err
		}
	}
	return l, nil
}

func (l *Lists) openTable(files cbhdb.Files) (err error) {
	if l.table, err = files.Open(l.pair.Table); err != nil {
		return err
	}
	b, err := l.table.Start(cbh.ListHeaderSize)
	if err != nil {
		return err
	}
	head, err := cbh.DecodeListTableHeader(b)
	if err == nil {
		l.Rows, err = l.pair.CheckTable(head, l.table.Size())
	}
	return wire.Locate(err, l.table.Name(), 0, -1)
}

func (l *Lists) openBlocks(files cbhdb.Files) (err error) {
	if l.blocks, err = files.Open(l.pair.Blocks); err != nil {
		return err
	}
	b, err := l.blocks.Start(cbh.ListHeaderSize)
	if err != nil {
		return err
	}
	if l.Head, err = cbh.DecodeListBlocksHeader(b); err == nil {
		err = l.Head.Check(l.blocks.Size())
	}
	return wire.Locate(err, l.blocks.Name(), 0, -1)
}

// Close closes the files.
func (l *Lists) Close() {
	for _, f := range []*dbfile.File{l.table, l.blocks} {
		if f != nil {
			f.Close() // it was only read
		}
	}
}

// Row reads the row of an entity, below Rows: the ends of its lists, one for
// each kind.
func (l *Lists) Row(dst []cbh.ListEnds, entity int32) ([]cbh.ListEnds, error) {
	row, err := l.table.Bytes(nil, l.pair.RowOffset(entity), int64(l.pair.RowSize()))
	if err != nil {
		return dst, err
	}
	for kind := range l.pair.Kinds {
		ends, err := cbh.DecodeListEnds(row[kind*cbh.ListEndsSize:])
		if err != nil {
			return dst, err
		}
		dst = append(dst, ends)
	}
	return dst, nil
}

// Ends reads where one list of an entity begins and ends.
func (l *Lists) Ends(ref derive.Reference) (cbh.ListEnds, error) {
	at := l.pair.EndsOffset(ref.Entity, ref.Kind)
	if ref.Entity < 0 || ref.Entity >= l.Rows {
		return cbh.NoList, l.table.Wrong(at, int64(ref.Entity), "", model.ErrCorrupt, "there are %d rows", l.Rows)
	}
	b, err := l.table.Bytes(nil, at, cbh.ListEndsSize)
	if err != nil {
		return cbh.NoList, err
	}
	return cbh.DecodeListEnds(b)
}

// Block reads a block.
func (l *Lists) Block(n int32) (cbh.ListBlock, error) {
	if n < 0 || n >= l.Head.Blocks {
		return cbh.ListBlock{}, l.blockError(n, "", "there are %d blocks", l.Head.Blocks)
	}
	b, err := l.blocks.Bytes(nil, cbh.BlockOffset(n), cbh.ListBlockSize)
	if err != nil {
		return cbh.ListBlock{}, err
	}
	return cbh.DecodeListBlock(b)
}

// Append appends the records in the list of one kind between the given ends, in
// order. It checks all that can be checked without looking at the records; last
// is the number of records in the database. Visit, if not nil, is called for each
// block before its ids are used and can end the walk with an error.
//
// An error concerns the list and tells the block, or the row, with the fault;
// what was appended up to there is returned too.
func (l *Lists) Append(dst []int32, entity int32, kind cbh.ListKind, ends cbh.ListEnds, last model.RecordID, visit func(n int32, k *cbh.ListBlock) error) ([]int32, error) {
	if list, ok := ends.Inline(); ok {
		start := len(dst)
		dst = list.Append(dst, int32(last))
		return dst, l.checkInline(entity, list, dst[start:], last)
	}
	if ends == cbh.NoList {
		return dst, nil
	}
	w := chainWalk{lists: l, last: int32(last), twice: l.pair.Kinds[kind].OnBothSides()}
	for n, from := ends.Head, int32(-1); n != -1; {
		if n < 0 || n >= l.Head.Blocks {
			return dst, l.badLink(entity, from, n)
		}
		k, err := l.Block(n)
		if err == nil && visit != nil {
			err = visit(n, &k)
		}
		if err == nil {
			err = w.check(n, &k, ends.Tail)
		}
		if err != nil {
			return dst, err
		}
		dst = append(dst, k.InUse()...)
		n, from = k.Next, n
	}
	return dst, nil
}

// badLink is the error of a link to a block that does not exist, from the row
// of an entity if from is -1.
func (l *Lists) badLink(entity, from, to int32) error {
	if from == -1 {
		return l.table.Wrong(l.pair.RowOffset(entity), int64(entity), "first block", model.ErrCorrupt,
			"%d is none of the %d blocks", to, l.Head.Blocks)
	}
	return l.blockError(from, "next block", "%d is none of the %d blocks", to, l.Head.Blocks)
}

func (l *Lists) blockError(n int32, field, format string, args ...any) error {
	return l.blocks.Wrong(cbh.BlockOffset(n), int64(n), field, model.ErrCorrupt, format, args...)
}

// checkInline checks a list that is in its row.
func (l *Lists) checkInline(entity int32, list cbh.Inline, ids []int32, last model.RecordID) error {
	if len(ids) > 0 && ids[0] > 0 && list.First <= list.Last && list.Last <= int32(last) {
		return nil
	}
	return l.table.Wrong(l.pair.RowOffset(entity), int64(entity), "list", model.ErrCorrupt,
		"records %d to %d, but there are 1 to %d", list.First, list.Last, last)
}

// chainWalk checks the blocks of a list one after the other. Ids ascend, so a
// list that leads back into itself is found at once.
type chainWalk struct {
	lists *Lists
	last  int32
	twice bool  // an id may come twice: the entity on both sides
	id    int32 // the last id so far
	again bool  // it came twice already
}

func (w *chainWalk) check(n int32, k *cbh.ListBlock, tail int32) error {
	switch {
	case k.Count < 1 || k.Count > cbh.ListBlockIDs:
		return w.lists.blockError(n, "count", "%d ids, a block in use has 1 to %d", k.Count, cbh.ListBlockIDs)
	case k.Next != -1 && k.Count != cbh.ListBlockIDs:
		return w.lists.blockError(n, "count", "%d ids in a block that is not the last of its list", k.Count)
	case (k.Next == -1) != (n == tail):
		return w.lists.blockError(n, "next block", "%d, but the list ends with block %d", k.Next, tail)
	}
	for _, id := range k.InUse() {
		again := id == w.id
		switch {
		case id < 1 || id > w.last:
			return w.lists.blockError(n, "ids", "record %d, but there are 1 to %d", id, w.last)
		case id < w.id || again && (w.again || !w.twice):
			return w.lists.blockError(n, "ids", "record %d comes after record %d", id, w.id)
		}
		w.id, w.again = id, again
	}
	return nil
}

// Capacities returns how many records each of the entity files of a pair has,
// deleted ones included. A file that is missing has none.
func Capacities(db *cbhdb.DB, pair *cbh.ListFile) ([]int32, error) {
	list := make([]int32, len(pair.Kinds))
	for i, kind := range pair.Kinds {
		if !db.Files().Has(kind.Ext) {
			continue
		}
		e, err := db.Entities(kind)
		if err != nil {
			return nil, err
		}
		list[i] = e.Count
	}
	return list, nil
}

// A position that few enough games reach for the boosters to be worth asking has at most
// filteredPieces pieces, or at least filteredSquares that pieces stand on at the start are
// empty. (docs/performance.md, A million games and more)
const (
	filteredPieces  = 28
	filteredSquares = 5
)

// homes are the squares that pieces stand on at the start.
const homes = 0xffff00000000ffff

// IsWorthAsking reports whether the boosters that are there can rule out most games as having
// reached a position. They may not hold: that is proven when they are opened.
//
// The index of positions can of any.
func IsWorthAsking(files interface{ Has(ext string) bool }, p *board.Position) bool {
	return files.Has(dbfile.IndexExt(files)) || files.Has(".cbb") && IsFiltered(p)
}

// IsFiltered reports whether most games do not have the pieces of a position, so that the .cbb
// file rules them out.
func IsFiltered(p *board.Position) bool {
	return bits.OnesCount64(p.Occupied()) <= filteredPieces || bits.OnesCount64(homes&^p.Occupied()) >= filteredSquares
}
