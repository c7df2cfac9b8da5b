package check

import (
	"context"
	"encoding/binary"
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
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
	// there is false where the record has no such part or the file is missing.
	there bool
	at    int64
	size  int64  // 0 if it is not known
	bytes []byte // nil if there is a fault
	fault *fault
}

// fault says why a part cannot be read.
type fault struct{ code, field, message string }

// lane reads the parts of one file in the order of the records.
type lane struct {
	window   *dbfile.Window
	headSize int64
	// sizeOf returns the size of a part by its first bytes, which are least.
	sizeOf func([]byte) int64
	least  int64

	end   int64 // of the furthest part so far in the batch
	spare int64
}

// sharedBytes is how much is decoded, in each batch, of parts that begin inside
// the parts before them. Without a limit, a small file whose records all name
// the same place would cost any amount of time.
const sharedBytes = 1 << 22

// restart prepares for the next batch.
func (l *lane) restart() { l.end, l.spare = 0, sharedBytes }

// part returns the part at an offset. The error is one of the machine.
func (l *lane) part(at int64) (part, error) {
	size := l.window.Size()
	p := part{there: true, at: at}
	switch {
	case at < l.headSize:
		p.fault = &fault{codeOffsetOutside, "offset", fmt.Sprintf("%d lies in the file's header", at)}
		return p, nil
	case at > size-l.least:
		p.fault = &fault{codeOffsetOutside, "offset", fmt.Sprintf("%d lies past the end of the file, which has %d bytes", at, size)}
		return p, nil
	}
	head, err := l.window.At(at, l.least)
	if err != nil {
		return p, err
	}
	switch n := l.sizeOf(head); {
	case n < l.least:
		p.fault = &fault{codeRecordSize, "size", fmt.Sprintf("%d bytes cannot hold a record", n)}
		return p, nil
	case n > size-at:
		p.fault = &fault{codeRecordSize, "size", fmt.Sprintf("%d bytes from %d on exceed the file, which ends after %d", n, at, size)}
		return p, nil
	default:
		p.size = n
	}
	if at < l.end {
		if p.size > l.spare {
			p.fault = &fault{codeNotExamined, "", "shares so many bytes with other records that it was not decoded"}
			return p, nil
		}
		l.spare -= p.size
	}
	l.end = max(l.end, at+p.size)
	p.bytes, err = l.window.At(at, p.size)
	return p, err
}

// reader reads records batch by batch; each goroutine has one.
type reader struct {
	d            *database
	heads, exts  []byte
	moves, notes *lane // nil if the file cannot be read, or need not be
}

func (d *database) newReader() *reader {
	return &reader{
		d:     d,
		moves: d.newLane(".cbg", d.moves, moveenc.HeadSize, func(b []byte) int64 { return int64(wire.U24BE(b[1:])) }),
		notes: d.newLane(".cba", d.notes, cbh.AnnotationHeadSize, func(b []byte) int64 { return int64(binary.BigEndian.Uint32(b[10:])) }),
	}
}

func (d *database) newLane(ext string, head *cbh.BlockHeader, least int64, sizeOf func([]byte) int64) *lane {
	if head == nil || !d.selected.any(recordExts...) {
		return nil
	}
	return &lane{window: newWindow(d.files[ext]), headSize: int64(head.Size), least: least, sizeOf: sizeOf}
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
	first := model.RecordID(number*batchSize) + 1
	n := min(batchSize, int64(r.d.count-first)+1)
	var err error
	if r.heads, err = r.d.files[".cbh"].Bytes(r.heads, int64(first)*cbh.RecordSize, n*cbh.RecordSize); err != nil {
		return err
	}
	extSize, extN := int64(0), max(0, min(n, int64(r.d.extCount-first)+1))
	if extN > 0 {
		extSize = int64(r.d.exts.RecordSize)
		at := cbh.ExtHeaderSize + int64(first-1)*extSize
		if r.exts, err = r.d.files[".cbj"].Bytes(r.exts, at, extN*extSize); err != nil {
			return err
		}
	}
	for _, l := range []*lane{r.moves, r.notes} {
		if l != nil {
			l.restart()
		}
	}
	for i := range n {
		rec := record{id: first + model.RecordID(i), head: r.heads[i*cbh.RecordSize : (i+1)*cbh.RecordSize]}
		if i < extN {
			rec.ext = r.exts[i*extSize : (i+1)*extSize]
		}
		if err := r.fill(&rec); err != nil {
			return err
		}
		visit(&rec)
	}
	return nil
}

// fill decodes the headers of a record and reads its parts.
func (r *reader) fill(rec *record) (err error) {
	rec.extValues = cbh.DecodeExtRecord(rec.ext)
	rec.isText = cbh.RecordType(rec.head[0]).IsText()
	movesAt := uint32(0)
	if rec.isText {
		rec.text, err = cbh.DecodeTextRecord(rec.head)
		movesAt = rec.text.Offset
	} else {
		rec.game, err = cbh.DecodeGameRecord(rec.head)
		movesAt = rec.game.MovesOffset
	}
	if err != nil {
		return err
	}
	if r.moves != nil {
		if rec.moves, err = r.moves.part(rec.place(movesAt, rec.extValues.MovesOffset)); err != nil {
			return err
		}
	}
	if r.notes != nil && !rec.isText && rec.game.AnnotationsOffset != 0 {
		rec.notes, err = r.notes.part(rec.place(rec.game.AnnotationsOffset, rec.extValues.AnnotationsOffset))
	}
	return err
}

// place completes an offset.
func (rec *record) place(low uint32, full uint64) int64 {
	if rec.ext == nil {
		return int64(low)
	}
	return cbh.Place(low, full)
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
			err := take(result)
			if opt.Progress != nil {
				opt.Progress(min((batch+1)*batchSize, int(d.count)), int(d.count))
			}
			return err
		})
}
