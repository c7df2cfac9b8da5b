package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"cbkit/board"
	"cbkit/internal/cbhdb"
	"cbkit/internal/ctg"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// CTG is an opening book of ChessBase: a .ctg file with its .ctb and .cto. It
// reads one page for each look-up.
type CTG struct {
	bookFile
	set  *FileSet
	book *ctg.Book
	ctb  []byte
	cto  []byte
}

var _ Book = (*CTG)(nil)

// maxIni is the size up to which an .ini file is taken along.
const maxIni = 1 << 20

// openBook opens the book of a set, unless there was an error.
func openBook(ctx context.Context, set *FileSet, err error) (Book, error) {
	if err == nil && !set.Has(".ctg") {
		err = set.interrupted(".ctg")
	}
	if err != nil {
		return nil, err
	}
	b, err := undisturbed(func() (*CTG, error) { return openCTG(ctx, set) })
	if err != nil {
		return nil, err
	}
	return b, nil
}

// openCTG opens one state of a book.
func openCTG(ctx context.Context, set *FileSet) (*CTG, error) {
	set, w, err := set.Watch(".ctg")
	if err != nil {
		return nil, err
	}
	file, err := set.open(".ctg", true)
	if err != nil {
		return nil, err
	}
	b := &CTG{set: set}
	b.begin(file, w)
	files := ctg.Files{
		Name: b.file.Name(), CTG: b.pages, Size: b.file.Size(),
		CTBName: b.set.Name(".ctb"), CTOName: b.set.Name(".cto"),
	}
	if files.CTB, err = b.set.content(".ctb"); err == nil {
		files.CTO, err = b.set.content(".cto")
	}
	if b.ctb, b.cto = files.CTB, files.CTO; err == nil {
		b.book, err = ctg.OpenBook(ctx, files)
	}
	if err = cmp.Or(w.Check(), err); err != nil {
		b.file.Close()
		return nil, err
	}
	return b, nil
}

// content returns the bytes of a file of the set, nil if there is none.
func (s *FileSet) content(ext string) ([]byte, error) {
	return cbhdb.New(cbhdb.FilesOf(s)).Content(ext) // which opens no other file
}

// Warning says why the whole book had to be read to find positions, nil if it
// was not necessary.
func (b *CTG) Warning() error { return b.book.ScanReason() }

// Damage returns an error if the book is visibly damaged: if it is cut, or its directory
// does not fit. The error names the file. It does not read pages; [CTG.Entries] reports
// damage in these.
func (b *CTG) Damage() error {
	if err := b.book.Cut(); err != nil {
		return err
	}
	if err := b.Warning(); dbfile.IsDamage(err) {
		return err
	}
	return nil
}

// Games implements model.Book; after Close it is 0, as the other counts are.
func (b *CTG) Games() int { return b.pages.whileOpen(int64(b.book.Header().Games())) }

// Positions returns the number of positions as the book's header says. Books
// from which positions were deleted have fewer.
func (b *CTG) Positions() int { return b.pages.whileOpen(int64(b.book.Header().Positions())) }

// Pages returns the number of pages, of 4096 bytes each.
func (b *CTG) Pages() int { return b.pages.whileOpen(int64(b.book.Pages())) }

// Files returns the book's files.
func (b *CTG) Files() *FileSet { return b.set }

// Leftover implements model.Book: the header page, the directory and the
// .ini file; after Close it is nil.
func (b *CTG) Leftover() *model.Leftover {
	if b.pages.watch.closed.Load() {
		return nil
	}
	l := ctg.Leftover{Header: b.book.Header().Bytes(), CTB: b.ctb, CTO: b.cto}
	if info, err := b.set.files.Stat(b.set.Path(".ini")); err == nil && info.Size() <= maxIni && b.set.Has(".ini") {
		// Without its .ini file the book is still complete.
		l.Ini, _ = b.set.content(".ini")
	}
	return l.Pack()
}

// Lookup implements [Book].
func (b *CTG) Lookup(p board.Position) (*model.BookEntry, error) {
	return lookup(b, b.Files().Name(".ctg"), p)
}

// Find implements model.Book. All answers describe the book as it was opened. If it was
// changed since and a page has to be read, Find, Figures and Entries return
// [model.ErrChanged]. The pages read last are kept, up to 8 MiB; answers from them alone
// may go on for up to a second after a change. Positions with castling rights of Chess960
// are looked up without them; a position after an advance of two squares is found also
// where the book ignores an en passant capture that is illegal.
func (b *CTG) Find(p model.Position, e *model.BookEntry) (bool, error) {
	pos, err := board.New(&p)
	if err != nil {
		return false, err
	}
	buf := b.buffer()
	defer b.bufs.Put(buf)
	raw, view, err := b.find(&pos, buf)
	if changed := b.pages.settle(); changed != nil {
		return false, changed
	}
	if raw == nil || err != nil {
		return false, err
	}
	ctg.Decode(raw, &pos, view, e)
	e.Position = p
	if e.MovesErr != nil {
		e.MovesErr = b.inMoves(e.MovesErr, -1, "moves")
	}
	return true, nil
}

