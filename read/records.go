package read

import (
	"context"
	"fmt"
	"io/fs"
	"iter"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/jobs"
	"cbkit/internal/stale"
	"cbkit/internal/wire"
	"cbkit/model"
)

// batchSize is how many records are read and decoded in one piece of work:
// enough to keep the processors busy, few enough to start at once.
const batchSize = 128

// Records implements [model.Source]; a record is valid until the next step alone,
// and [model.Kept] yields copies. Reading runs ahead of decoding and decoding ahead
// of the caller, in a bounded number of batches.
func (db *ChessBase) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		yield = stale.After(yield)
		from := max(from, 1)
		db.reached.id.Store(int64(from) - 1)
		if want.OnlyHeaders() {
			db.headersHere(ctx, from, yield)
			return
		}
		db.read(ctx, jobs.Count(db.opt.Jobs), db.newReader(dbfile.FarAhead, idsFrom(from, db.headers.Count)), want, yield)
	}
}

// RecordsOf implements [model.Numbered]. It reads ahead as [ChessBase.Records] does.
func (db *ChessBase) RecordsOf(ctx context.Context, ids iter.Seq[model.RecordID], want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		if db.watch.closed.Load() {
			yield(model.Record{}, fs.ErrClosed)
			return
		}
		db.reached.id.Store(0)
		next, stop := iter.Pull(ids)
		defer stop()
		db.read(ctx, jobs.Count(db.opt.Jobs), db.newReader(dbfile.NearAhead, next), want, stale.After(yield))
	}
}

// read reads and decodes the records of a reader, in the caller's goroutine if there is but one
// worker.
func (db *ChessBase) read(ctx context.Context, workers int, reader *recordReader, want model.Want, yield func(model.Record, error) bool) {
	ended := false
	create := func() *batch { return newBatch(batchSize) }
	fill := func(b *batch) bool {
		b.want = want
		return reader.fill(b)
	}
	err := inBatches(ctx, workers, create, fill, func(b *batch) { b.decode(db) }, func(b *batch) bool { ended = !db.take(b, yield); return !ended })
	if err == nil && !ended {
		err = db.lost()
	}
	if err != nil {
		yield(model.Record{}, err)
	}
}

// recordReader reads raw records, ahead of their use where they lie in order.
type recordReader struct {
	db                 *ChessBase
	next               func() (model.RecordID, bool) // the record to read
	headers            *cbhdb.HeaderReader
	moves, annotations *cbhdb.BlockReader
	media              dbfile.Sharing // of lists in the .cbm file
}

func (db *ChessBase) newReader(ahead int, next ids) *recordReader {
	return &recordReader{db: db, next: next, headers: db.headers.Headers(db.extensions, ahead), moves: db.moves.Reader(ahead), annotations: db.annotations.Reader(ahead)}
}

// arenaSize bounds the stored bytes of a batch, so that few annotated games are
// under way at a time, and what was decoded is still near when it is used. Only the
// last record can go beyond it.
const arenaSize = 32 << 10

// fill reads the next records into a batch, no more than fit into arenaSize; false if
// there are none.
func (r *recordReader) fill(b *batch) bool {
	b.arena = b.arena[:0]
	for b.n = 0; b.n < len(b.slots) && len(b.arena) < arenaSize; b.n++ {
		id, more := r.next()
		if !more {
			break
		}
		raw := &b.raws[b.n]
		*raw = rawRecord{id: id}
		raw.err = r.read(b, raw)
	}
	if b.n == 0 {
		return false
	}
	if b.changed = r.db.lost(); b.changed == nil {
		b.changed = r.db.watch.Check()
	}
	return true
}

