package ctgwrite

import (
	"context"
	"slices"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// Remove takes positions out of the book, and the moves that lead to them. It
// reads the whole book once to find these. The positions behind stay, since other
// moves may lead there; see [Editor.RemoveUnreached].
func (ed *Editor) Remove(ctx context.Context, positions ...board.Position) error {
	gone := map[ctg.Key]bool{}
	for _, p := range positions {
		found := false
		for _, key := range keysOf(&p) {
			e, err := ed.grower.find(&key)
			if err != nil {
				return err
			}
			found = found || e != nil
			gone[key] = true
		}
		if !found {
			return notFound(p)
		}
	}
	for key := range gone {
		delete(ed.cut, key)
		if err := ed.update(&key, func(old ctg.Entry) (ctg.Entry, error) { return nil, ed.noteCut(old, nil) }); err != nil {
			return err
		}
	}
	var out []byte
	return ed.sweep(ctx, func(_ place, e ctg.Entry) (ctg.Entry, error) {
		var err error
		out, err = appendKeeping(out[:0], e, func(child *board.Position) (bool, error) {
			key, _ := ctg.Encode(child)
			return !gone[key], nil
		})
		return out, err
	})
}

// place is an entry of a book: a page, and which of its entries.
type place struct {
	page  int32
	entry int
}

// sweep gives every entry of the book to do, and puts what it returns in its
// place, which must not be longer; nil is nothing.
func (ed *Editor) sweep(ctx context.Context, do func(at place, e ctg.Entry) (ctg.Entry, error)) error {
	g := &ed.grower
	var buf [ctg.PageSize]byte
	var body []byte
	for n := range int32(g.pages) {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := g.readPage(n, &buf)
		if err != nil {
			return err
		}
		body = body[:0]
		at, count, size := place{n, 0}, 0, 0
		for e, err := range page.Entries() {
			if err != nil {
				return g.wrong(n, err)
			}
			kept, err := do(at, e)
			if err != nil {
				return err
			}
			if kept != nil {
				count++
			}
			ed.count(e, kept)
			body, size, at.entry = append(body, kept...), size+len(e), at.entry+1
		}
		if len(body) < size {
			if err := g.write(n, count, body); err != nil {
				return err
			}
		}
	}
	return nil
}

// RemoveUnreached removes positions that no move leads to any more: those that
// moves removed in this transaction led to, and those behind them, unless
// another move of the book still leads there. The usual starting position
// always stays. It returns the number of positions removed. If there are
// candidates it reads the whole book.
func (ed *Editor) RemoveUnreached(ctx context.Context) (int, error) {
	if err := ed.steps.Open(); err != nil {
		return 0, err
	}
	u := reach{ed: ed, below: make(marks, ed.grower.pages), kept: make(marks, ed.grower.pages)}
	for key := range ed.cut {
		if err := u.mark(u.below, nil, &key); err != nil {
			return 0, err
		}
	}
	clear(ed.cut)
	if len(u.open) == 0 {
		return 0, nil
	}
	if err := u.follow(ctx, u.below, nil); err != nil {
		return 0, err
	}
	// What other moves lead to stays, and the beginning of the game.
	start := model.StartPosition()
	p, err := board.New(&start)
	if err != nil {
		return 0, err
	}
	key, _ := ctg.Encode(&p)
	if err := u.mark(u.kept, u.below, &key); err != nil {
		return 0, err
	}
	err = ed.sweep(ctx, func(at place, e ctg.Entry) (ctg.Entry, error) {
		if u.below.has(at) {
			return e, nil
		}
		return e, u.markChildren(u.kept, u.below, e)
	})
	if err != nil {
		return 0, err
	}
	if err := u.follow(ctx, u.kept, u.below); err != nil {
		return 0, err
	}
	before := ed.result.Removed
	err = ed.sweep(ctx, func(at place, e ctg.Entry) (ctg.Entry, error) {
		if u.below.has(at) && !u.kept.has(at) {
			return nil, nil
		}
		return e, nil
	})
	return ed.result.Removed - before, err
}

// marks are entries of a book, one bit each. A page has room for 117 at most.
type marks [][2]uint64

func (m marks) has(at place) bool { return m[at.page][at.entry>>6]>>(at.entry&63)&1 != 0 }

func (m marks) set(at place) { m[at.page][at.entry>>6] |= 1 << (at.entry & 63) }

// reach finds out what can be reached. Nothing changes meanwhile.
type reach struct {
	ed *Editor
	// below are the entries that can be reached from where moves were taken away,
	// kept those of them that can be reached otherwise.
	below, kept marks
	open        []place // marked, and not yet followed
	buf         [ctg.PageSize]byte
}

// mark marks the entry of a key, and opens it unless it was marked before. Within,
// if there is one, has all that may be marked.
func (u *reach) mark(set, within marks, key *ctg.Key) error {
	g := &u.ed.grower
	at := place{page: g.dir.Page(g.dir.Leaf(key.Hash()))}
	page, err := g.readPage(at.page, &g.page)
	if err != nil {
		return err
	}
	for e, err := range page.Entries() {
		if err != nil {
			return g.wrong(at.page, err)
		}
		if e.Key() == *key {
			if !set.has(at) && (within == nil || within.has(at)) {
				set.set(at)
				u.open = append(u.open, at)
			}
			return nil
		}
		at.entry++
	}
	return nil
}

// markChildren marks what the moves of an entry lead to.
func (u *reach) markChildren(set, within marks, e ctg.Entry) error {
	return eachChild(e, func(_ int, child *board.Position) error {
		for _, key := range keysOf(child) {
			if err := u.mark(set, within, &key); err != nil {
				return err
			}
		}
		return nil
	})
}

// follow marks all that can be reached from what is open.
func (u *reach) follow(ctx context.Context, set, within marks) error {
	for len(u.open) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := len(u.open) - 1
		at := u.open[last]
		u.open = u.open[:last]
		page, err := u.ed.grower.readPage(at.page, &u.buf)
		if err != nil {
			return err
		}
		n := 0
		for e, err := range page.Entries() {
			if err != nil {
				return u.ed.grower.wrong(at.page, err)
			}
			if n == at.entry {
				if err := u.markChildren(set, within, slices.Clone(e)); err != nil {
					return err
				}
				break
			}
			n++
		}
	}
	return nil
}
