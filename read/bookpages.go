package read

import (
	"io"
	"io/fs"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"cbkit/internal/ctg"
	"cbkit/internal/dbfile"
)

// bookPages keeps the pages of a book that were read last, so that a look-up
// seldom needs the file, and hardly ever a look whether a commit has changed the
// book: a page that was found to be of the state that was opened stays that.
//
// What is read gets a number when it has been read. A look at the book that comes
// later, and finds it unchanged, says that all pages up to that number are of the
// state that was opened. So [bookPages.settle], called behind whatever has read
// pages, has nothing to do as long as no number is newer than that look.
type bookPages struct {
	file  io.ReaderAt
	watch *Watch

	slots [bookSlots]bookSlot
	read  atomic.Int64 // number of the page that was read last
	good  atomic.Int64 // pages up to this number are of the state that was opened
	begun time.Time
	look  atomic.Int64 // when the book was looked at last, in nanoseconds since begun

	mu      sync.Mutex
	changed error // stays once it is there
}

// bookSlots is how many pages are kept, 8 MiB in all; a page has one slot that it
// can be in.
const bookSlots = 2048

// bookPatience is the time after which the book is looked at although all pages
// that are needed are kept: who asks the same positions all day learns of a change
// too.
const bookPatience = time.Second

// bookSlot holds a page.
type bookSlot struct {
	mu   sync.Mutex
	at   int64 // its offset in the file; 0 is that of the header, which is not kept
	n    int   // bytes, fewer than a page where the file is cut
	data *[ctg.PageSize]byte
}

// bookFile is the open file of a book.
type bookFile struct {
	file  *dbfile.File
	pages *bookPages
	bufs  sync.Pool // of *[ctg.PageSize]byte
}

// begin makes it that of an open file.
func (b *bookFile) begin(file *dbfile.File, watch *Watch) {
	b.file, b.pages = file, newBookPages(file, watch)
	b.bufs.New = func() any { return new([ctg.PageSize]byte) }
}

// buffer returns room for a page, which goes back to bufs.
func (b *bookFile) buffer() *[ctg.PageSize]byte { return b.bufs.Get().(*[ctg.PageSize]byte) }

// Close closes the book's file.
func (b *bookFile) Close() error {
	b.pages.watch.closed.Store(true)
	return b.file.Close()
}

// Changed returns an error that wraps model.ErrChanged if another program has
// changed the book since it was opened.
func (b *bookFile) Changed() error {
	b.pages.read.Add(1)
	return b.pages.settle()
}

func newBookPages(file io.ReaderAt, watch *Watch) *bookPages {
	return &bookPages{file: file, watch: watch, begun: time.Now()}
}

// ReadAt implements [io.ReaderAt]. Single pages are kept.
func (c *bookPages) ReadAt(p []byte, at int64) (int, error) {
	if at == 0 || at%ctg.PageSize != 0 || len(p) > ctg.PageSize {
		n, err := c.file.ReadAt(p, at)
		c.read.Add(1)
		return n, err
	}
	s := &c.slots[at/ctg.PageSize%bookSlots]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == at && s.n == len(p) {
		return copy(p, s.data[:]), nil
	}
	n, err := c.file.ReadAt(p, at)
	if n == len(p) {
		if s.data == nil {
			s.data = new([ctg.PageSize]byte)
		}
		s.at, s.n = at, copy(s.data[:], p)
	}
	c.read.Add(1)
	return n, err
}

// whileOpen returns a number of a book, 0 if that is closed.
func (c *bookPages) whileOpen(n int64) int {
	if c.watch.closed.Load() {
		return 0
	}
	return int(min(n, math.MaxInt))
}

// settle returns model.ErrChanged if what was read so far may be of another state
// than the one that was opened, and from then on for ever.
func (c *bookPages) settle() error {
	if c.watch.closed.Load() {
		return fs.ErrClosed
	}
	read, now := c.read.Load(), int64(time.Since(c.begun))
	if read <= c.good.Load() && now-c.look.Load() < int64(bookPatience) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = c.watch.Check()
	}
	if c.changed != nil {
		c.good.Store(-1) // nothing is good any more
		return c.changed
	}
	c.good.Store(max(c.good.Load(), read))
	c.look.Store(now)
	return nil
}
