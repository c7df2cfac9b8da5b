package read

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"iter"

	"path"
	"path/filepath"
	"slices"
	"sync"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/polyglot"
	"cbkit/model"
)

// Polyglot is an opening book of Polyglot: a .bin file. It stores keys instead of
// positions, so it knows the moves of a position that is looked up, and the positions
// these lead to; of the rest it knows only the number. A look-up reads a few blocks of
// 4096 bytes.
type Polyglot struct {
	bookFile
	path  string
	book  polyglot.File
	start board.Position
	// damage is what is visibly wrong.
	damage error

	filling sync.Mutex
	filter  *polyglot.KeyFilter // nil until it is needed
}

var _ Book = (*Polyglot)(nil)

// openPolyglot opens a .bin file, and looks at its beginning.
func openPolyglot(files fsys.ReadFS, name string) (Book, error) {
	base := path.Base(filepath.ToSlash(name))
	file, err := dbfile.Open(files, name, base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	watch := new(Watch)
	if files == (fsys.OS{}) {
		info, err := files.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, dbfile.PlainError(err))
		}
		// It is replaced as a whole: no journal says that it is being changed.
		watch = &Watch{main: name, stamp: info, taken: true}
	}
	b := &Polyglot{path: name, start: board.Start()}
	b.begin(file, watch)
	b.book = polyglot.File{Name: base, Data: b.pages, Length: file.Size()}
	var no error
	if no, b.damage = b.book.Recognise(); no != nil {
		_ = file.Close() // it was only read
		return nil, no
	}
	return b, nil
}

// Path returns the name of the file.
func (b *Polyglot) Path() string { return b.path }

// Len returns the number of entries, each a move of a position; after Close it is 0.
func (b *Polyglot) Len() int { return b.pages.whileOpen(b.book.Len()) }

// Positions implements [Book]: it is not stored. [Polyglot.Scan] counts them.
func (b *Polyglot) Positions() int { return b.pages.whileOpen(-1) }

// Games implements model.Book: it is not stored.
func (b *Polyglot) Games() int { return 0 }

// Leftover implements model.Book: there is none.
func (b *Polyglot) Leftover() *model.Leftover { return nil }

// Warning implements [Book]; it returns nil.
func (b *Polyglot) Warning() error { return nil }

// Damage implements [Book]: it returns an error if the file ends inside an entry, or if
// entries at its beginning are out of order or hold no moves. [Polyglot.Scan] looks at
// all entries.
func (b *Polyglot) Damage() error { return b.damage }

// StartFrom makes Entries begin in another position than the start of the game. It must
// be called before the book is used.
func (b *Polyglot) StartFrom(p board.Position) { b.start = p }

// Find implements model.Book. The moves come in stored order. An entry whose move is not
// legal in the position, or listed before, gives no move and MovesErr; one that has no
// move at all (docs/formats/polyglot.md 3) is ignored.
func (b *Polyglot) Find(p model.Position, e *model.BookEntry) (bool, error) {
	pos, err := board.New(&p)
	if err != nil {
		return false, err
	}
	return b.find(&pos, e, nil)
}

// find looks up a position. If visit is not nil it is called with the number of the first entry
// and says whether to go on.
func (b *Polyglot) find(p *board.Position, e *model.BookEntry, visit func(first int64) bool) (bool, error) {
	buf := b.buffer()
	defer b.bufs.Put(buf)
	key := p.PolyglotKey()
	first, found, err := b.book.Find(key, buf)
	if found && err == nil && visit != nil && !visit(first) {
		return false, nil
	}
	*e = model.BookEntry{Position: p.Model(), Weighed: true, Moves: e.Moves[:0]}
	if found && err == nil {
		for one, wrong := range b.book.Of(key, first, buf) {
			if err = wrong; err != nil {
				break
			}
			if one.Move.IsNone() {
				continue
			}
			m, legal := one.Move.On(p)
			twice := slices.ContainsFunc(e.Moves, func(listed model.BookMove) bool { return listed.Move == m })
			switch {
			case legal && !twice:
				e.Moves = append(e.Moves, model.BookMove{Move: m, MoveWeight: one.Weight, Learn: one.Learn})
			case e.MovesErr != nil:
			case legal:
				e.MovesErr = b.book.Wrong(one.Number, "move", model.ErrCorrupt, "%v is listed twice in %s", one.Move, p.FEN())
			default:
				e.MovesErr = b.book.Wrong(one.Number, "move", model.ErrCorrupt, "%v is no legal move in %s", one.Move, p.FEN())
			}
		}
	}
	err = cmp.Or(b.pages.settle(), err)
	return found && err == nil, err
}

// Figures implements [model.Book]: there are no figures but the weights, which Find
// returns. It returns what is wrong with the moves.
func (b *Polyglot) Figures(e *model.BookEntry) error {
	if b.pages.watch.closed.Load() {
		return fs.ErrClosed
	}
	return e.MovesErr
}

// Lookup implements [Book].
func (b *Polyglot) Lookup(p board.Position) (*model.BookEntry, error) {
	return lookup(b, b.file.Name(), p)
}

// Entries implements model.Book: first faults of stored entries, then a walk from the
// start of the game or the position set by [Polyglot.StartFrom].
func (b *Polyglot) Entries(ctx context.Context) iter.Seq2[*model.BookEntry, error] {
	return func(yield func(*model.BookEntry, error) bool) {
		for _, err := range b.Stored(ctx) {
			if err != nil && (!yield(nil, err) || !dbfile.IsDamage(err)) {
				return
			}
		}
		for step, err := range b.Walk(ctx, b.start) {
			if !yield(step.Entry, err) {
				return
			}
		}
	}
}

