package check

import (
	"context"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
)

// record is a game or guiding text with the stored form of its parts.
type record struct {
	id   model.RecordID
	head []byte // in the .cbh file
	ext  []byte // in the .cbj file, nil if there is none

	isText    bool
	game      cbh.GameRecord // of a game
	text      cbh.TextRecord // of a text
	extValues cbh.ExtRecord

	moves, notes part
}

// headOffset is where the record begins in the .cbh file.
func (r *record) headOffset() int64 { return int64(r.id) * cbh.RecordSize }

// part is the piece of a record in the .cbg or .cba file.
type part struct {
	cbhdb.Extent // without size if it is not known
	// there is false where the record has no such part or the file is missing.
	there bool
	bytes []byte // nil if there is a fault
	fault *cbhdb.Fault
}

// lane reads the parts of one file in the order of the records.
type lane struct {
	*cbhdb.BlockReader
	end   int64 // of the furthest part so far in the batch
	spare int64
}

// sharedBytes is how much is decoded, in each batch, of parts that begin inside
// the parts before them. Without a limit, a small file whose records all name
// the same place would cost any amount of time.
const sharedBytes = 1 << 22

// restart prepares for the next batch.
func (l *lane) restart() { l.end, l.spare = 0, sharedBytes }

// part returns the part of a record at an offset. The error is one of the
// machine.
func (l *lane) part(at int64, id model.RecordID) (part, error) {
	p := part{there: true}
	var err error
	if p.Extent, p.fault, err = l.Locate(at, id); p.fault != nil || err != nil {
		return p, err
	}
	if at < l.end {
		if p.Size > l.spare {
			p.fault = &cbhdb.Fault{
				Code: codeNotExamined, Offset: at, Message: "shares so many bytes with other records that it was not decoded",
			}
			return p, nil
		}
		l.spare -= p.Size
	}
	l.end = max(l.end, p.End())
	p.bytes, err = l.Bytes(p.Extent)
	return p, err
}

// reader reads records batch by batch; each goroutine has one.
type reader struct {
	d            *database
	headers      *cbhdb.HeaderReader
	moves, notes *lane // nil if the file cannot be read, or need not be
}

func (d *database) newReader() *reader {
	return &reader{
		d: d, headers: d.heads.Headers(d.exts, batchSize*cbh.RecordSize),
		moves: d.newLane(d.moves), notes: d.newLane(d.notes),
	}
}

func (d *database) newLane(blocks *cbhdb.Blocks) *lane {
	if blocks == nil || !d.selected.any(recordExts...) {
		return nil
	}
	return &lane{BlockReader: blocks.Reader(windowSize)}
}

// recordExts are the endings of the files whose findings come from the content
// of the records.
var recordExts = []string{".cbh", ".cbj", ".cbg", ".cba"}

// batchSize is the number of records of a batch.
const batchSize = 512

// batches is the number of batches.
func (d *database) batches() int { return (int(d.count) + batchSize - 1) / batchSize }

// batch calls visit for each record of a batch, numbered from 0. A record is
// valid until visit returns. Errors are those of the machine.
func (r *reader) batch(number int, visit func(*record)) error {
	for _, l := range []*lane{r.moves, r.notes} {
		if l != nil {
			l.restart()
		}
	}
	first := model.RecordID(number*batchSize) + 1
	for id := first; id < min(first+batchSize, r.d.count+1); id++ {
		h, err := r.headers.At(id)
		if err != nil {
			return err
		}
		rec := record{id: id, head: h.Head, ext: h.Ext, isText: h.Type().IsText()}
		if err := r.fill(&rec, &h); err != nil {
			return err
		}
		visit(&rec)
	}
	return nil
}

// fill decodes the headers of a record and reads its parts.
func (r *reader) fill(rec *record, h *cbhdb.Header) (err error) {
	rec.extValues = cbh.DecodeExtRecord(rec.ext)
	if rec.isText {
		rec.text, err = cbh.DecodeTextRecord(rec.head)
	} else {
		rec.game, err = cbh.DecodeGameRecord(rec.head)
	}
	if err == nil && r.moves != nil {
		rec.moves, err = r.moves.part(h.MovesAt(), rec.id)
	}
	if at := h.NotesAt(); err == nil && r.notes != nil && at != 0 {
		rec.notes, err = r.notes.part(at, rec.id)
	}
	return err
}

// eachBatch does work on all batches in several goroutines, each with a reader
// and a worker of its own, and takes the results in order.
func eachBatch[W, R any](ctx context.Context, d *database, opt *Options, worker func() W,
	work func(w W, r *reader, batch int) (R, error), take func(R) error,
) error {
	type pair struct {
		worker W
		reader *reader
	}
	return inOrder(ctx, d.batches(), opt.jobs(),
		func() pair { return pair{worker(), d.newReader()} },
		func(p pair, batch int) (R, error) { return work(p.worker, p.reader, batch) },
		func(batch int, result R) error {
			err := d.watch.Check()
			if err == nil {
				err = take(result)
			}
			if opt.Progress != nil {
				opt.Progress(min((batch+1)*batchSize, int(d.count)), int(d.count))
			}
			return err
		})
}
