package read

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Book is an open opening book: a [CTG] or a [Polyglot]. It must be closed.
type Book interface {
	model.Book
	io.Closer

	// Lookup returns what the book has on a position, with the figures of the moves. The
	// error wraps [model.ErrNoRecord] if the book lacks the position. If it returns both
	// an entry and an error, moves that lead to damage are not Known and impossible moves
	// are left out. Find and Figures are its two halves, for callers that look up many.
	Lookup(p board.Position) (*model.BookEntry, error)

	// Walk visits every position of the book that its moves lead to from the given
	// one: each position once, depth first. A step is valid until the next one.
	Walk(ctx context.Context, from board.Position) iter.Seq2[BookStep, error]

	// Positions returns the stored number of positions, -1 if none is stored.
	Positions() int

	// Damage returns an error if the book is visibly damaged, without reading all of
	// it; Warning says why opening took longer than it should.
	Damage() error
	Warning() error

	// Changed returns an error that wraps model.ErrChanged if another program has
	// changed the book since it was opened.
	Changed() error
}

// polyglotEnding is that of Polyglot books.
const polyglotEnding = ".bin"

// OpenBook opens the book that path names: a Polyglot book by its ending .bin, else
// one of ChessBase, by one of its files, or the name without an ending.
//
// The .ctb and .cto files of ChessBase say where a position is. When one of them is missing
// or damaged the whole book is read once to find out, which takes eight bytes
// of memory for every position; Warning then says why.
func OpenBook(ctx context.Context, path string) (Book, error) {
	return OpenBookFS(ctx, nil, path)
}

// OpenBookFS is [OpenBook] for a book in a file system; name has slashes. See
// [OpenFS].
func OpenBookFS(ctx context.Context, files fs.FS, name string) (Book, error) {
	if dbfile.Is(name, polyglotEnding) {
		return openPolyglot(readFS(files), name)
	}
	set, err := FindBook(files, name)
	return openBook(ctx, set, err)
}

// lookup finds a position in a book of a name.
func lookup(b model.Book, name string, p board.Position) (*model.BookEntry, error) {
	e := new(model.BookEntry)
	switch found, err := b.Find(p.Model(), e); {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("%s: %w: %s is not in the book", name, model.ErrNoRecord, p.FEN())
	}
	return e, b.Figures(e)
}
