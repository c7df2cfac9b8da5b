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
	"cbkit/model"
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
	var set *atomicset.Set
	var err error
	switch name := mainPath(path); {
	case opt.Claim == nil:
		set, err = atomicset.New(opt.files, name, opt.set(ctx))
	case opt.Claim.path != name:
		err = fmt.Errorf("%s: the claim is on %s", path, opt.Claim.path)
	default:
		set, err = opt.Claim.claim.Begin()
	}
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

// Claim is the exclusive right to write a book, taken before the writing
// begins. It must be released.
type Claim struct {
	path  string
	claim *atomicset.Claim
}

// NewClaim takes the exclusive right to write a book to path, until
// [Claim.Release]. It fails with the error that writing would fail with: the
// book exists and Force is not set, another process is writing it, or the
// folder does not exist or is read-only. Options.Claim passes the right on to
// the writer.
func NewClaim(ctx context.Context, path string, opt Options) (*Claim, error) {
	opt.setDefaults()
	claim, err := atomicset.NewClaim(opt.files, mainPath(path), opt.set(ctx))
	if err != nil {
		return nil, err
	}
	return &Claim{mainPath(path), claim}, nil
}

// Release gives the right back. A second call does nothing.
func (c *Claim) Release() error { return c.claim.Release() }

// set returns the options of a set of files.
func (o *Options) set(ctx context.Context) atomicset.Options {
	return atomicset.Options{
		Force: o.Force, Extensions: setExtensions, Proves: isMain, Wait: o.Wait, Context: ctx, OnReplace: o.OnReplace,
	}
}

// Recover completes or takes back an interrupted replacement of the book at path, so that
// one complete book is there. Without one it does nothing. It returns what it did; the
// error is [model.ErrLocked] while another writer has the book.
func Recover(path string, opt model.RecoverOptions) (model.Recovery, error) {
	how := Options{Force: opt.Force}
	return atomicset.Recover(fsys.OS{}, mainPath(path), how.set(context.Background()))
}

// isMain reports whether a .ctg file that begins so is one.
func isMain(head []byte) bool {
	_, err := ctg.DecodeHeader(head)
	return err == nil
}
