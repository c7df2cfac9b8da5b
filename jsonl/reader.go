package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"path/filepath"

	"cbkit/internal/packed"
	"cbkit/internal/stale"
	"cbkit/model"
)

// ReaderOptions configures a [Reader].
type ReaderOptions struct {
	// File is the name that errors give the text of [NewReader]. [Open] uses
	// the name of the file.
	File string
	// KeepGoing keeps the records of a text that cannot be read to its end,
	// such as a compressed file that was cut: the error then has the id that
	// the next record would have, and ends the reading like the end of the
	// text. If it is false the error has id 0.
	KeepGoing bool
}

// Reader reads records from JSON Lines. It is a [model.Source].
//
// The text may be compressed by gzip, bzip2 or zstd.
//
// A record has the id of its line; a line without one has the id after the
// last. A line that cannot be read, or whose id does not ascend, is a
// [*LineError] that concerns this record alone.
//
// The tables grow while records are read: one goroutine may use a reader at a time.
type Reader struct {
	file string // its name, for errors
	// One of the two: a file that can be read again, or a text that cannot.
	path *packed.Again
	text *lines
	pack *packed.Text // what text comes from
	used bool         // Records was called, and the text is gone

	keepGoing bool
	meter     packed.Meter
	size      int64 // of the text, -1 if unknown

	entities model.Entities
	dec      *decoder
	started  bool // the first line was decoded
	database *model.Leftover
	codePage string
}

var (
	_ model.Source   = (*Reader)(nil)
	_ model.Measured = (*Reader)(nil)
)

// LineError says which line of a file could not be read.
type LineError struct {
	// File is the name of the file, "" if it is not known.
	File string
	// Line is the number of the line, from 1.
	Line int
	// Err says what is wrong.
	Err error
}

// Error returns one line, such as
// "games.jsonl:17: byte 35: unknown key "colour"".
func (e *LineError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns Err.
func (e *LineError) Unwrap() error { return e.Err }

// Is reports that e is a kind of [model.ErrCorrupt].
func (e *LineError) Is(target error) bool { return target == model.ErrCorrupt }

// NewReader returns a reader of the text in r. It can be read only once.
// Nothing is read before [Reader.Leftover] or [Reader.Records].
func NewReader(r io.Reader, opt ReaderOptions) *Reader {
	reader := &Reader{file: opt.File, keepGoing: opt.KeepGoing, size: packed.SizeOf(r)}
	reader.meter.Begin(reader.size)
	reader.pack = packed.NewText(reader.meter.Reader(r), opt.File)
	reader.text = newLines(reader.pack)
	return newReader(reader)
}

// Open returns a reader of a file. It fails if the file is not there or is a
// directory. Each call of [Reader.Records] reads it from the beginning.
func Open(path string, opt ReaderOptions) (*Reader, error) {
	file := packed.NewAgain(path, nil)
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("is a directory, not a file")}
	}
	name := opt.File
	if name == "" {
		name = filepath.Base(path)
	}
	r := &Reader{file: name, path: file, keepGoing: opt.KeepGoing, size: packed.SizeIn(info)}
	r.meter.Begin(r.size)
	return newReader(r), nil
}

func newReader(r *Reader) *Reader {
	r.dec = newDecoder(&r.entities)
	return r
}

// Entities returns the tables that the records refer to. They grow while
// records are read.
func (r *Reader) Entities() *model.Entities { return &r.entities }

// Count returns -1: the number of records is not known before reading to the
// end.
func (r *Reader) Count() int { return -1 }

// Progress implements [model.Measured].
func (r *Reader) Progress() (done, total int64) { return r.meter.Progress() }

// LegalMoves implements [model.Referee]: reading plays all moves.
func (r *Reader) LegalMoves() bool { return true }

// Leftover implements [model.Source]. It reads the first line, which holds the
// leftover of the database.
func (r *Reader) Leftover() *model.Leftover {
	r.readFirst()
	return r.database
}

// CodePage implements [model.Paged]: it returns the code page of the database
// that the text was made of. It reads the first line.
func (r *Reader) CodePage() string {
	r.readFirst()
	return r.codePage
}

// readFirst reads the first line, unless it was read before.
func (r *Reader) readFirst() {
	if r.started || r.used {
		return
	}
	text, done, err := r.begin()
	if err != nil {
		return // Records yields it
	}
	defer done()
	if first, err := text.peek(); err == nil {
		_, _ = r.decode(first, model.WantHeaders)
	}
}

