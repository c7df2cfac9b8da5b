package ctgwrite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"cbkit/internal/ctg"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Insert puts entries into a book that is there, or into a new one, as it grows
// in ChessBase: page by page. An entry takes the place of the one of the same
// position. The book's pages keep their numbers, its header its unknown words.
//
// The book is replaced as a whole when all entries are in; until then, and on
// an error, it is what it was. Whether moves lead to positions that are in the
// book is not asked.
func Insert(ctx context.Context, path string, entries iter.Seq2[*model.BookEntry, error], opt Options) (Result, error) {
	opt.setDefaults()
	there, err := isThere(path, &opt)
	if err != nil {
		return Result{}, err
	}
	opt.Force = opt.Force || there
	if opt.Claim != nil {
		return insert(ctx, path, entries, &opt)
	}
	// From here on the old book is what it is.
	if opt.Claim, err = NewClaim(ctx, path, opt); err != nil {
		return Result{}, err
	}
	r, err := insert(ctx, path, entries, &opt)
	return r, errors.Join(err, opt.Claim.Release())
}

// insert is Insert into a book that is claimed.
func insert(ctx context.Context, path string, entries iter.Seq2[*model.BookEntry, error], opt *Options) (Result, error) {
	old, err := openOld(ctx, path, opt)
	if err != nil {
		return Result{}, err
	}
	f, err := createBook(ctx, path, opt)
	if err != nil {
		return Result{}, errors.Join(err, old.close())
	}
	g := grower{name: f.set.Name(), store: f.main, capacity: opt.pageCapacity()}
	header, err := g.begin(ctx, f, old, opt)
	// Some systems cannot replace files that are open.
	err = errors.Join(err, old.close())
	if err == nil {
		err = g.putAll(ctx, entries, header, opt)
	}
	if err != nil {
		return Result{}, f.abort(err)
	}
	f.pages = g.pages
	header.SetCounts(uint32(g.pages), header.Positions(), header.Games())
	reportSize(f.pages, opt)
	if err := opt.lost(); err != nil {
		return Result{}, f.abort(err)
	}
	if err := f.finish(header, g.dir, !opt.Exact); err != nil {
		return Result{}, f.abort(err)
	}
	return Result{Games: int(header.Games()), Positions: int(header.Positions()), Pages: f.pages, Bytes: f.size()}, nil
}

// oldBook is the book that is there.
type oldBook struct {
	*ctg.Book
	file fsys.File
}

func (o *oldBook) close() error {
	if o == nil {
		return nil
	}
	return o.file.Close()
}

// isThere reports whether there is a book to insert into.
func isThere(path string, opt *Options) (bool, error) {
	main, err := asOnDisk(opt.files, mainPath(path))
	if err != nil {
		return false, err
	}
	_, err = opt.files.Stat(main)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// openOld opens the book that is there, nil if there is none.
func openOld(ctx context.Context, path string, opt *Options) (*oldBook, error) {
	main, err := asOnDisk(opt.files, mainPath(path))
	if err != nil {
		return nil, err
	}
	file, err := opt.files.OpenFile(main, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b, err := openFiles(ctx, main, file, opt)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &oldBook{b, file}, nil
}

func openFiles(ctx context.Context, main string, file fsys.File, opt *Options) (*ctg.Book, error) {
	base := main[:len(main)-len(".ctg")]
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	files := ctg.Files{Name: main, CTG: file, Size: size}
	if files.CTBName, err = asOnDisk(opt.files, base+".ctb"); err != nil {
		return nil, err
	}
	if files.CTOName, err = asOnDisk(opt.files, base+".cto"); err != nil {
		return nil, err
	}
	if files.CTB, err = readFile(opt.files, files.CTBName); err != nil {
		return nil, err
	}
	if files.CTO, err = readFile(opt.files, files.CTOName); err != nil {
		return nil, err
	}
	return openSound(ctx, files)
}

// openSound opens a book that is to be changed: nothing may be wrong with its
// directory, and no page may be missing.
func openSound(ctx context.Context, files ctg.Files) (*ctg.Book, error) {
	b, err := ctg.OpenBook(ctx, files)
	if err != nil {
		return nil, err
	}
	if err := b.Cut(); err != nil {
		return nil, err
	}
	if b.ScanReason() != nil {
		return nil, fmt.Errorf("%w; write the book anew before changing it", b.ScanReason())
	}
	return b, nil
}

// asOnDisk returns the name of a file as it is spelt on disk, where names match
// whatever their case; of a file that is missing, the name itself.
func asOnDisk(files fsys.FS, name string) (string, error) {
	entries, err := files.ReadDir(filepath.Dir(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return name, err
	}
	dir, file := filepath.Split(name)
	found := file
	for _, e := range entries {
		switch {
		case e.Name() == file:
			return name, nil
		case strings.EqualFold(e.Name(), file):
			found = e.Name()
		}
	}
	return dir + found, nil
}

// readFile returns the content of a file, nil if there is none.
func readFile(files fsys.FS, name string) ([]byte, error) {
	f, err := files.OpenFile(name, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}

// begin copies the old book, or makes an empty one, and returns its header.
func (g *grower) begin(ctx context.Context, f *bookFile, old *oldBook, opt *Options) (*ctg.Header, error) {
	if err := f.out.Flush(); err != nil {
		return nil, err
	}
	header := ctg.NewHeader()
	if old == nil {
		g.dir, g.pages = ctg.NewDirectory(), 1
		if err := g.write(0, 0, nil); err != nil {
			return nil, err
		}
	} else {
		header, g.dir, g.pages = old.Header(), old.Directory(), old.Pages()
		if err := copyPages(ctx, f.main, old); err != nil {
			return nil, err
		}
	}
	if !opt.Exact && !g.dir.IsSplit(0) {
		page, err := g.read(0)
		if err != nil {
			return nil, err
		}
		return header, g.split(0, page)
	}
	return header, nil
}

func copyPages(ctx context.Context, dst io.Writer, old *oldBook) error {
	buf := make([]byte, 1<<20)
	for at := int64(ctg.PageSize); at < offsetOf(int32(old.Pages())); {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := old.file.ReadAt(buf[:min(int64(len(buf)), offsetOf(int32(old.Pages()))-at)], at)
		if n == 0 {
			return err
		}
		if _, err := dst.Write(buf[:n]); err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}

// putAll inserts all entries and counts them in the header.
func (g *grower) putAll(ctx context.Context, entries iter.Seq2[*model.BookEntry, error], h *ctg.Header, opt *Options) error {
	enc := opt.encoder()
	done := 0
	for e, err := range entries {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		_, raw, err := enc.Encode(e)
		if err != nil {
			return err
		}
		added, err := g.put(raw)
		if err != nil {
			return err
		}
		if added {
			h.SetCounts(0, h.Positions()+1, h.Games())
		}
		if done++; opt.Progress != nil && done&4095 == 0 {
			opt.Progress(done)
		}
	}
	return nil
}
