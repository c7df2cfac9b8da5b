package main

import (
	"context"
	"io"
	"iter"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"cbkit/internal/packed"
	"cbkit/model"
	"cbkit/pgn"
)

// progress shows how far a long work has come. It is silent where standard
// error is not a terminal.
type progress struct {
	bar *progressbar.ProgressBar
	n   int64
	// place, if not nil, says how far the work has come; else that is n.
	place func() int64
}

// newProgress starts a bar; total is -1 if it is not known.
func newProgress(w io.Writer, quiet bool, total int, what, unit string) *progress {
	if w = behind(w); quiet || !isTerminal(w) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions64(int64(total),
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString(unit),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())}
}

// newByteProgress starts a bar that counts bytes.
func newByteProgress(w io.Writer, quiet bool, total int64, what string) *progress {
	if w = behind(w); quiet || !isTerminal(w) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())}
}

// newSourceProgress starts a bar for reading a source: by its records or, where
// nobody knows how many there are, by the bytes of its file.
func newSourceProgress(w io.Writer, quiet bool, src *input, what string) *progress {
	games, isPGN := src.Source.(*pgn.Reader)
	if info, err := os.Stat(src.name); isPGN && err == nil && packed.Ending(src.name) == "" {
		p := newByteProgress(w, quiet, info.Size(), what)
		p.place = games.Offset
		return p
	}
	return newProgress(w, quiet, src.Count(), what, "games")
}

// barStep is how many records go by between two looks at the bar.
const barStep = 256

// step counts one record.
func (p *progress) step() {
	p.n++
	if p.n%barStep != 0 {
		return
	}
	if p.place != nil {
		p.at(p.place())
		return
	}
	p.at(p.n)
}

// at shows how many are done.
func (p *progress) at(n int64) {
	if p.bar != nil {
		_ = p.bar.Set64(n) // a bar that cannot be drawn is no reason to stop
	}
}

// set shows how many of all records are done.
func (p *progress) set(done, total int) {
	if p.bar != nil {
		p.bar.ChangeMax(total)
		p.at(int64(done))
	}
}

// entries shows the positions of a book as they are read, and lets see, if it is
// not nil, look at them.
func (p *progress) entries(b model.Book, see func(*model.BookEntry)) model.Book {
	return &watchedBook{b, p, see}
}

// watchedBook is a book whose reading is shown.
type watchedBook struct {
	model.Book
	bar *progress
	see func(*model.BookEntry)
}

// Entries implements [model.Book].
func (b *watchedBook) Entries(ctx context.Context) iter.Seq2[*model.BookEntry, error] {
	return func(yield func(*model.BookEntry, error) bool) {
		for e, err := range b.Book.Entries(ctx) {
			b.bar.step()
			if err == nil && b.see != nil {
				b.see(e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// records shows the records of a source as they are read, and lets see look at
// them.
func (p *progress) records(src model.Source, see func(*model.Record, error)) model.Source {
	return &watchedSource{src, p, see}
}

// watchedSource is a source whose reading is shown.
type watchedSource struct {
	model.Source
	bar *progress
	see func(*model.Record, error)
}

// Records implements [model.Source].
func (s *watchedSource) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range s.Source.Records(ctx, from, want) {
			s.bar.step()
			s.see(&rec, err)
			if !yield(rec, err) {
				return
			}
		}
	}
}

// done removes the bar.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// isTerminal reports whether w is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
