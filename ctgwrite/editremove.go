package ctgwrite

import (
	"context"

	"cbkit/board"
	"cbkit/internal/ctg"
)

// Remove takes positions out of the book, and the moves that lead to them. It reads the
// whole book once to find those moves. Positions that the removed ones led to stay, since
// other moves may lead there.
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
		if err := ed.update(&key, func(ctg.Entry) (ctg.Entry, error) { return nil, nil }); err != nil {
			return err
		}
	}
	var out []byte
	return ed.sweep(ctx, func(e ctg.Entry) (ctg.Entry, error) {
		var err error
		out, err = appendKeeping(out[:0], e, func(child *board.Position) (bool, error) {
			key, _ := ctg.Encode(child)
			return !gone[key], nil
		})
		return out, err
	})
}

// sweep gives every entry of the book to do, and puts what it returns in its
// place, which must not be longer; nil is nothing.
func (ed *Editor) sweep(ctx context.Context, do func(e ctg.Entry) (ctg.Entry, error)) error {
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
		count, size := 0, 0
		for e, err := range page.Entries() {
			if err != nil {
				return g.wrong(n, err)
			}
			kept, err := do(e)
			if err != nil {
				return err
			}
			if kept != nil {
				count++
			}
			ed.count(e, kept)
			body, size = append(body, kept...), size+len(e)
		}
		if len(body) < size {
			if err := g.write(n, count, body); err != nil {
				return err
			}
		}
	}
	return nil
}
