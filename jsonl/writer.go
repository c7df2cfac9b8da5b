package jsonl

import (
	"fmt"
	"io"

	"cbkit/internal/lifecycle"
	"cbkit/model"
)

// WriterOptions configures a [Writer]. The zero value is the usual way.
type WriterOptions struct {
	// Report is called for what was lost: entities that no record refers to,
	// references to entities that do not exist, and annotations of types that
	// the model does not have. Without one, Commit fails with a *model.LossError
	// if there is such a thing, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
	// CodePage is the code page of the original database, for a source that is no
	// [model.Paged], such as one that sorts or unites others.
	CodePage string
}

// Writer writes records as JSON Lines. It is a [model.Sink]. Text goes to the
// underlying writer as it is made; callers that must show nothing before Commit
// pass a temporary file.
type Writer struct {
	w         io.Writer
	opt       WriterOptions
	enc       encoder
	buf       []byte
	last      model.RecordID
	count     int
	lifecycle lifecycle.Sink
}

var (
	_ model.Sink    = (*Writer)(nil)
	_ model.Counter = (*Writer)(nil)
)

// defaultPage is the code page that goes without saying.
const defaultPage = "1252"

// flushSize is how much is collected before it is written, in bytes.
const flushSize = 256 << 10

// NewWriter returns a writer to w.
func NewWriter(w io.Writer, opt WriterOptions) *Writer {
	wr := &Writer{w: w, opt: opt, lifecycle: lifecycle.Sink{Package: "jsonl"}}
	wr.opt.Report = wr.lifecycle.Report(opt.Report, opt.AcceptLosses)
	return wr
}

// Begin implements [model.Sink].
func (w *Writer) Begin(src model.Source) error {
	if err := w.lifecycle.Begin(src); err != nil {
		return err
	}
	w.enc = encoder{entities: src.Entities(), database: src.Leftover()}
	page := w.opt.CodePage
	if p, ok := src.(model.Paged); ok && page == "" {
		page = p.CodePage()
	}
	if page != defaultPage {
		w.enc.codePage = page
	}
	return w.lifecycle.Begun(nil)
}

// Put writes a record. Variations that are nested deeper than 1000, and
// records that make a line longer than 64 MB, are refused with
// [model.ErrTooLarge] in a [*model.RecordError]; the writer can be used on.
func (w *Writer) Put(rec model.Record) error {
	if err := w.lifecycle.Put(&rec); err != nil {
		return err
	}
	if rec.ID <= w.last {
		return fmt.Errorf("jsonl: record %d after record %d", rec.ID, w.last)
	}
	if rec.Game != nil {
		rec.Game = rec.Game.WithKnownValues(rec.ID, w.opt.Report)
	}
	from := len(w.buf)
	line := w.enc.appendRecord(w.buf, rec)
	if err := w.enc.check(line[from:]); err != nil {
		w.buf = line[:from]
		return fmt.Errorf("jsonl: %w", &model.RecordError{Record: rec.ID, Err: err})
	}
	w.last = rec.ID
	w.count++
	model.ReportUnread(rec, w.enc.entities, "", w.opt.Report)
	w.buf = append(line, '\n')
	if len(w.buf) >= flushSize {
		return w.flush()
	}
	return nil
}

func (w *Writer) flush() error {
	_, err := w.w.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

// Commit writes what is still in memory and reports the entities that were
// not mentioned.
func (w *Writer) Commit() error {
	if err := w.lifecycle.Commit(); err != nil {
		return err
	}
	w.enc.reportUnused(w.opt.Report)
	if err := w.lifecycle.Lost(); err != nil {
		return err
	}
	return w.flush()
}

// Written implements [model.Counter].
func (w *Writer) Written() int { return w.count }

// Abort discards what was not written yet.
func (w *Writer) Abort() error {
	w.lifecycle.Abort()
	w.buf = nil
	return nil
}

// AppendRecord appends one record, a game or a text, as a JSON object without
// a line break. Entities are looked up in e; their leftovers are written, too.
// Annotations of types that the model does not have are left out; a [Writer]
// reports them.
func AppendRecord(dst []byte, rec model.Record, e *model.Entities) []byte {
	if rec.Game != nil {
		rec.Game = rec.Game.WithKnownValues(rec.ID, nil)
	}
	enc := encoder{entities: e}
	return enc.appendRecord(dst, rec)
}
