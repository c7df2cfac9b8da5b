package cbhrepair

import (
	"bytes"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/moveenc"
)

// endOfNotes looks into what lies behind the last annotations.
func (p *places) endOfNotes() error {
	if p.notes == nil {
		return nil
	}
	b := &p.Repair.notes
	return p.giveBack(cbhdb.Extent{At: b.between.End, Size: b.Size() - b.between.End})
}

// giveBack looks into a hole of the .cba file for annotations of the games that
// miss theirs: records whose head names one of them, and which are what its
// flags say; or which name another one and fit this one alone. Records lie in the
// order of the games, so that there is no other place for them.
func (p *places) giveBack(hole cbhdb.Extent) error {
	missing := p.needy
	p.needy = p.needy[:0]
	if len(missing) == 0 || hole.Size < cbh.AnnotationHeadSize {
		return nil
	}
	found, err := p.orphans(hole)
	if err != nil {
		return err
	}
	for i := range missing {
		n := &missing[i]
		if o := only(found, func(o orphan) bool { return o.game == p.number(n.id) && o.flags == n.flags }); o != nil {
			if err := p.give(n, o); err != nil {
				return err
			}
		}
	}
	return p.pair(missing, found)
}

// orphan is a whole record of annotations that nobody points to.
type orphan struct {
	cbhdb.Extent // no size: it has got its game
	game         int64
	flags        uint32
}

// only returns the one record that suits, nil if there is none or several.
func only(list []orphan, suits func(orphan) bool) (one *orphan) {
	for i := range list {
		if list[i].Size == 0 || !suits(list[i]) {
			continue
		}
		if one != nil {
			return nil
		}
		one = &list[i]
	}
	return one
}

// orphans returns the records of annotations in a hole.
func (p *places) orphans(hole cbhdb.Extent) (list []orphan, err error) {
	w := dbfile.NewWindow(p.notes.File, dbfile.FarAhead)
	for at := hole.At; at+cbh.AnnotationHeadSize <= hole.End(); at++ {
		head, err := w.At(at, cbh.AnnotationHeadSize)
		if err != nil {
			return nil, err
		}
		if [4]byte(head[3:]) != cbh.AnnotationConstant {
			continue
		}
		h, err := cbh.DecodeAnnotationHead(head)
		if err != nil || int64(h.Size) > hole.End()-at {
			continue
		}
		b, err := w.At(at, int64(h.Size))
		if err != nil {
			return nil, err
		}
		facts := cbh.FactsOf(b)
		if !isWholeNotes(b) || int64(facts.Count)+1 != int64(h.Count) {
			continue
		}
		list = append(list, orphan{cbhdb.Extent{At: at, Size: int64(h.Size)}, int64(h.Game), facts.Flags() & cbh.ProvenFlags})
		at += int64(h.Size) - 1
	}
	return list, nil
}

// pair gives annotations that name another game, which has its own, to the one game
// that they fit, if no others fit that. If games and annotations are left then, it
// is not known that these games have none.
func (p *places) pair(missing []needy, found []orphan) error {
	suits := make([]int, len(found)) // how many games each fits
	theirs := make([][]int, len(missing))
	games, records := 0, 0
	for k := range found {
		o := &found[k]
		if o.Size == 0 {
			continue
		}
		records++
		others, err := p.hasNamed(p.notes, o.game)
		if err != nil {
			return err
		}
		named, err := p.named()
		if err != nil {
			return err
		}
		for i := range missing {
			if missing[i].id == 0 || named.has(missing[i].id) || !others && o.game > 0 && o.game <= p.number(p.count()) {
				continue
			}
			fits, err := p.fits(&missing[i], o)
			if err != nil {
				return err
			}
			if fits {
				suits[k]++
				theirs[i] = append(theirs[i], k)
			}
		}
	}
	for i := range missing {
		n := &missing[i]
		if n.id != 0 && len(theirs[i]) == 1 && suits[theirs[i][0]] == 1 {
			if err := p.give(n, &found[theirs[i][0]]); err != nil {
				return err
			}
			records--
		}
		if n.id != 0 {
			games++
		}
	}
	if games > 0 && records > 0 {
		p.Repair.notes.unsound++
	}
	return nil
}

// fits reports whether annotations are all that the header of a game says of its
// own.
func (p *places) fits(n *needy, o *orphan) (bool, error) {
	if p.moves == nil || o.flags != n.flags {
		return false, nil
	}
	h, err := p.heads.Headers(p.exts, dbfile.NearAhead).At(n.id)
	if err != nil {
		return false, err
	}
	moves, err := readPart(p.moves, h.MovesAt(), n.id)
	if moves == nil || err != nil || moveenc.DecodeLegal(moves, &p.game) != nil {
		return false, err
	}
	b, err := p.notes.Bytes(o.Extent)
	return err == nil && cbhdb.NotesFit(h.Head, b, p.game.Moves.Len()), err
}

// give makes a game point to its annotations, and marks both as done.
func (p *places) give(n *needy, o *orphan) error {
	x := o.Extent
	stored, err := p.heads.Headers(p.exts, dbfile.NearAhead).At(n.id)
	if err != nil {
		return err
	}
	h := cbhdb.Header{ID: n.id, Head: bytes.Clone(stored.Head), Ext: bytes.Clone(stored.Ext)}
	cbh.GameNotes.Put(h.Head, uint64(x.At))
	if cbh.ExtNotes.In(h.Ext) {
		cbh.ExtNotes.Put(h.Ext, uint64(x.At))
	}
	b := &p.Repair.notes
	code := "stale-flags"
	if n.fault {
		b.unsound--
		code = offsetOutside
	}
	b.between.Holes -= x.Size
	p.change(code, ".cbh", int64(n.id), p.heads.Offset(n.id)+int64(cbh.GameNotes.At), cbh.GameNotes.Name,
		"the annotations at %d of %s, which nobody pointed to, are those of the game", x.At, p.notes.Name())
	n.id, o.Size = 0, 0
	return p.putHeader(&h)
}