// Walk implements [Book]. Such books often have the moves of one side alone, and none that
// never scored. So it also goes on with moves that the book does not list, where they lead
// to a position that it has; see [Polyglot.Beside]. Memory is about 2 bytes for each
// entry of the book.
func (b *Polyglot) Walk(ctx context.Context, from board.Position) iter.Seq2[BookStep, error] {
	return walkBook(ctx, from, func() look {
		visited := make([]uint64, b.Len()/64+1)
		return func(p *board.Position, e *model.BookEntry) (moves []model.Move, found bool, err error) {
			seen := false
			found, err = b.find(p, e, func(first int64) bool {
				seen = visited[first/64]>>(first%64)&1 != 0
				visited[first/64] |= 1 << (first % 64)
				return !seen
			})
			if seen || err != nil {
				return nil, false, err
			}
			for _, m := range e.Moves {
				moves = append(moves, m.Move)
			}
			beside, err := b.beside(ctx, p, e)
			return append(moves, beside...), found, err
		}
	})
}

// Beside returns the legal moves that the book does not list in a position although it
// has the position after them, in the order of [board.Position.AppendLegal]. The first
// call reads the whole book.
func (b *Polyglot) Beside(ctx context.Context, p board.Position) ([]model.Move, error) {
	var e model.BookEntry
	if _, err := b.find(&p, &e, nil); err != nil {
		return nil, err
	}
	return b.beside(ctx, &p, &e)
}

// beside is Beside for the entry of a position.
func (b *Polyglot) beside(ctx context.Context, p *board.Position, e *model.BookEntry) (list []model.Move, err error) {
	if err := b.fill(ctx); err != nil {
		return nil, err
	}
	buf := b.buffer()
	defer b.bufs.Put(buf)
	var room [256]model.Move
	for _, m := range p.AppendLegal(room[:0]) {
		if slices.ContainsFunc(e.Moves, func(listed model.BookMove) bool { return listed.Move == m }) {
			continue
		}
		undo := p.Make(m)
		key := p.PolyglotKey()
		p.Unmake(m, undo)
		if !b.filter.MayHave(key) {
			continue
		}
		if _, found, err := b.book.Find(key, buf); err != nil {
			return nil, err
		} else if found {
			list = append(list, m)
		}
	}
	return list, b.pages.settle()
}

// fill makes the filter of keys.
func (b *Polyglot) fill(ctx context.Context) error {
	b.filling.Lock()
	defer b.filling.Unlock()
	if b.filter != nil {
		return nil
	}
	f := polyglot.NewKeyFilter(b.book.Len())
	for e, err := range b.book.All(ctx, 0) {
		if err != nil {
			return err
		}
		f.Add(e.Key)
	}
	b.filter = f
	return nil
}

// Polyglot entries as they are stored.

// PolyglotEntry is an entry of a Polyglot book: a move of the position with a key.
type PolyglotEntry struct {
	// Key is that of [board.Position.PolyglotKey].
	Key uint64
	// Move has the bits of docs/formats/polyglot.md 3.
	Move   uint16
	Weight uint16
	Learn  uint32
}

// PolyglotScan is what reading all of a Polyglot book tells.
type PolyglotScan struct {
	// Entries and Positions are how many there are; Unplayed are the entries with the
	// weight 0, Learned those with a learn value that is not 0.
	Entries, Positions, Unplayed, Learned int
}

// Stored yields all entries in the order of the file, those that no move of the book leads
// to included. With an error about an entry (a key out of order, bits that are no move)
// the entry comes too, and the sequence goes on; other errors end it.
func (b *Polyglot) Stored(ctx context.Context) iter.Seq2[PolyglotEntry, error] {
	return func(yield func(PolyglotEntry, error) bool) {
		if err := b.pages.settle(); err != nil {
			yield(PolyglotEntry{}, err)
			return
		}
		var before polyglot.Entry
		for e, err := range b.book.All(ctx, 0) {
			if err == nil && e.Number%(16*polyglot.Block/polyglot.Size) == 0 {
				err = b.pages.settle()
			}
			if err != nil {
				yield(PolyglotEntry{}, err)
				return
			}
			if !yield(PolyglotEntry{e.Key, uint16(e.Move), e.Weight, e.Learn}, b.book.Fault(e.Number, &before, &e.Entry)) {
				return
			}
			before = e.Entry
		}
		if err := b.book.Cut(); err != nil {
			yield(PolyglotEntry{}, err)
		}
	}
}

// Scan reads the whole book. The error is the first damage; if entries follow it, reading
// goes on.
func (b *Polyglot) Scan(ctx context.Context) (s PolyglotScan, err error) {
	last := uint64(0)
	for e, wrong := range b.Stored(ctx) {
		if err == nil {
			err = wrong
		}
		if e == (PolyglotEntry{}) && wrong != nil {
			continue // no entry
		}
		if s.Entries == 0 || e.Key != last {
			s.Positions++
		}
		last = e.Key
		s.Entries++
		if e.Weight == 0 {
			s.Unplayed++
		}
		if e.Learn != 0 {
			s.Learned++
		}
	}
	return s, err
}
