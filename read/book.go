package read

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"slices"
	"sync"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Book is an opening book of ChessBase: a .ctg file with its .ctb and .cto. It
// is a model.Book that reads one page for each look-up, and must be closed.
type Book struct {
	set   *FileSet
	file  *dbfile.File
	pages *bookPages // of the file
	book  *ctg.Book
	ctb   []byte
	cto   []byte
	bufs  sync.Pool // of *[ctg.PageSize]byte
}

var _ model.Book = (*Book)(nil)

// maxIni is the size up to which an .ini file is taken along.
const maxIni = 1 << 20

// OpenBook opens the book that path names: one of its files, or the name
// without an ending.
//
// The .ctb and .cto files say where a position is. When one of them is missing
// or damaged the whole book is read once to find out, which takes eight bytes
// of memory for every position; [Book.Warning] then says why.
func OpenBook(ctx context.Context, path string) (*Book, error) {
	set, err := FindFiles(path)
	return openBook(ctx, set, err)
}

// OpenBookFS is [OpenBook] for a book in a file system; name has slashes. See
// [OpenFS].
func OpenBookFS(ctx context.Context, files fs.FS, name string) (*Book, error) {
	set, err := FindFilesFS(files, name)
	return openBook(ctx, set, err)
}

// openBook opens the book of a set, unless there was an error.
func openBook(ctx context.Context, set *FileSet, err error) (*Book, error) {
	if err == nil && !set.Has(".ctg") {
		err = set.interrupted(".ctg")
	}
	if err != nil {
		return nil, err
	}
	var b *Book
	for range overtaken {
		if b, err = openBookOnce(ctx, set); !errors.Is(err, model.ErrChanged) {
			break
		}
	}
	return b, err
}

// openBookOnce opens one state of a book: that another one was met is
// model.ErrChanged.
func openBookOnce(ctx context.Context, set *FileSet) (*Book, error) {
	set, w, err := set.Watch(".ctg")
	if err != nil {
		return nil, err
	}
	b := &Book{set: set}
	b.bufs.New = func() any { return new([ctg.PageSize]byte) }
	if b.file, err = set.open(".ctg", true); err != nil {
		return nil, err
	}
	b.pages = newBookPages(b.file, w)
	err = b.open(ctx)
	if changed := w.Check(); changed != nil {
		err = changed
	}
	if err != nil {
		b.file.Close()
		return nil, err
	}
	return b, nil
}

func (b *Book) open(ctx context.Context) error {
	files := ctg.Files{
		Name: b.file.Name(), CTG: b.pages, Size: b.file.Size(),
		CTBName: b.set.Name(".ctb"), CTOName: b.set.Name(".cto"),
	}
	var err error
	if files.CTB, err = b.set.content(".ctb"); err != nil {
		return err
	}
	if files.CTO, err = b.set.content(".cto"); err != nil {
		return err
	}
	b.ctb, b.cto = files.CTB, files.CTO
	b.book, err = ctg.OpenBook(ctx, files)
	return err
}

