package ctg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"cbkit/model"
)

// Files are the files of a book as they are opened from.
type Files struct {
	// Name is the .ctg file's name for errors, CTG its content and Size its
	// size in bytes.
	Name string
	CTG  io.ReaderAt
	Size int64
	// CTBName, CTB and CTOName, CTO are the names and contents of the other
	// two files; a content that is nil is that of a missing file.
	CTBName, CTOName string
	CTB, CTO         []byte
}

// Book reads an opening book. It may be used from several goroutines.
type Book struct {
	files  Files
	header *Header
	pages  int
	// dir is nil when it cannot be trusted, and found takes its place.
	dir    *Directory
	found  scanned
	reason error
	lost   int // pages that the directory has and the file has not
}

// OpenBook opens a book. When the .ctb or .cto file is missing or damaged, or
// they do not fit each other, all pages are read to find out what is where;
// [Book.ScanReason] then says why.
func OpenBook(ctx context.Context, f Files) (*Book, error) {
	b := &Book{files: f}
	page := make([]byte, min(f.Size, PageSize))
	if err := b.readAt(page, 0); err != nil {
		return nil, err
	}
	header, err := DecodeHeader(page)
	if err != nil {
		return nil, b.wrong(0, -1, "header", err)
	}
	b.header = header
	b.pages = int((f.Size+PageSize-1)/PageSize) - 1
	if b.dir, b.reason = b.readDirectory(); b.reason != nil {
		if b.found, err = b.scan(ctx); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Header returns the header page.
func (b *Book) Header() *Header { return b.header }

// Pages returns the number of data pages in the file, one that is cut included.
func (b *Book) Pages() int { return b.pages }

// Cut returns an error if the file ends inside a page, or lacks pages that the
// directory has.
func (b *Book) Cut() error {
	rest := b.files.Size % PageSize
	switch {
	case rest == 0 && b.lost > 0:
		return b.wrong(b.files.Size, -1, "", fmt.Errorf("%w: the file has %d pages, %s has %d",
			model.ErrTruncated, b.pages, b.files.CTOName, b.pages+b.lost))
	case rest == 0:
		return nil
	}
	return b.wrong(b.files.Size, int64(b.pages-1), "",
		fmt.Errorf("%w: the file ends after %d of the %d bytes of its last page", model.ErrTruncated, rest, PageSize))
}

// Directory returns the directory, nil if it cannot be used.
func (b *Book) Directory() *Directory { return b.dir }

// ScanReason says why the directory cannot be used, nil if it can.
func (b *Book) ScanReason() error { return b.reason }

// readDirectory reads the directory and checks that it can be relied upon.
func (b *Book) readDirectory() (*Directory, error) {
	f := &b.files
	d := new(Directory)
	for _, half := range []struct {
		name  string
		data  []byte
		parse func([]byte) error
	}{{f.CTBName, f.CTB, d.DecodeBitmap}, {f.CTOName, f.CTO, d.DecodePages}} {
		err := error(nil)
		if half.data == nil {
			err = errors.New("the file is missing")
		} else {
			err = half.parse(half.data)
		}
		if err != nil {
			return nil, &model.FormatError{File: half.name, Offset: -1, Record: -1, Err: err}
		}
	}
	if b.lost = d.beyond(b.pages); b.lost > 0 {
		return nil, b.Cut()
	}
	if err := d.Check(b.pages); err != nil {
		return nil, &model.FormatError{File: f.CTOName, Offset: -1, Record: -1, Err: err}
	}
	return d, nil
}

func (b *Book) readAt(buf []byte, offset int64) error {
	n, err := b.files.CTG.ReadAt(buf, offset)
	if n == len(buf) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = model.ErrTruncated
	}
	return b.wrong(offset, -1, "", err)
}

// wrong returns an error about a place in the .ctg file and, if it is not
// negative, a page.
func (b *Book) wrong(offset, page int64, field string, err error) error {
	if page >= 0 {
		field = fmt.Sprintf("page %d", page)
	}
	return &model.FormatError{File: b.files.Name, Offset: offset, Record: -1, Field: field, Err: err}
}

// pageOffset returns where a page begins in the .ctg file.
func pageOffset(page int) int64 { return PageSize * (1 + int64(page)) }

// ReadPage reads a page into buf.
func (b *Book) ReadPage(page int, buf *[PageSize]byte) (Page, error) {
	if page < 0 || page >= b.pages {
		return nil, b.wrong(-1, int64(page), "", fmt.Errorf("%w: the file has %d pages", model.ErrCorrupt, b.pages))
	}
	p := buf[:b.bytesOf(page, 1)]
	if err := b.readAt(p, pageOffset(page)); err != nil {
		return nil, err
	}
	return p, nil
}

// bytesOf returns how many bytes of some pages the file has.
func (b *Book) bytesOf(first, pages int) int64 {
	return min(int64(pages)*PageSize, b.files.Size-pageOffset(first))
}

// Find returns the entry with the given key. It is part of buf.
func (b *Book) Find(key *Key, buf *[PageSize]byte) (Entry, bool, error) {
	hash := key.Hash()
	if b.dir == nil {
		return b.findScanned(key, hash, buf)
	}
	page := b.dir.Page(b.dir.Leaf(hash))
	if page == NoPage {
		return nil, false, nil
	}
	return b.findIn(int(page), key, buf)
}

func (b *Book) findIn(page int, key *Key, buf *[PageSize]byte) (Entry, bool, error) {
	p, err := b.ReadPage(page, buf)
	if err != nil {
		return nil, false, err
	}
	e, found, err := p.Find(key)
	if err != nil {
		return nil, false, b.wrong(pageOffset(page)+p.soundBytes(), int64(page), "", err)
	}
	return e, found, nil
}

// Located is an entry with its place.
type Located struct {
	Entry
	Page   int
	Offset int64 // in the .ctg file
}

// pagesAtOnce is how many pages are read in one go when all are.
const pagesAtOnce = 64

// Entries yields every entry in the order of the file; it is valid until the
// next step. An error about a page concerns the rest of that page only, and
// the reader may go on.
func (b *Book) Entries(ctx context.Context) iter.Seq2[Located, error] {
	return func(yield func(Located, error) bool) {
		for page, err := range b.allPages(ctx) {
			if err != nil {
				yield(Located{}, err)
				return
			}
			at := Located{Page: page.number, Offset: pageOffset(page.number) + PageHeaderSize}
			for e, err := range page.Entries() {
				at.Entry = e
				if err != nil {
					err = b.wrong(at.Offset, int64(page.number), "", err)
				}
				if !yield(at, err) {
					return
				}
				at.Offset += int64(len(e))
			}
		}
		if err := b.Cut(); err != nil {
			yield(Located{}, err)
		}
	}
}

type numberedPage struct {
	Page
	number int
}

// allPages yields all pages in order.
func (b *Book) allPages(ctx context.Context) iter.Seq2[numberedPage, error] {
	return func(yield func(numberedPage, error) bool) {
		buf := make([]byte, min(pagesAtOnce, b.pages)*PageSize)
		for first := 0; first < b.pages; first += pagesAtOnce {
			n := min(pagesAtOnce, b.pages-first)
			err := ctx.Err()
			if err == nil {
				buf = buf[:b.bytesOf(first, n)]
				err = b.readAt(buf, pageOffset(first))
			}
			if err != nil {
				yield(numberedPage{}, err)
				return
			}
			for i := range n {
				if !yield(numberedPage{buf[i*PageSize : min((i+1)*PageSize, len(buf))], first + i}, nil) {
					return
				}
			}
		}
	}
}

// scanned finds the pages of a hash without a directory: hash<<32 | page in
// ascending order.
type scanned []uint64

// scan reads all pages. Entries behind damaged ones in a page are left out.
func (b *Book) scan(ctx context.Context) (scanned, error) {
	var list scanned
	for page, err := range b.allPages(ctx) {
		if err != nil {
			return nil, err
		}
		for e, err := range page.Entries() {
			if err != nil {
				break
			}
			list = append(list, uint64(Hash(e.KeyBytes()))<<32|uint64(page.number))
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func (b *Book) findScanned(key *Key, hash uint32, buf *[PageSize]byte) (Entry, bool, error) {
	i, _ := slices.BinarySearchFunc(b.found, hash, func(entry uint64, hash uint32) int {
		return cmp.Compare(uint32(entry>>32), hash)
	})
	for ; i < len(b.found) && uint32(b.found[i]>>32) == hash; i++ {
		e, found, err := b.findIn(int(uint32(b.found[i])), key, buf)
		if found {
			return e, true, nil
		}
		// A damaged page was scanned as far as it could be, and the entry
		// may be before the damage in another one.
		if err != nil && !errors.Is(err, model.ErrCorrupt) {
			return nil, false, err
		}
	}
	return nil, false, nil
}
