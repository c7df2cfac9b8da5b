package epd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"cbkit/internal/packed"
	"cbkit/internal/stale"
	"cbkit/model"
)

// maxLine is the length of the longest line, in bytes.
const maxLine = 1 << 20

// Reader reads a text. It is a [model.Source] of games without deleted ones, whose
// numbers count positions. Blank lines, and those that begin with #, are passed over.
type Reader struct {
	file     string
	path     *packed.Again // nil if there is a text
	text     io.Reader     // can be read once
	decode   func([]byte) string
	entities model.Entities
	meter    packed.Meter
}

// NewReader returns a reader of a text, which is named in errors, or of the file path if
// r is nil: it must be there. Decode makes UTF-8 of lines that are not.
func NewReader(r io.Reader, path string, decode func([]byte) string) (reader *Reader, err error) {
	reader = &Reader{file: filepath.Base(path), text: r, decode: decode}
	if r == nil {
		reader.path = packed.NewAgain(path, nil)
		_, err = reader.path.Stat()
	}
	return reader, err
}

// Entities implements [model.Source].
func (r *Reader) Entities() *model.Entities { return &r.entities }

// Count implements [model.Source].
func (r *Reader) Count() int { return -1 }

// Leftover implements [model.Source].
func (r *Reader) Leftover() *model.Leftover { return nil }

// LegalMoves implements [model.Referee].
func (r *Reader) LegalMoves() bool { return true }

// Progress implements [model.Measured].
func (r *Reader) Progress() (done, total int64) { return r.meter.Progress() }

// errReadOnce says that the text of NewReader is gone.
var errReadOnce = errors.New("this input was read before and cannot be read again")

// Records implements [model.Source].
func (r *Reader) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		yield = stale.After(yield)
		text := r.text
		if r.path != nil {
			f, err := r.path.Open()
			if err != nil {
				yield(model.Record{}, err)
				return
			}
			defer f.Close() // it was only read
			r.meter.Begin(packed.SizeOf(f))
			unpacked := packed.NewText(r.meter.Reader(r.path.Whole(f)), r.path.Name)
			defer unpacked.Close()
			text = unpacked
		} else if r.text = nil; text == nil {
			yield(model.Record{}, errReadOnce)
			return
		}
		lines := bufio.NewScanner(text)
		lines.Buffer(nil, maxLine)
		id := model.RecordID(0)
		fail := func(number int, err error) error {
			return fmt.Errorf("%s:%d: %w: %w", r.file, number, model.ErrCorrupt, err)
		}
		number := 0
		for lines.Scan() {
			number++
			line := lines.Bytes()
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
				continue
			}
			if id++; id < from {
				continue
			}
			rec, err := r.record(id, line)
			if err != nil {
				err = fail(number, err)
			}
			if !yield(rec, err) {
				return
			}
			if err := ctx.Err(); err != nil {
				yield(model.Record{}, err)
				return
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(model.Record{}, fail(number+1, fmt.Errorf("longer than %d MB, which no position is: %w", maxLine>>20, model.ErrNotDatabase)))
		} else if err != nil {
			yield(model.Record{}, fail(number+1, err))
		}
	}
}

// record makes a record of a line.
func (r *Reader) record(id model.RecordID, text []byte) (model.Record, error) {
	l, err := parse(r.decode(text))
	if err != nil {
		return model.Record{ID: id}, err
	}
	g, name, err := l.game()
	if err != nil {
		return model.Record{ID: id}, err
	}
	if name != "" {
		g.White = r.entities.Players.Intern(model.ParsePlayer(name))
	}
	return model.Record{ID: id, Game: g}, nil
}