// read reads what is wanted of one record into the arena of b.
func (r *recordReader) read(b *batch, raw *rawRecord) error {
	id := raw.id
	if id < 1 || id > r.db.headers.Count {
		return fmt.Errorf("%s: record %d: %w; there are %d", r.db.headers.Name(), id, model.ErrNoRecord, r.db.headers.Count)
	}
	h, err := r.headers.At(id)
	if err != nil {
		return err
	}
	raw.head, raw.ext = b.keep(h.Head), b.keep(h.Ext)
	raw.movesAt, raw.annotationsAt = h.MovesAt(), h.AnnotationsAt()
	if cbh.RecordType(h.Head[0]).IsText() {
		raw.mediaErr = r.passMedia(&h)
	}
	if b.want&(model.WantMoves|model.WantRaw) != 0 {
		if raw.moves, err = b.keepBlock(r.moves, raw.movesAt, id); err != nil {
			return err
		}
	}
	if raw.annotationsAt != 0 && b.want&(model.WantAnnotations|model.WantRaw) != 0 {
		raw.annotations, err = b.keepBlock(r.annotations, raw.annotationsAt, id)
	}
	return err
}

// passMedia returns an error if the media list of a text is not there, or not to
// be read again.
func (r *recordReader) passMedia(h *cbhdb.Header) error {
	ext := cbh.DecodeExtRecord(h.Ext)
	at, size := int64(ext.Media), int64(r.db.media.Size(ext.Media))
	if size == 0 && ext.Media != cbh.NoMedia && r.db.leftover.Media != nil {
		return r.db.extensions.Wrong(r.db.extensions.Offset(h.ID), int64(h.ID), "media", model.ErrCorrupt,
			"no list begins at %d of %s", at, r.db.set.Name(".cbm"))
	}
	if size == 0 || r.media.Pass(int64(len(r.db.leftover.Media)), at, size) {
		return nil
	}
	return r.media.Refused(r.db.set.Name(".cbm"), at, size, h.ID)
}

// rawRecord is the stored form of a record: its headers, and where in the
// batch's arena its moves (or text) and its annotations lie.
type rawRecord struct {
	id                 model.RecordID
	head, ext          extent
	moves, annotations extent
	movesAt            int64 // offsets in the files
	annotationsAt      int64
	mediaErr           error // why the list of media is not to be read
	err                error
}

// extent is a run of bytes in the arena.
type extent struct{ from, to int }

func (e extent) of(arena []byte) []byte { return arena[e.from:e.to] }

func (e extent) size() int { return e.to - e.from }

// batch are some records on its way from the files to the caller. Its
// memory is used again and again.
type batch struct {
	want model.Want
	n    int
	// changed says that what was read may be of two states of the database, or
	// that names could not be read.
	changed error

	raws  []rawRecord
	arena []byte // what the extents in raws point into
	slots []slot
}

func newBatch(records int) *batch {
	return &batch{raws: make([]rawRecord, records), slots: make([]slot, records)}
}

// keep copies bytes into the arena.
func (b *batch) keep(p []byte) extent {
	from := len(b.arena)
	b.arena = append(b.arena, p...)
	return extent{from, len(b.arena)}
}

// keepBlock copies a record of the .cbg or .cba file into the arena.
func (b *batch) keepBlock(r *cbhdb.BlockReader, at int64, id model.RecordID) (extent, error) {
	x, err := r.Next(at, id)
	if err != nil {
		return extent{}, err
	}
	p, err := r.Bytes(x)
	if err != nil {
		return extent{}, wire.Locate(err, r.Name(), 0, int64(id))
	}
	return b.keep(p), nil
}

// decode turns the raw records into records of the model.
func (b *batch) decode(db *ChessBase) {
	for i := range b.n {
		b.slots[i].decode(db, b, &b.raws[i])
	}
}

// yieldAll passes the records on; it reports whether the caller wants more.
func (b *batch) yieldAll(yield func(model.Record, error) bool) bool {
	if b.changed != nil {
		yield(model.Record{}, b.changed)
		return false
	}
	for i := range b.n {
		s := &b.slots[i]
		if !yield(s.record, s.err) {
			return false
		}
		// The texts of what was passed on may go; the memory for lists stays.
		clear(s.game.Annotations)
		s.game.Annotations = nil
	}
	return true
}
