package ctgwrite

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"

	"cbkit/internal/ctg"
	"cbkit/internal/extsort"
	"cbkit/model"
)

// bookStream is a book about to be written.
type bookStream struct {
	// entries come in trie order, as often as they are asked for.
	entries iter.Seq2[placed, error]
	// header is the header page; its counts of pages and, if keepCounts is
	// not set, of positions are filled in.
	header     *ctg.Header
	keepCounts bool
	// numbers is the directory of a book with the same entries, if there is
	// one, whose page numbers are kept where its leaves are the same.
	numbers *ctg.Directory
	// ini is the content of the .ini file.
	ini []byte
	// written, if not nil, is called when all entries have been asked for.
	written func()
}

// writeStream writes a book.
func writeStream(ctx context.Context, path string, s *bookStream, opt *Options) (Result, error) {
	if s.numbers != nil { // do the entries have the same leaves?
		pl := newPlacer(opt)
		same, leaves := true, 0
		pl.leaf = func(c ctg.Node, _ int, _ []byte) error {
			same = same && s.numbers.Page(c) != ctg.NoPage
			leaves++
			return nil
		}
		if err := pl.drain(s.entries); err != nil {
			return Result{}, err
		}
		if !same || leaves != s.numbers.Leaves() {
			s.numbers = nil
		}
	}
	f, err := createBook(ctx, path, opt)
	if err != nil {
		return Result{}, err
	}
	r, dir, err := writePages(f, s, opt)
	if err == nil && len(s.ini) > 0 {
		// An .ini file that is there stays.
		if _, err = opt.files.Stat(filepath.Join(f.dir, f.base+".ini")); errors.Is(err, fs.ErrNotExist) {
			err = f.companion(".ini", s.ini)
		}
	}
	if err == nil && s.written != nil {
		s.written()
	}
	if err != nil {
		return Result{}, f.abort(err)
	}
	positions := uint32(r.Positions)
	if s.keepCounts {
		positions = s.header.Positions()
	}
	s.header.SetCounts(uint32(f.pages), positions, s.header.Games())
	reportSize(f.pages, opt)
	if opt.losses != nil && opt.losses.Count > 0 {
		return Result{}, f.abort(opt.losses)
	}
	if err = f.finish(s.header, dir, !opt.Exact); !model.IsDone(err) {
		return Result{}, f.abort(err)
	}
	r.Games, r.Pages, r.Bytes = int(s.header.Games()), f.pages, f.size()
	return r, err
}

// writePages places all entries.
func writePages(f *bookFile, s *bookStream, opt *Options) (r Result, dir *ctg.Directory, err error) {
	pl := newPlacer(opt)
	pl.leaf = func(c ctg.Node, count int, body []byte) error {
		r.Positions += count
		if opt.Progress != nil && f.pages&255 == 0 {
			opt.Progress(r.Positions)
		}
		page, err := int32(f.pages), error(nil)
		f.page = ctg.AppendPage(f.page[:0], count, body)
		if s.numbers != nil {
			page = s.numbers.Page(c)
			_, err = f.main.WriteAt(f.page, offsetOf(page))
		} else {
			_, err = f.out.Write(f.page)
		}
		f.pages = max(f.pages, int(page)+1)
		pl.dir.SetPage(c, page)
		return err
	}
	err = pl.drain(s.entries)
	return r, pl.dir, err
}

func newPlacer(opt *Options) *placer {
	return &placer{capacity: opt.pageCapacity() - ctg.PageHeaderSize, splitRoot: !opt.Exact}
}

// drain places the entries of a sequence.
func (pl *placer) drain(entries iter.Seq2[placed, error]) error {
	next, stop := iter.Pull2(entries)
	defer stop()
	pl.next = func() (placed, bool, error) {
		e, err, ok := next()
		return e, ok, err
	}
	pl.dir = new(ctg.Directory)
	// What is ahead fits one page, save for the last entry.
	pl.arena = make([]byte, 0, 2*ctg.PageSize)
	return pl.place(0)
}

// Books beyond this many pages have offsets that some programs cannot reach.
const portablePages = 1<<31/ctg.PageSize - 1

func reportSize(pages int, opt *Options) {
	if pages > portablePages && !opt.Exact {
		opt.Report.Add(model.Changed, 0, "size",
			"%d pages are more than 2 GiB; programs with 32-bit file offsets cannot read such a book", pages)
	}
}

// Records of a sorter of finished entries:
//
//	u32 trie order | u64 sequence number | entry
const sortedHeader = 12

// sortedEntries yields the entries of such a sorter.
func sortedEntries(s *extsort.Sorter) iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		for record, err := range s.Sorted() {
			if err != nil {
				yield(placed{}, err)
				return
			}
			e := placed{
				hash:  ctg.TrieOrder(binary.BigEndian.Uint32(record)),
				seq:   binary.BigEndian.Uint64(record[4:]),
				Entry: ctg.Entry(record[sortedHeader:]),
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}