// inMoves says where moves are that cannot be taken.
func (b *CTG) inMoves(err error, offset int64, field string) error {
	return &model.FormatError{File: b.file.Name(), Offset: offset, Record: -1, Field: field, Err: err}
}

// find returns the entry of a position in buf, nil if there is none.
func (b *CTG) find(p *board.Position, buf *[ctg.PageSize]byte) (ctg.Entry, ctg.View, error) {
	key, view := ctg.Encode(p)
	raw, found, err := b.book.Find(&key, buf)
	if !found && err == nil {
		if twin, ok := ctg.EncodeTwin(p); ok {
			raw, found, err = b.book.Find(&twin, buf)
		}
	}
	if !found || err != nil {
		return nil, view, err
	}
	return raw, view, nil
}

// Figures implements [model.Book]. Damage of a page is reported once for all
// moves that lead to it.
func (b *CTG) Figures(e *model.BookEntry) error {
	if b.pages.watch.closed.Load() {
		return fs.ErrClosed
	}
	p, err := board.New(&e.Position)
	if err != nil {
		return err
	}
	buf := b.buffer()
	defer b.bufs.Put(buf)
	var errs []error
	if e.MovesErr != nil {
		errs = append(errs, e.MovesErr)
	}
	for i := range e.Moves {
		m := &e.Moves[i]
		undo := p.Make(m.Move)
		raw, view, err := b.find(&p, buf)
		p.Unmake(m.Move, undo)
		same := func(other error) bool { return other.Error() == err.Error() }
		if err != nil && !slices.ContainsFunc(errs, same) {
			errs = append(errs, err)
		}
		m.Known, m.Stats = raw != nil, model.BookStats{}
		if raw != nil {
			s := raw.Stats()
			m.Stats = s.Neutral(view).OtherSide()
		}
	}
	if changed := b.pages.settle(); changed != nil {
		return changed
	}
	return errors.Join(errs...)
}

// Entries implements model.Book. An entry whose key is no position comes with
// an error and nothing but its bytes, as a leftover; with other errors, which
// concern the rest of a page or end the sequence, there is no entry.
func (b *CTG) Entries(ctx context.Context) iter.Seq2[*model.BookEntry, error] {
	return func(yield func(*model.BookEntry, error) bool) {
		var e model.BookEntry
		page := -1 // which was found to be of the state that was opened
		for raw, err := range b.book.Entries(ctx) {
			if raw.Entry == nil || raw.Page != page {
				page = raw.Page
				if changed := b.Changed(); changed != nil {
					yield(nil, changed)
					return
				}
			}
			if err == nil {
				err = b.decode(raw, &e)
			}
			out := &e
			if raw.Entry == nil {
				out = nil
			}
			if !yield(out, err) {
				return
			}
		}
	}
}

// decode decodes an entry in canonical form.
func (b *CTG) decode(raw ctg.Located, e *model.BookEntry) error {
	key := raw.Key()
	m, err := key.Position()
	var p board.Position
	if err == nil {
		p, err = board.New(&m)
	}
	if err != nil {
		*e = model.BookEntry{Leftover: &model.Leftover{Format: ctg.Format, Data: slices.Clone(raw.Entry)}}
		return &model.FormatError{File: b.file.Name(), Offset: raw.Offset, Record: -1,
			Field: fmt.Sprintf("page %d", raw.Page), Err: err}
	}
	ctg.Decode(raw.Entry, &p, 0, e)
	if e.MovesErr != nil {
		e.MovesErr = b.inMoves(e.MovesErr, raw.Offset, fmt.Sprintf("page %d, moves", raw.Page))
	}
	return nil
}

// Walk implements [Book]. Memory grows with the number of positions visited, about 60
// bytes for each.
func (b *CTG) Walk(ctx context.Context, from board.Position) iter.Seq2[BookStep, error] {
	return walkBook(ctx, from, func() look {
		visited := map[ctg.Key]struct{}{}
		return func(p *board.Position, e *model.BookEntry) (moves []model.Move, found bool, err error) {
			key, _ := ctg.Encode(p)
			if _, seen := visited[key]; seen {
				return nil, false, nil
			}
			visited[key] = struct{}{}
			if found, err = b.Find(p.Model(), e); !found || err != nil {
				return nil, false, err
			}
			for i := range e.Moves {
				moves = append(moves, e.Moves[i].Move)
			}
			return moves, true, nil
		}
	})
}
