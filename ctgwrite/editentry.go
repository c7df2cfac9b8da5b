package ctgwrite

import (
	"errors"
	"fmt"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// ErrNotInBook: the position to be changed is not in the book. It wraps
// [model.ErrNoRecord].
var ErrNotInBook = fmt.Errorf("%w: the position is not in the book", model.ErrNoRecord)

// Probe looks up a position in the book with all changes made so far. If the
// book has it, Probe fills e, without the figures of the moves, and returns
// true. To change the entry, change e and call [Editor.Put].
func (ed *Editor) Probe(p *model.Position, e *model.BookEntry) (bool, error) {
	pos, err := board.New(p)
	if err != nil {
		return false, err
	}
	for _, key := range keysOf(&pos) {
		raw, err := ed.grower.find(&key)
		if err != nil {
			return false, err
		}
		if raw != nil {
			_, view := ctg.Encode(&pos)
			ctg.Decode(raw, &pos, view, e)
			e.Position = *p
			return true, nil
		}
	}
	return false, nil
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
// last move stay until [Editor.RemoveUnreached].
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
	return ed.update(&key, func(old ctg.Entry) (ctg.Entry, error) { return raw, ed.noteCut(old, raw) })
}

// noteCut remembers the positions that moves of an entry lead to which another one
// has not; nil has none.
func (ed *Editor) noteCut(old, e ctg.Entry) error {
	if old == nil {
		return nil
	}
	listed := [256]bool{}
	if e != nil {
		for i, b := range e.Moves() {
			listed[b] = listed[b] || i&1 == 0
		}
	}
	return eachChild(old, func(i int, child *board.Position) error {
		if !listed[old.Moves()[i]] {
			key, _ := ctg.Encode(child)
			ed.cut[key] = struct{}{}
		}
		return nil
	})
}

// DropMove takes a move from the list of a position. The position behind it stays,
// since other moves may lead there; see [Editor.RemoveUnreached].
func (ed *Editor) DropMove(p *model.Position, m model.Move) error {
	var e model.BookEntry
	if found, err := ed.Probe(p, &e); err != nil || !found {
		return errors.Join(err, notFound(found, p))
	}
	for i := range e.Moves {
		if e.Moves[i].Move == m {
			e.Moves = append(e.Moves[:i], e.Moves[i+1:]...)
			return ed.Put(&e)
		}
	}
	return fmt.Errorf("%w: %v is not listed in %s", model.ErrNoRecord, m, fen(p))
}

// notFound returns an error if a position was not found.
func notFound(found bool, p *model.Position) error {
	if found {
		return nil
	}
	return fmt.Errorf("%s: %w", fen(p), ErrNotInBook)
}