// content returns the bytes of a file of the set, nil if there is none.
func (s *FileSet) content(ext string) ([]byte, error) {
	f, err := s.open(ext, false)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := f.All()
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// Close closes the book's file.
func (b *Book) Close() error {
	b.pages.watch.closed.Store(true)
	return b.file.Close()
}

// Warning says why the whole book had to be read to find positions, nil if it
// was not necessary.
func (b *Book) Warning() error { return b.book.ScanReason() }

// Damage returns an error if the book is visibly damaged: if it is cut, or its
// directory does not fit. The error names the file. It does not read pages, of
// which [Book.Entries] reports damage.
func (b *Book) Damage() error {
	if err := b.book.Cut(); err != nil {
		return err
	}
	if err := b.Warning(); dbfile.IsDamage(err) {
		return err
	}
	return nil
}

// Games implements model.Book; after Close it is 0, as the other counts are.
func (b *Book) Games() int { return b.whileOpen(int64(b.book.Header().Games())) }

// whileOpen returns a number of an open book.
func (b *Book) whileOpen(n int64) int {
	if b.pages.watch.closed.Load() {
		return 0
	}
	return int(min(n, math.MaxInt))
}

// Positions returns the number of positions as the book's header says. Books
// from which positions were deleted have fewer.
func (b *Book) Positions() int { return b.whileOpen(int64(b.book.Header().Positions())) }

// Pages returns the number of pages, of 4096 bytes each.
func (b *Book) Pages() int { return b.whileOpen(int64(b.book.Pages())) }

// Files returns the book's files.
func (b *Book) Files() *FileSet { return b.set }

// Leftover implements model.Book: the header page, the directory and the
// .ini file; after Close it is nil.
func (b *Book) Leftover() *model.Leftover {
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

func (b *Book) buffer() *[ctg.PageSize]byte { return b.bufs.Get().(*[ctg.PageSize]byte) }

// Changed returns an error that wraps model.ErrChanged if another program has
// changed the book since it was opened.
func (b *Book) Changed() error {
	b.pages.read.Add(1)
	return b.pages.settle()
}

// Lookup returns what the book has of a position, with the figures of the moves. The
// error wraps [model.ErrNoRecord] if that is nothing. With an entry and an error, moves
// that lead to damage are not Known. [Book.Find] and [Book.Figures] are its halves, for
// who looks up many.
func (b *Book) Lookup(p board.Position) (*model.BookEntry, error) {
	e := new(model.BookEntry)
	switch found, err := b.Find(p.Model(), e); {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("%s: %w: %s is not in the book", b.Files().Name(".ctg"), model.ErrNoRecord, p.FEN())
	}
	return e, b.Figures(e)
}

// Find implements model.Book. All answers are of the book as it was opened:
// where a page has to be read and the book was changed since, the error is
// model.ErrChanged, here, in Figures and in Entries. The pages that were read last
// are kept, up to 8 MiB; answers from them alone go on for a second after a change
// at most. Positions with castling rights of Chess960 are looked up without them; a
// position after an advance of two squares is found also where the book ignores an
// en passant capture that is illegal.
func (b *Book) Find(p model.Position, e *model.BookEntry) (bool, error) {
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
func (b *Book) inMoves(err error, offset int64, field string) error {
	return &model.FormatError{File: b.file.Name(), Offset: offset, Record: -1, Field: field, Err: err}
}

// find returns the entry of a position in buf, nil if there is none.
func (b *Book) find(p *board.Position, buf *[ctg.PageSize]byte) (ctg.Entry, ctg.View, error) {
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
func (b *Book) Figures(e *model.BookEntry) error {
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
func (b *Book) Entries(ctx context.Context) iter.Seq2[*model.BookEntry, error] {
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
func (b *Book) decode(raw ctg.Located, e *model.BookEntry) error {
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

// BookStep is a position that [Book.Walk] visits.
type BookStep struct {
	// Line are the moves from where the walk began.
	Line []model.Move
	// Entry is what the book has of the position, without the figures of the
	// moves.
	Entry *model.BookEntry
}

// Walk visits every position of the book that its moves lead to from the given
// one: each position once, depth first. A step is valid until the next one. Memory grows with the number of
// positions visited, about 60 bytes for each.
func (b *Book) Walk(ctx context.Context, from board.Position) iter.Seq2[BookStep, error] {
	return func(yield func(BookStep, error) bool) {
		w := bookWalk{book: b, p: from, visited: map[ctg.Key]struct{}{}}
		for more := w.arrive(yield); more && len(w.path) > 0; {
			if err := ctx.Err(); err != nil {
				yield(BookStep{}, err)
				return
			}
			more = w.advance(yield)
		}
	}
}

// bookWalk is a walk under way.
type bookWalk struct {
	book    *Book
	p       board.Position
	visited map[ctg.Key]struct{}
	path    []branching
	line    []model.Move
	pending []model.Move // the moves not yet tried of all positions of the path
	entry   model.BookEntry
}

// branching is a position of the path.
type branching struct {
	first int // of its moves in pending
	undo  board.Undo
}

// advance tries the next move of the last position of the path, or goes back.
func (w *bookWalk) advance(yield func(BookStep, error) bool) bool {
	last := len(w.path) - 1
	if len(w.pending) == w.path[last].first {
		w.path = w.path[:last]
		if last > 0 {
			w.back(w.path[last-1].undo)
		}
		return true
	}
	m := w.pending[len(w.pending)-1]
	w.pending = w.pending[:len(w.pending)-1]
	undo := w.p.Make(m)
	w.line = append(w.line, m)
	w.path[last].undo = undo
	depth := len(w.path)
	more := w.arrive(yield)
	if len(w.path) == depth { // known already, or not in the book
		w.back(undo)
	}
	return more
}

func (w *bookWalk) back(undo board.Undo) {
	w.p.Unmake(w.line[len(w.line)-1], undo)
	w.line = w.line[:len(w.line)-1]
}

// arrive yields the position reached, unless it was visited before or is not
// in the book, and makes it the last of the path.
func (w *bookWalk) arrive(yield func(BookStep, error) bool) bool {
	key, _ := ctg.Encode(&w.p)
	if _, seen := w.visited[key]; seen {
		return true
	}
	w.visited[key] = struct{}{}
	m := w.p.Model()
	found, err := w.book.Find(m, &w.entry)
	if err != nil {
		return yield(BookStep{Line: w.line}, err)
	}
	if !found {
		return true
	}
	w.path = append(w.path, branching{first: len(w.pending)})
	for i := range w.entry.Moves {
		// The last one is tried first.
		w.pending = append(w.pending, w.entry.Moves[len(w.entry.Moves)-1-i].Move)
	}
	return yield(BookStep{Line: w.line, Entry: &w.entry}, nil)
}
