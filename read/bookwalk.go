package read

import (
	"context"
	"iter"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// BookStep is a position that a walk through a book arrives at.
type BookStep struct {
	// Line are the moves that lead there from where the walk began.
	Line []model.Move
	// Entry is what the book has of the position, without the figures of the
	// moves.
	Entry *model.BookEntry
}

// Walk visits every position of the book that its listed moves lead to from
// the given one, nil for the start of the game: each once, the lines in depth
// first. A step is valid until the next one. Memory grows with the positions
// visited, some 60 bytes for each.
func (b *Book) Walk(ctx context.Context, from *model.Position) iter.Seq2[BookStep, error] {
	return func(yield func(BookStep, error) bool) {
		p, err := board.New(from)
		if err != nil {
			yield(BookStep{}, err)
			return
		}
		w := bookWalk{book: b, p: p, visited: map[ctg.Key]struct{}{}}
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
	found, err := w.book.Probe(&m, &w.entry)
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
