package journal

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"os"
	"slices"

	"cbkit/internal/fsys"
)

// pageSize is the size of the parts of a file that changes are kept in.
const pageSize = 1 << 12

// page is a part of a file that was changed. What lies behind the end of the
// file is zero.
type page struct {
	data []byte // nil if it is in the scratch file
	slot int64  // where in the scratch file, in pages; -1 if it never was there
}

// pool counts the pages in memory and moves them to the scratch file when they
// are too many.
type pool struct {
	place   *place
	limit   int // pages
	used    int
	scratch fsys.File
	slots   int64 // pages of the scratch file
}

// add makes a page for data.
func (p *pool) add(data []byte) *page {
	p.used++
	return &page{data: data, slot: -1}
}

// load returns the content of a page, which may be changed.
func (p *pool) load(g *page) ([]byte, error) {
	if g.data != nil {
		return g.data, nil
	}
	data := make([]byte, pageSize)
	if _, err := p.scratch.ReadAt(data, g.slot*pageSize); err != nil {
		return nil, err
	}
	g.data = data
	p.used++
	return data, nil
}

// peek reads a part of a page into b.
func (p *pool) peek(g *page, b []byte, from int64) error {
	if g.data != nil {
		copy(b, g.data[from:])
		return nil
	}
	_, err := p.scratch.ReadAt(b, g.slot*pageSize+from)
	return err
}

// drop forgets a page.
func (p *pool) drop(g *page) {
	if g.data != nil {
		p.used--
	}
}

// isFull reports whether pages must go to the scratch file.
func (p *pool) isFull() bool { return p.used >= p.limit }

// spill moves pages to the scratch file, in the order of their places in the
// files, so that they lie there as they will be read again.
func (p *pool) spill(files []*File) error {
	if p.scratch == nil {
		scratch, err := p.place.fs.OpenFile(p.place.path(p.place.base+scratchEnding), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		p.scratch = scratch
	}
	for _, f := range files {
		numbers := slices.Collect(maps.Keys(f.pages))
		slices.SortFunc(numbers, cmp.Compare)
		for _, n := range numbers {
			if err := p.evict(f.pages[n]); err != nil {
				return err
			}
		}
	}
	return nil
}

// evict moves one page to the scratch file.
func (p *pool) evict(g *page) error {
	if g.data == nil {
		return nil
	}
	if g.slot < 0 {
		g.slot = p.slots
		p.slots++
	}
	if _, err := p.scratch.WriteAt(g.data, g.slot*pageSize); err != nil {
		return err
	}
	g.data = nil
	p.used--
	return nil
}

// reset forgets all pages and removes the scratch file.
func (p *pool) reset() error {
	p.used, p.slots = 0, 0
	if p.scratch == nil {
		return nil
	}
	err := p.scratch.Close()
	p.scratch = nil
	return errors.Join(err, p.place.fs.Remove(p.place.path(p.place.base+scratchEnding)))
}

// readFull fills b from a file; what lies behind its end is zero.
func readFull(f fsys.File, b []byte, at int64) error {
	n, err := f.ReadAt(b, at)
	clear(b[n:])
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
