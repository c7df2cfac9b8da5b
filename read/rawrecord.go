package read

import (
	"encoding/binary"
	"errors"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// rawRecord is the stored form of a record: its headers, and where in the
// batch's arena its moves (or text) and its annotations lie.
type rawRecord struct {
	head, ext          extent
	moves, annotations extent
	movesAt, notesAt   int64 // offsets in the files
	err                error
}

// arenaSize bounds the stored bytes of a batch; only the last record can go
// beyond it.
const arenaSize = 1 << 20

// movesHeadSize is the size of the head of a .cbg record: one byte of marks,
// then the size of the record in three bytes, big-endian. (spec/cbg.md 2)
const movesHeadSize = 4

// extent is a run of bytes in the arena.
type extent struct{ from, to int }

func (e extent) of(arena []byte) []byte { return arena[e.from:e.to] }

func (e extent) size() int { return e.to - e.from }

// recordReader reads raw records, ahead of their use where they lie in order.
type recordReader struct {
	db                 *ChessBase
	heads, exts        *dbfile.Window
	moves, annotations *dbfile.Window
}

func (db *ChessBase) newReader(ahead int) *recordReader {
	r := &recordReader{
		db: db, heads: dbfile.NewWindow(db.cbh, ahead),
		moves: dbfile.NewWindow(db.cbg, ahead), annotations: dbfile.NewWindow(db.cba, ahead),
	}
	if db.cbj != nil {
		r.exts = dbfile.NewWindow(db.cbj, ahead)
	}
	return r
}

// fill reads the records of a batch from b.first on: at least one, and no more
// than fit into arenaSize.
func (r *recordReader) fill(b *batch) {
	most := int(min(model.RecordID(len(b.slots)), r.db.count-b.first+1))
	b.arena = b.arena[:0]
	for b.n = 0; b.n < most && len(b.arena) < arenaSize; b.n++ {
		raw := &b.raws[b.n]
		*raw = rawRecord{}
		raw.err = r.read(b, raw, b.first+model.RecordID(b.n))
	}
}

// read reads what is wanted of one record into the arena of b.
func (r *recordReader) read(b *batch, raw *rawRecord, id model.RecordID) error {
	head, err := r.heads.At(int64(id)*cbh.RecordSize, cbh.RecordSize)
	if err != nil {
		return err
	}
	raw.head = b.keep(head)
	if r.db.hasExt(id) {
		ext, err := r.exts.At(r.db.extOffset(id), int64(r.db.ext.RecordSize))
		if err != nil {
			return err
		}
		raw.ext = b.keep(ext)
	}
	if b.want == model.WantHeaders {
		return nil
	}
	place, err := r.db.locate(raw.head.of(b.arena), raw.ext.of(b.arena))
	if err != nil {
		return wire.Locate(err, r.db.cbh.Name(), int64(id)*cbh.RecordSize, int64(id))
	}
	raw.movesAt, raw.notesAt = place.moves, place.annotations
	if b.want&(model.WantMoves|model.WantRaw) != 0 {
		size, err := r.movesSize(place.moves, id)
		if err != nil {
			return err
		}
		if raw.moves, err = b.keepFrom(r.moves, place.moves, size); err != nil {
			return ofRecord(err, id)
		}
	}
	if place.annotations != 0 && b.want&(model.WantAnnotations|model.WantRaw) != 0 {
		size, err := r.annotationsSize(place.annotations, id)
		if err != nil {
			return err
		}
		if raw.annotations, err = b.keepFrom(r.annotations, place.annotations, size); err != nil {
			return ofRecord(err, id)
		}
	}
	return nil
}

// keep copies bytes of a window into the arena.
func (b *batch) keep(p []byte) extent {
	from := len(b.arena)
	b.arena = append(b.arena, p...)
	return extent{from, len(b.arena)}
}

// keepFrom copies a run of a file into the arena.
func (b *batch) keepFrom(w *dbfile.Window, offset, size int64) (extent, error) {
	p, err := w.At(offset, size)
	if err != nil {
		return extent{}, err
	}
	return b.keep(p), nil
}

// movesSize returns the size of the .cbg record at an offset, having checked
// that it lies inside the file.
func (r *recordReader) movesSize(offset int64, id model.RecordID) (int64, error) {
	f := r.db.cbg
	if err := checkOffset(f, r.db.moves, offset, movesHeadSize, id); err != nil {
		return 0, err
	}
	head, err := r.moves.At(offset, movesHeadSize)
	if err != nil {
		return 0, ofRecord(err, id)
	}
	size := int64(head[1])<<16 | int64(head[2])<<8 | int64(head[3])
	return size, checkSize(f, offset, size, movesHeadSize, id)
}

// annotationsSize is the same for a record of the .cba file.
func (r *recordReader) annotationsSize(offset int64, id model.RecordID) (int64, error) {
	f := r.db.cba
	if err := checkOffset(f, r.db.notes, offset, cbh.AnnotationHeadSize, id); err != nil {
		return 0, err
	}
	head, err := r.annotations.At(offset, cbh.AnnotationHeadSize)
	if err != nil {
		return 0, ofRecord(err, id)
	}
	size := int64(binary.BigEndian.Uint32(head[10:]))
	return size, checkSize(f, offset, size, cbh.AnnotationHeadSize, id)
}

// checkOffset checks that a record can begin at an offset.
func checkOffset(f *dbfile.File, head cbh.BlockHeader, offset, least int64, id model.RecordID) error {
	if offset < int64(head.Size) {
		return f.Wrong(offset, int64(id), "offset", model.ErrCorrupt, "lies inside the file header")
	}
	if offset > f.Size()-least {
		return f.Wrong(offset, int64(id), "offset", model.ErrCorrupt,
			"lies past the end of the file, which has %d bytes", f.Size())
	}
	return nil
}

// checkSize checks that a record that begins at an offset can have a size.
func checkSize(f *dbfile.File, offset, size, least int64, id model.RecordID) error {
	if size < least {
		return f.Wrong(offset, int64(id), "size", model.ErrCorrupt, "%d bytes cannot hold a record", size)
	}
	if size > f.Size()-offset {
		return f.Wrong(offset, int64(id), "size", model.ErrCorrupt,
			"%d bytes exceed the file, which ends after %d", size, f.Size()-offset)
	}
	return nil
}

// ofRecord adds the number of the record to an error of a window.
func ofRecord(err error, id model.RecordID) error {
	var e *model.FormatError
	if !errors.As(err, &e) {
		return err
	}
	located := *e
	located.Record = int64(id)
	return &located
}
