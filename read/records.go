package read

import (
	"context"
	"iter"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/stale"
	"cbkit/internal/wire"
	"cbkit/model"
)

// batchSize is how many records are read and decoded in one piece of work:
// enough to keep the processors busy, few enough to start at once.
const batchSize = 128

// Records implements [model.Source] as [batched.Records] does.
func (db *ChessBase) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	if !want.OnlyHeaders() {
		return db.batched.Records(ctx, from, want)
	}
	return func(yield func(model.Record, error) bool) {
		from := max(from, 1)
		db.reached.Store(int64(from) - 1)
		db.headersHere(ctx, from, stale.After(yield))
	}
}

// recordReader reads raw records, ahead of their use where they lie in order.
type recordReader struct {
	db                 *ChessBase
	headers            *cbhdb.HeaderReader
	moves, annotations *cbhdb.BlockReader
	media              dbfile.Sharing // of lists in the .cbm file
}

func (db *ChessBase) newRecordReader(ahead int) *recordReader {
	return &recordReader{db: db, headers: db.headers.Headers(db.extensions, ahead), moves: db.moves.Reader(ahead), annotations: db.annotations.Reader(ahead)}
}

// fill reads the record that is to be one of a batch.
func (r *recordReader) fill(b *batch, i int, id model.RecordID) {
	b.raws[i].err = r.read(b, &b.raws[i], id)
}

// read reads what is wanted of one record into the arena of b.
func (r *recordReader) read(b *batch, raw *rawRecord, id model.RecordID) error {
	*raw = rawRecord{id: id}
	h, err := r.headers.At(id)
	if err != nil {
		return err
	}
	r.keepHeader(b, raw, &h)
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

// keepHeader begins a record with its header.
func (r *recordReader) keepHeader(b *batch, raw *rawRecord, h *cbhdb.Header) {
	*raw = rawRecord{id: h.ID, head: b.keep(h.Head), ext: b.keep(h.Ext), movesAt: h.MovesAt(), annotationsAt: h.AnnotationsAt()}
	if h.Type().IsText() {
		raw.mediaErr = r.passMedia(h)
	}
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

// batch is a [recordBatch].
type batch struct {
	rawBatch
	db    *ChessBase
	raws  []rawRecord
	slots []slot
}

func newBatch(db *ChessBase, records int) *batch {
	return &batch{db: db, raws: make([]rawRecord, records), slots: make([]slot, records)}
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
func (b *batch) decode() {
	for i := range b.n {
		b.slots[i].decode(b.db, b, &b.raws[i])
	}
}

// finish returns a record.
func (b *batch) finish(i int) (model.Record, error) {
	if i > 0 {
		// The texts of what was passed on may go; the memory for lists stays.
		before := &b.slots[i-1].game
		clear(before.Annotations)
		before.Annotations = nil
	}
	return b.slots[i].record, b.slots[i].err
}
