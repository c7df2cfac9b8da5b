package ctgwrite

import (
	"fmt"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// Lookup returns what the book has of a position, with all changes made so far and
// without the figures of the moves. To change the entry, change what it returns and
// call [Editor.Put]. The error wraps [model.ErrNoRecord] if the book lacks the
// position.
func (ed *Editor) Lookup(p board.Position) (*model.BookEntry, error) {
	for _, key := range keysOf(&p) {
		raw, err := ed.grower.find(&key)
		if err != nil {
			return nil, err
		}
		if raw != nil {
			e := new(model.BookEntry)
			_, view := ctg.Encode(&p)
			ctg.Decode(raw, &p, view, e)
			e.Position = p.Model()
			return e, nil
		}
	}
	return nil, notFound(p)
}

// keysOf returns the keys under which a position can be stored, the usual one
// first.
func keysOf(p *board.Position) []ctg.Key {
	key, _ := ctg.Encode(p)
	keys := []ctg.Key{key}
	if twin, ok := ctg.EncodeTwin(p); ok {
		keys = append(keys, twin)
	}
	return keys
}

// find returns the entry of a key, nil if there is none. It is valid until the
// next page is read.
func (g *grower) find(key *ctg.Key) (ctg.Entry, error) {
	c := g.dir.Leaf(key.Hash())
	page, err := g.read(c)
	if err != nil {
		return nil, err
	}
	e, _, err := page.Find(key)
	if err != nil {
		err = g.wrong(g.dir.Page(c), err)
	}
	return e, err
}

// Put stores an entry, replacing that of the same position. It does not check
// whether the moves lead to positions in the book. Positions that lose their
// last move stay.
func (ed *Editor) Put(e *model.BookEntry) error {
	if err := ed.putEncoded(e); err != nil {
		return err
	}
	p, err := board.New(&e.Position)
	if err != nil {
		return err
	}
	twin, ok := ctg.EncodeTwin(&p)
	if !ok {
		return nil
	}
	if there, err := ed.grower.find(&twin); err != nil || ed.form.Exact && there == nil {
		return err
	}
	plain := *e
	plain.Position.EnPassant, plain.Leftover = model.NoFile, nil
	return ed.putEncoded(&plain)
}

// putEncoded stores an entry under one key.
func (ed *Editor) putEncoded(e *model.BookEntry) error {
	key, raw, err := ed.enc.Encode(e)
	if err != nil {
		return err
	}
	return ed.update(&key, func(ctg.Entry) (ctg.Entry, error) { return raw, nil })
}

// DropMove removes a move from the list of a position. The position after it stays, since
// other moves may lead there.
func (ed *Editor) DropMove(p board.Position, m model.Move) error {
	e, err := ed.Lookup(p)
	if err != nil {
		return err
	}
	for i := range e.Moves {
		if e.Moves[i].Move == m {
			e.Moves = append(e.Moves[:i], e.Moves[i+1:]...)
			return ed.Put(e)
		}
	}
	return fmt.Errorf("%w: %v is not listed in %s", model.ErrNoRecord, m, p.FEN())
}

// notFound is the error of a position that is not in the book.
func notFound(p board.Position) error {
	return fmt.Errorf("%w: %s is not in the book", model.ErrNoRecord, p.FEN())
}
