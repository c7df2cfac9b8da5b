package cbh

import (
	"fmt"
	"slices"

	"cbkit/internal/wire"
	"cbkit/model"
)

// ListHeaderSize is the size of the headers of .cit, .cit2, .cib and .cib2
// files.
const ListHeaderSize = 12

// ListKind is a kind of entity whose lists are in a .cit file, by its place in
// a row.
type ListKind uint8

// The kinds in the order of a row. A .cit2 file has one kind only, game titles,
// whose place is 0.
const (
	PlayerList ListKind = iota
	TournamentList
	TeamList
	SourceList
	AnnotatorList
	// ListKinds is the number of lists in a row of a .cit file.
	ListKinds = 5

	// TitleList is the one kind of a .cit2 file.
	TitleList ListKind = 0
)

// ListFile is one of the two pairs of booster files that list, for every
// entity, the records that refer to it.
type ListFile struct {
	// Table and Blocks are the endings of the two files.
	Table, Blocks string
	// Kinds are the entity files whose lists are in a row, by place.
	Kinds []*EntityFile
}

// Lists are the lists of everything but game titles, TitleLists those of the
// game titles. The newest programs keep these in a pair of their own.
var (
	Lists = ListFile{".cit", ".cib", []*EntityFile{
		&Players.EntityFile, &Tournaments.EntityFile, &Teams.EntityFile, &Sources.EntityFile, &Annotators.EntityFile,
	}}
	TitleLists = ListFile{".cit2", ".cib2", []*EntityFile{&GameTitles.EntityFile}}
	// ListFiles are both.
	ListFiles = []*ListFile{&Lists, &TitleLists}
)

// ListFileOf returns the pair that a file of an ending is one of, nil if there is none.
func ListFileOf(ext string) *ListFile {
	for _, f := range ListFiles {
		if ext == f.Table || ext == f.Blocks {
			return f
		}
	}
	return nil
}

// ListsOf returns the pair that has the lists of a kind of entity, and their place in a row.
func ListsOf(kind *EntityFile) (*ListFile, ListKind) {
	if n := slices.Index(Lists.Kinds, kind); n >= 0 {
		return &Lists, ListKind(n)
	}
	return &TitleLists, TitleList
}

// RowSize is the size of a row of the table in bytes.
func (f *ListFile) RowSize() int { return len(f.Kinds) * ListEndsSize }

// ListTableHeader is the first 12 bytes of a .cit or .cit2 file, little-endian:
//
//	0 row size i32, 40 or 8 | 0 i32 | 0 i32
//
// Row id serves entity id of every kind: for each kind in order, where its list
// begins and ends ([ListEnds]). There are as many rows as the largest of the
// entity files has records. Source: docs/formats/boosters.md 2, 4.
type ListTableHeader struct {
	RowSize, Unknown4, Unknown8 int32
}

// DecodeListTableHeader reads the first 12 bytes of b. Only a length is
// checked; see [ListFile.CheckTable].
func DecodeListTableHeader(b []byte) (ListTableHeader, error) {
	c := wire.NewCursor(b)
	h := ListTableHeader{c.I32LE(), c.I32LE(), c.I32LE()}
	return h, c.Err()
}

// Append appends the 12 bytes of the header.
func (h ListTableHeader) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, h.RowSize)
	dst = wire.AppendI32LE(dst, h.Unknown4)
	return wire.AppendI32LE(dst, h.Unknown8)
}

// CheckTable returns the number of rows in a table of the given size in bytes,
// or an error if the header does not fit the kind of file or the size. Empty
// .cit2 files of another program say 40 for their rows; where there is none it
// does not matter.
func (f *ListFile) CheckTable(h ListTableHeader, size int64) (rows int32, err error) {
	body := size - ListHeaderSize
	switch {
	case body == 0 && h.RowSize == int32(Lists.RowSize()):
		return 0, nil
	case h.RowSize != int32(f.RowSize()):
		return 0, fail(0, "row size", fmt.Errorf("%d, not %d: %w", h.RowSize, f.RowSize(), model.ErrCorrupt))
	case body%int64(h.RowSize) != 0:
		return 0, fail(size, "", fmt.Errorf("the last row is cut: %w", model.ErrTruncated))
	case body/int64(h.RowSize) > maxRows:
		return 0, fail(size, "", fmt.Errorf("more rows than there can be entities: %w", model.ErrCorrupt))
	}
	return int32(body / int64(h.RowSize)), nil
}

// maxRows is the largest number of entities: their ids have 24 bits.
const maxRows = 1 << 24

// NewTableHeader returns the header of a new table.
func (f *ListFile) NewTableHeader() ListTableHeader {
	return ListTableHeader{RowSize: int32(f.RowSize())}
}

// RowOffset is where the row of an entity begins.
func (f *ListFile) RowOffset(id int32) int64 { return ListHeaderSize + int64(id)*int64(f.RowSize()) }

// EndsOffset is where the ends of one of its lists are.
func (f *ListFile) EndsOffset(id int32, kind ListKind) int64 {
	return f.RowOffset(id) + int64(kind)*ListEndsSize
}

// ListEndsSize is the size of a ListEnds in bytes.
const ListEndsSize = 8

// ListEnds says where the list of one entity begins and ends: the numbers of
// its first and last block, little-endian i32 each.
type ListEnds struct{ Head, Tail int32 }

// NoList are the ends of a list that is empty.
var NoList = ListEnds{-1, -1}

// DecodeListEnds reads 8 bytes of b.
func DecodeListEnds(b []byte) (ListEnds, error) {
	c := wire.NewCursor(b)
	e := ListEnds{c.I32LE(), c.I32LE()}
	return e, c.Err()
}

// Append appends the 8 bytes.
func (e ListEnds) Append(dst []byte) []byte {
	return wire.AppendI32LE(wire.AppendI32LE(dst, e.Head), e.Tail)
}

// The marks of lists without blocks, in the number of the head.
const (
	inlineMark = 0x40000000
	rangeMark  = 0x20000000
	inlineID   = rangeMark - 1
)

// Inline is a list that is in the row itself, without a block: one id, two, or
// all from First to Last. ChessBase writes it in .cit2 files for titles with a
// single game; the other two forms are those of a later format.
// (docs/formats/boosters.md 4)
type Inline struct {
	First, Last int32
	// All says that every id between First and Last is in the list.
	All bool
}

// Inline returns the list that is in the row itself; ok is false if the list
// is in blocks, or empty.
func (e ListEnds) Inline() (list Inline, ok bool) {
	if e.Head < 0 || e.Head&(inlineMark|rangeMark) == 0 {
		return Inline{}, false
	}
	list = Inline{First: e.Head & inlineID, Last: e.Head & inlineID, All: e.Head&rangeMark != 0}
	if e.Tail >= 0 {
		list.Last = e.Tail & inlineID
	}
	return list, true
}

// Append appends the ids of the list that are not above limit.
func (l Inline) Append(dst []int32, limit int32) []int32 {
	if l.All {
		for id := l.First; id <= min(l.Last, limit); id++ {
			dst = append(dst, id)
		}
		return dst
	}
	for i, id := range [2]int32{l.First, l.Last} {
		if id <= limit && (i == 0 || id != l.First) {
			dst = append(dst, id)
		}
	}
	return dst
}

// OnBothSides reports whether a game refers to two entities of the kind, which
// may be the same.
func (f *EntityFile) OnBothSides() bool { return f.Ext == Players.Ext || f.Ext == Teams.Ext }