// decode decodes a line. The first one may bring the leftover of the database.
func (r *Reader) decode(line []byte, want model.Want) (model.Record, error) {
	rec, err := r.dec.decode(line, want)
	if !r.started {
		r.started = true
		r.database = r.dec.line.details.database
		r.codePage = r.dec.line.details.codePage
	}
	return rec, err
}

// errReadOnce says that the text of NewReader is gone.
var errReadOnce = errors.New("this input was read before and cannot be read again")

// begin returns the text at its beginning, and what to call after it.
func (r *Reader) begin() (text *lines, done func(), err error) {
	if r.text != nil {
		return r.text, func() {}, nil // Records closes what it comes from
	}
	f, err := r.path.Open()
	if err != nil {
		return nil, nil, err
	}
	r.meter.Begin(r.size)
	pack := packed.NewText(r.meter.Reader(r.path.Whole(f)), r.path.Name)
	return newLines(pack), func() { _, _ = pack.Close(), f.Close() }, nil
}

// Records yields the records, each valid until the next step alone; [model.Kept]
// yields copies. See [model.Source] and [Reader].
func (r *Reader) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		yield = stale.After(yield)
		text, done, err := r.begin()
		if err == nil && r.used && r.text != nil {
			err = errReadOnce
		}
		if err != nil {
			yield(model.Record{}, err)
			return
		}
		defer done()
		if r.pack != nil {
			defer r.pack.Close()
		}
		r.used = true
		p := pass{reader: r, text: text, from: from, want: want, next: 1, yield: yield}
		for p.step() {
			if err := ctx.Err(); err != nil {
				yield(model.Record{}, err)
				return
			}
		}
	}
}

// pass is one reading of a text from beginning to end.
type pass struct {
	reader *Reader
	text   *lines
	from   model.RecordID
	want   model.Want
	last   int64 // the highest id of a good record
	next   int64 // the id of a line that has none
	yield  func(model.Record, error) bool
}

// step reads a line and hands its record on. It returns false at the end.
func (p *pass) step() bool {
	line, err := p.text.next()
	switch {
	case err == io.EOF:
		return false
	case errors.Is(err, errLongLine):
		return p.fail(0, err)
	case err != nil:
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: the compressed data ends too early", model.ErrTruncated)
		}
		if p.reader.keepGoing {
			p.fail(0, err)
		} else {
			p.yield(model.Record{}, p.lineError(err))
		}
		return false
	}
	if p.next == 1 && line[0] != '{' {
		return p.first(line)
	}
	rec, err := p.reader.decode(line, p.want)
	if err == nil && rec.ID != 0 && int64(rec.ID) <= p.last {
		err = fmt.Errorf("id %d after %d; ids must ascend", rec.ID, p.last)
	}
	if err != nil {
		return p.fail(rec.ID, err)
	}
	if rec.ID == 0 {
		rec.ID = model.RecordID(min(p.next, math.MaxInt32))
	}
	p.last = int64(rec.ID)
	p.next = p.last + 1
	return rec.ID < p.from || p.yield(rec, nil)
}

// first hands on that the first line is no object: the text is not JSON Lines,
// or, where an object follows on the next line, this line alone is damaged.
func (p *pass) first(line []byte) bool {
	err := fmt.Errorf("the text does not begin with {, so it is not JSON Lines: %w", model.ErrNotDatabase)
	if line[0] == '[' {
		err = fmt.Errorf("a JSON array; JSON Lines have one object on each line (jq -c '.[]' makes them): %w", model.ErrNotDatabase)
	}
	notLines, damaged := p.lineError(err), p.lineError(errors.New("the line does not begin with {"))
	isArray := line[0] == '[' && (len(line) == 1 || line[1] == '{')
	if next, err := p.text.peek(); isArray || err != nil || next[0] != '{' {
		p.yield(model.Record{}, notLines)
		return false
	}
	p.next = 2
	return p.from > 1 || p.yield(model.Record{ID: 1}, damaged)
}

// fail hands on an error that concerns one record.
func (p *pass) fail(id model.RecordID, err error) bool {
	if int64(id) < p.next {
		id = model.RecordID(min(p.next, math.MaxInt32))
	}
	p.next = int64(id) + 1
	return id < p.from || p.yield(model.Record{ID: id}, p.lineError(err))
}

func (p *pass) lineError(err error) error {
	return &LineError{File: p.reader.file, Line: p.text.number, Err: err}
}
