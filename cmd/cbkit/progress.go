package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/rivo/uniseg"
	"github.com/schollz/progressbar/v3"

	"cbkit/model"
)

// progress shows how far a long work has come. It is silent where standard
// error is not a terminal.
type progress struct {
	bar    bar     // nil for none
	screen *screen // where it stands, nil if it draws itself
	n      int64
	// doneBytes, if not nil, says how far the work has come; else that is n.
	doneBytes func() int64
	before    int64 // what was done of sources before this one
}

// bar is what shows it.
type bar interface {
	Set64(done int64) error
	ChangeMax64(total int64)
	Finish() error
}

// drawer is a standard error that draws bars itself.
type drawer interface {
	draw(what string, total int64) bar
}

// barDelay is how long a work takes before a bar shows it.
const barDelay = 500 * time.Millisecond

// screen is where a bar stands, below what else is printed. The zero value has none.
type screen struct {
	mu    sync.Mutex
	to    io.Writer
	since time.Time // when the work began
	cells int       // how many the bar has taken
}

// Write implements io.Writer for a bar: what it draws is seen when the work has taken
// some time.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to == nil || time.Since(s.since) < barDelay {
		return len(p), nil
	}
	s.cells = max(s.cells, uniseg.StringWidth(strings.Trim(string(p), "\r\n")))
	return s.to.Write(p)
}

// clear takes away what the bar has drawn, before something else is printed.
func (s *screen) clear() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cells > 0 {
		_, _ = fmt.Fprintf(s.to, "\r%*s\r", s.cells, "") // a terminal that cannot be written to shows nothing
		s.cells = 0
	}
}

// begin starts a bar; total is -1 if it is not known. Where it is, the bar shows
// percent and the time that is left.
func begin(w io.Writer, quiet bool, total int64, what string, look ...progressbar.Option) *progress {
	var on *screen
	if plain, ok := w.(plainWriter); ok {
		on = plain.screen
	}
	if d, ok := behind(w).(drawer); ok && !quiet {
		return &progress{bar: d.draw(what, total)}
	}
	file, isTerminal := terminalOf(w)
	if quiet || on == nil || !isTerminal {
		return &progress{}
	}
	on.clear()
	on.mu.Lock()
	on.to, on.since = file, time.Now()
	on.mu.Unlock()
	return &progress{screen: on, bar: progressbar.NewOptions64(total, append(look,
		progressbar.OptionSetWriter(on),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())...)}
}

// newProgress starts a bar that counts.
func newProgress(w io.Writer, quiet bool, total int, what, unit string) *progress {
	return begin(w, quiet, int64(total), what,
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit))
}

// newByteProgress starts a bar that counts bytes.
func newByteProgress(w io.Writer, quiet bool, total int64, what string) *progress {
	return begin(w, quiet, total, what, progressbar.OptionShowBytes(true))
}

// newSourceProgress starts a bar for reading a source once: by its records or,
// where it is unknown how many there are, by the bytes of its files.
func newSourceProgress(w io.Writer, quiet bool, src *input, what string) *progress {
	if n := src.Count(); n >= 0 {
		return newProgress(w, quiet, n, what, "games")
	}
	return newReadings(w, quiet, what, 1, src)
}

// newReadings starts a bar for reading sources so many times, each time one after
// the other, by the bytes of their files.
func newReadings(w io.Writer, quiet bool, what string, times int64, sources ...*input) *progress {
	all := int64(0)
	reading := make([]struct{ total, whole, last int64 }, len(sources)) // how often, and how far, each was read
	for i, src := range sources {
		_, total := src.progress()
		if total < 0 {
			return newProgress(w, quiet, -1, what, "games")
		}
		reading[i].total = total
		all += total
	}
	p := newByteProgress(w, quiet, all*times, what)
	p.doneBytes = func() (all int64) {
		for i, src := range sources {
			one := &reading[i]
			done, _ := src.progress()
			if done < one.last && one.whole < times-1 { // it is read once more
				one.whole++
			}
			one.last = done
			all += one.whole*one.total + min(done, one.total)
		}
		return all
	}
	return p
}

// newFilesProgress starts a bar for sources of these names, which are opened one
// after the other.
func (env *environment) newFilesProgress(quiet bool, names []string, what string) *progress {
	total := int64(0)
	for _, name := range names {
		size := env.sizeOf(name)
		if size < 0 {
			return newProgress(env.stderr, quiet, -1, what, "games")
		}
		total += size
	}
	return newByteProgress(env.stderr, quiet, total, what)
}

// of says that a source of such a size is read now, and how far it was; the
// function returned says that it is done.
func (p *progress) of(size int64, far func() (done, total int64)) (done func()) {
	before := p.before
	if p.doneBytes = nil; size < 0 {
		return func() {}
	}
	p.doneBytes = func() int64 {
		done, total := far()
		if total <= 0 {
			return before
		}
		return before + int64(float64(size)*min(1, float64(done)/float64(total)))
	}
	return func() {
		p.before = before + size
		p.at(p.before)
	}
}

// sizeOf returns how many bytes the files of a source have, -1 if unknown.
func (env *environment) sizeOf(name string) int64 {
	total := int64(0)
	files := env.statSource(name)
	for _, info := range files {
		if !info.Mode().IsRegular() {
			return -1
		}
		total += info.Size()
	}
	if len(files) == 0 {
		return -1
	}
	return total
}

// barStep is how many records go by between two looks at the bar.
const barStep = 256

// step counts one record.
func (p *progress) step() {
	p.n++
	if p.n%barStep != 0 {
		return
	}
	if p.doneBytes != nil {
		p.at(p.doneBytes())
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
		p.bar.ChangeMax64(int64(total))
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
	return &watchedSource{Source: src, take: func(rec *model.Record, err error) bool {
		p.step()
		see(rec, err)
		return true
	}}
}

// judged shows the records of a source as they are read, and reports what is wrong with them.
func (p *progress) judged(env *environment, src *input) model.Source {
	return p.records(src.Source, func(rec *model.Record, err error) {
		if err == nil {
			env.judge(src.name, rec)
		}
	})
}

// watchedSource is a source whose records are looked at as they are read, and passed on if
// take says so. Each is valid until the next one.
type watchedSource struct {
	model.Source
	take  func(*model.Record, error) bool
	limit int  // how many are read at most, 0 for all
	more  bool // there may be more than these
}

// Progress implements [model.Measured] as the source does.
func (s *watchedSource) Progress() (done, total int64) { return model.ProgressOf(s.Source) }

// Records implements [model.Source].
func (s *watchedSource) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		var seen model.Record // one for all
		n := 0
		for rec, err := range s.Source.Records(ctx, from, want) {
			if seen = rec; s.take(&seen, err) && !yield(seen, err) {
				return
			}
			if err == nil {
				n++
			}
			if n == s.limit && n > 0 {
				s.more = true
				return
			}
		}
	}
}

// done removes the bar.
func (p *progress) done() {
	if s := p.screen; s != nil {
		s.clear()
		s.mu.Lock()
		s.to = nil // nothing more is drawn
		s.mu.Unlock()
	}
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
