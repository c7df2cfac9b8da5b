package ctgwrite

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"

	"cbkit/internal/atomicset"
	"cbkit/internal/ctg"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
)

// setExtensions are the files that are replaced together. The .ini file holds
// what the user of a program chose for the book; it stays.
var setExtensions = dbfile.Book.Data()

// bookFile is a book being written.
type bookFile struct {
	set   *atomicset.Set
	main  fsys.File
	out   *bufio.Writer // appends to main
	dir   string
	base  string // of the names
	pages int
	page  []byte
}

// mainPath returns the name of the .ctg file of a book, however it was named.
// Many programs want the ending in small letters.
func mainPath(path string) string { return atomicset.MainFile(path, "ctg", setExtensions) }

// createBook begins a book. Nothing is visible before its commit.
func createBook(ctx context.Context, path string, opt *Options) (*bookFile, error) {
	set, err := opt.newSet(ctx, path)
	if err != nil {
		return nil, err
	}
	f := &bookFile{set: set, dir: filepath.Dir(path), base: dbfile.StemOf(set.Name())}
	if f.main, err = set.Create(set.Name()); err != nil {
		return nil, f.abort(err)
	}
	f.out = bufio.NewWriterSize(f.main, 1<<20)
	// Room for the header page, which is written last.
	if _, err = f.out.Write(make([]byte, ctg.PageSize)); err != nil {
		return nil, f.abort(err)
	}
	return f, nil
}

// appendPage writes the next page and returns its number.
func (f *bookFile) appendPage(count int, body []byte) (int32, error) {
	f.page = ctg.AppendPage(f.page[:0], count, body)
	n := f.pages
	f.pages++
	_, err := f.out.Write(f.page)
	return int32(n), err
}

// writePage writes a page in its place.
func (f *bookFile) writePage(n int32, count int, body []byte) error {
	f.page = ctg.AppendPage(f.page[:0], count, body)
	f.pages = max(f.pages, int(n)+1)
	_, err := f.main.WriteAt(f.page, ctg.PageSize*(1+int64(n)))
	return err
}

// companion creates another file of the set with its whole content.
func (f *bookFile) companion(ext string, data []byte) error {
	w, err := f.set.Create(f.base + ext)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}

// finish writes the header page and the directory and puts the book in place.
func (f *bookFile) finish(h *ctg.Header, dir *ctg.Directory, padded bool) error {
	if err := f.out.Flush(); err != nil {
		return err
	}
	if _, err := f.main.WriteAt(h.Bytes(), 0); err != nil {
		return err
	}
	if err := f.companion(".cto", dir.AppendPages(nil, padded)); err != nil {
		return err
	}
	if err := f.companion(".ctb", dir.AppendBitmap(nil)); err != nil {
		return err
	}
	return f.set.Commit()
}

// size returns the size of the .ctg file.
func (f *bookFile) size() int64 { return ctg.PageSize * (1 + int64(f.pages)) }

// abort removes what was written because of an error, which it returns.
func (f *bookFile) abort(err error) error {
	if left := f.set.Abort(); left != nil {
		return fmt.Errorf("%w; and %w", err, left)
	}
	return err
}
