package cbhedit

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/model"
)

// blocks is the .cbg or .cba file under change.
type blocks struct {
	*cbhdb.Blocks
	// placeOf returns where the record of a game or text begins, 0 if it has none.
	placeOf func(*cbhdb.Header) int64
	file    *journal.File
	// temp has the new records that wait for their places.
	temp    *journal.File
	waiting map[model.RecordID]cbhdb.Extent // in temp; of no size: the record goes
	// old is the size before the transaction: what lies behind came with it.
	old int64
	// holes is by how much the bytes that no record uses have become more.
	holes int64
	// compacted is the file without holes, if it is to be compacted.
	compacted *layout
}

// openBlocks opens a file for the next transaction; last is what it was in the
// one before.
func (d *DB) openBlocks(open func(*cbhdb.DB) (*cbhdb.Blocks, error), placeOf func(*cbhdb.Header) int64, last *blocks) (*blocks, error) {
	file, err := open(d.db)
	if err != nil {
		return nil, err
	}
	b := &blocks{Blocks: file, placeOf: placeOf, waiting: map[model.RecordID]cbhdb.Extent{}, old: file.Size()}
	if last != nil {
		b.temp = last.temp
	} else {
		b.temp = d.set.Temp()
	}
	b.file, err = d.set.File(file.Name())
	return b, err
}

// append writes a record behind all others and returns where.
func (b *blocks) append(record []byte) (int64, error) {
	if err := b.isWhole(); err != nil {
		return 0, err
	}
	return b.file.Append(record)
}

// isWhole refuses a file that ends before its header says: what comes behind
// would be taken for what is missing.
func (b *blocks) isWhole() error {
	if end := int64(b.Head.FileSize); b.old <= 1<<32-1 && end > b.old {
		return b.Wrong(2, -1, "file size", model.ErrTruncated, "%d bytes are announced, the file has %d; "+
			"what is there can be saved with cbkit salvage", end, b.old)
	}
	return nil
}

// near is how far is read ahead for single records.
const near = 1 << 9

// stored returns the record that begins at a place of the file.
func (b *blocks) stored(at int64, id model.RecordID) ([]byte, error) {
	r := b.Reader(near)
	x, err := r.Find(at, id)
	if err != nil {
		return nil, err
	}
	record, err := r.Bytes(x)
	return slices.Clone(record), err
}

// record returns the record of a game or text: the one that waits, or the one
// at its place.
func (b *blocks) record(h *cbhdb.Header) ([]byte, error) {
	if x, ok := b.waiting[h.ID]; ok {
		record := make([]byte, x.Size)
		_, err := dbfile.New(opened{b.temp}, "changes").ReadAt(record, x.At)
		return record, err
	}
	at := b.placeOf(h)
	if at == 0 {
		return nil, nil
	}
	return b.stored(at, h.ID)
}

// blankAnnotations is how much of annotations becomes zeros when they go.
const blankAnnotations = cbh.AnnotationHeadSize

// put changes the record of a game or text. No bytes: it has none any more.
func (b *blocks) put(h *cbhdb.Header, record []byte) error {
	id := h.ID
	if at := b.placeOf(h); at != 0 {
		switch old, err := b.stored(at, id); {
		case err != nil:
			return err
		case bytes.Equal(old, record):
			delete(b.waiting, id)
			return nil
		}
	} else if len(record) == 0 {
		delete(b.waiting, id)
		return nil
	}
	stored := record
	if len(record) == 0 {
		stored = make([]byte, blankAnnotations)
	}
	place, err := b.temp.Append(stored)
	if err != nil {
		return err
	}
	b.waiting[id] = cbhdb.Extent{At: place, Size: int64(len(record))}
	return nil
}

// ids returns the records that wait, in order.
func (b *blocks) ids() []model.RecordID { return slices.Sorted(maps.Keys(b.waiting)) }

// Moves returns the .cbg record of a game or text.
func (d *DB) Moves(id model.RecordID) ([]byte, error) { return d.part(d.moves, id) }

// Annotations returns the .cba record of a game, nothing if it has none.
func (d *DB) Annotations(id model.RecordID) ([]byte, error) { return d.part(d.annotations, id) }

// part returns the record of a game or text in a file.
func (d *DB) part(b *blocks, id model.RecordID) ([]byte, error) {
	h, err := d.Header(id)
	if err != nil {
		return nil, err
	}
	return b.record(&h)
}

// PutMoves changes the .cbg record of a game or text.
func (d *DB) PutMoves(id model.RecordID, record []byte) error {
	h, err := d.Header(id)
	if err != nil {
		return err
	}
	if len(record) == 0 {
		return fmt.Errorf("%s: record %d: a record of no bytes", d.moves.Name(), id)
	}
	return d.fail(d.moves.put(&h, record))
}

// PutAnnotations changes the .cba record of a game; no bytes take it away.
func (d *DB) PutAnnotations(id model.RecordID, record []byte) error {
	h, err := d.Header(id)
	if err != nil {
		return err
	}
	return d.fail(d.annotations.put(&h, record))
}
