package cbhdb

import (
	"encoding/binary"
	"fmt"
	"math"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// The endings of the files with blocks.
const (
	movesExt       = ".cbg"
	annotationsExt = ".cba"
)

// Blocks is the .cbg or .cba file: records of any size, each with its size in
// its head, and holes between them.
type Blocks struct {
	*dbfile.File
	Head cbh.BlockHeader

	least  int64              // the size of the head of a record
	sizeOf func([]byte) int64 // returns the size of a record by its head
}

// MoveFile returns the .cbg file, AnnotationFile the .cba file. Both are mandatory.
func (db *DB) MoveFile() (*Blocks, error) {
	return db.moves.get(func() (*Blocks, error) {
		return db.openBlocks(movesExt, moveenc.HeadSize, func(head []byte) int64 { return int64(wire.U24BE(head[1:])) })
	})
}

// AnnotationFile returns the .cba file.
func (db *DB) AnnotationFile() (*Blocks, error) {
	return db.annotations.get(func() (*Blocks, error) {
		return db.openBlocks(annotationsExt, cbh.AnnotationHeadSize, func(head []byte) int64 { return int64(binary.BigEndian.Uint32(head[10:])) })
	})
}

func (db *DB) openBlocks(ext string, least int64, sizeOf func([]byte) int64) (*Blocks, error) {
	f, err := db.mandatory(ext)
	if err != nil {
		return nil, err
	}
	b, err := f.Start(cbh.BlockHeaderSize)
	if err != nil {
		return nil, err
	}
	head, err := cbh.DecodeBlockHeader(b)
	if err != nil {
		return nil, wire.Locate(err, f.Name(), 0, -1)
	}
	return &Blocks{f, head, least, sizeOf}, nil
}

// PutHead writes the header as b.Head has it.
func (b *Blocks) PutHead() error { return b.PutAt(b.Head.Append(nil), 0) }

// DeclaredEnd is where the records end by the header, at most the end of the
// file.
func (b *Blocks) DeclaredEnd() int64 { return max(b.Head.End(b.Size()), int64(b.Head.Size)) }

// DeclaredHoles is how many bytes the header counts as unused.
func (b *Blocks) DeclaredHoles() int64 {
	if b.Head.Size == cbh.BlockHeaderSize && b.Size() > math.MaxUint32 {
		return int64(min(b.Head.Unused64, math.MaxInt64))
	}
	return int64(b.Head.Unused)
}

// Extent is a part of a file.
type Extent struct{ At, Size int64 }

// End is where it ends; that of no part is 0.
func (x Extent) End() int64 { return x.At + x.Size }

// BlockReader reads the records of a .cbg or .cba file, ahead of their use
// where they lie in order. It is for one goroutine, and does not see what is
// written meanwhile.
type BlockReader struct {
	*Blocks
	window  *dbfile.Window
	sharing dbfile.Sharing // of Next
}

// Reader returns a reader that reads at least so many bytes at once.
func (b *Blocks) Reader(ahead int) *BlockReader {
	return &BlockReader{Blocks: b, window: dbfile.NewWindow(b.File, ahead)}
}

// Locate returns where the record lies that begins at an offset, of which a
// game or text with the given number tells. A fault says why there is none;
// then the extent has no size. The error is one of reading.
func (r *BlockReader) Locate(at int64, id model.RecordID) (Extent, *Fault, error) {
	x, size := Extent{At: at}, r.Size()
	switch {
	case at < int64(r.Head.Size):
		return x, r.fault(OffsetOutside, at, id, "offset", "%d lies in the file's header", at), nil
	case at > size-r.least:
		return x, r.fault(OffsetOutside, at, id, "offset", "%d lies past the end of the file, which has %d bytes", at, size), nil
	}
	head, err := r.window.At(at, r.least)
	if err != nil {
		return x, nil, wire.Locate(err, r.Name(), 0, int64(id))
	}
	switch n := r.sizeOf(head); {
	case n < r.least:
		return x, r.fault(RecordSize, at, id, "size", "%d bytes cannot hold a record", n), nil
	case n > size-at:
		return x, r.fault(RecordSize, at, id, "size", "%d bytes from %d on exceed the file, which ends after %d", n, at, size), nil
	default:
		x.Size = n
	}
	return x, nil, nil
}

// Find is Locate for those to whom a fault is an error like others.
func (r *BlockReader) Find(at int64, id model.RecordID) (Extent, error) {
	x, fault, err := r.Locate(at, id)
	if err == nil {
		err = fault.Err()
	}
	if err != nil {
		return Extent{}, err
	}
	return x, nil
}

func (r *BlockReader) fault(code Code, at int64, id model.RecordID, field, format string, args ...any) *Fault {
	return &Fault{code, Place{r.Name(), int64(id), at, field}, model.ErrCorrupt, fmt.Sprintf(format, args...)}
}

// Next is Find in a reading of all records, which refuses those that make it
// read the same bytes again and again ([dbfile.Sharing]).
func (r *BlockReader) Next(at int64, id model.RecordID) (Extent, error) {
	x, err := r.Find(at, id)
	if err == nil && !r.sharing.Pass(r.Size(), x.At, x.Size) {
		err = r.sharing.Refused(r.Name(), x.At, x.Size, id)
	}
	return x, err
}

// Bytes returns a record that was located. It is valid until the next call of a
// method.
func (r *BlockReader) Bytes(x Extent) ([]byte, error) { return r.window.At(x.At, x.Size) }

// Order says how a record lies to those before it.
type Order uint8

// The ways in which a record can lie.
const (
	Ascending  Order = iota // behind all of them
	Overlap                 // begins inside one of them
	Descending              // begins before one of them
)

// Between follows the records of a .cbg or .cba file, which lie in the order of
// their ids, and counts what lies between them: holes, which no record uses.
// (docs/formats/cbh.md, Where records lie)
type Between struct {
	// Start is where the furthest record so far begins, -1 if there was none;
	// End is where the records end so far.
	Start, End int64
	// Holes is how many bytes lie between the records so far.
	Holes int64
}

// Between returns a follower before the first record.
func (b *Blocks) Between() Between { return Between{Start: -1, End: int64(b.Head.Size)} }

// Pass takes the next record. It returns how it lies and, of one that ascends,
// the hole before it.
func (b *Between) Pass(x Extent) (order Order, hole Extent) {
	switch {
	case x.At < b.Start:
		order = Descending
	case x.At < b.End:
		order = Overlap
	default:
		hole = Extent{b.End, x.At - b.End}
		b.Holes += hole.Size
	}
	b.Start, b.End = max(b.Start, x.At), max(b.End, x.End())
	return order, hole
}
