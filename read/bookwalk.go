package read

import (
	"context"
	"iter"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// BookStep is a position that [Book.Walk] visits.
type BookStep struct {
	// Line are the moves from where the walk began.
	Line []model.Move
	// Entry is what the book has of the position, without the figures of the
	// moves.
	Entry *model.BookEntry
}

// walkBook visits the positions that the moves of a book lead to.
func walkBook(ctx context.Context, from board.Position, begin func() look) iter.Seq2[BookStep, error] {
	return func(yield func(BookStep, error) bool) {
		w := bookWalk{look: begin(), p: from}
		for more := w.arrive(yield); more && len(w.path) > 0; {
			if err := ctx.Err(); err != nil {
				yield(BookStep{}, err)
				return
			}
			more = w.advance(yield)
		}
	}
}

// look looks up a position that was not looked at before: whether the book has it, and
// the moves with which the walk goes on.
type look func(p *board.Position, e *model.BookEntry) (moves []model.Move, found bool, err error)

// bookWalk is a walk under way.
type bookWalk struct {
	look    look
	p       board.Position
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
	moves, found, err := w.look(&w.p, &w.entry)
	if err != nil {
		return yield(BookStep{Line: w.line}, err)
	}
	if !found && len(moves) == 0 {
		return true
	}
	w.path = append(w.path, branching{first: len(w.pending)})
	slices.Reverse(moves) // the last one is tried first
	w.pending = append(w.pending, moves...)
	return !found || yield(BookStep{Line: w.line, Entry: &w.entry}, nil)
}
