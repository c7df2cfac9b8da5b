package journal

import (
	"errors"
	"io"
	"maps"
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
	set     *Set
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

// spill moves pages to the scratch file, in the order of their places in the
// files, so that they lie there as they will be read again, and several at once where
// they lie one after the other.
func (p *pool) spill(files []*File) error {
	if p.scratch == nil {
		scratch, err := p.set.create(p.set.base+scratchEnding, 0o600)
		if err != nil {
			return err
		}
		p.scratch = scratch
	}
	var run []*page
	var buf []byte
	flush := func() error {
		if len(run) == 0 {
			return nil
		}
		if _, err := p.scratch.WriteAt(buf, run[0].slot*pageSize); err != nil {
			return err
		}
		for _, g := range run {
			g.data = nil
			p.used--
		}
		run, buf = run[:0], buf[:0]
		return nil
	}
	for _, f := range files {
		for _, n := range slices.Sorted(maps.Keys(f.pages)) {
			g := f.pages[n]
			if g.data == nil {
				continue
			}
			if g.slot < 0 {
				g.slot = p.slots
				p.slots++
			}
			if last := len(run) - 1; last >= 0 && (g.slot != run[last].slot+1 || len(buf) >= applyBuffer) {
				if err := flush(); err != nil {
					return err
				}
			}
			run, buf = append(run, g), append(buf, g.data...)
		}
	}
	return flush()
}

// reset forgets all pages and closes the scratch file.
func (p *pool) reset() {
	p.used, p.slots = 0, 0
	if p.scratch != nil {
		_ = p.scratch.Close() // what is in it is not wanted any more
		p.scratch = nil
	}
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
