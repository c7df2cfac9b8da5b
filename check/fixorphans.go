package check

import (
	"bytes"
	"cmp"
	"math"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// reattachAnnotations looks into a hole of the .cba file for annotations of the games that
// miss theirs.
func (p *headerPass) reattachAnnotations(hole cbhdb.Extent) error {
	missing := p.unannotated
	p.unannotated = nil
	if hole.Size >= cbh.AnnotationHeadSize && len(missing) == 0 {
		p.holes = append(p.holes, hole)
	}
	p.left += len(missing)
	if len(missing) == 0 || hole.Size < cbh.AnnotationHeadSize {
		return nil
	}
	found, err := p.orphans(hole)
	if err != nil {
		return err
	}
	lost := cbhdb.LostAnnotations{
		Fits:      func(i, k int) (bool, error) { return p.fits(&missing[i], &found[k]) },
		IsSettled: p.isSettled,
	}
	for i := range missing {
		lost.Games = append(lost.Games, int(p.number(missing[i].id)))
	}
	for k := range found {
		lost.Named = append(lost.Named, int(found[k].game))
	}
	of, err := lost.Pair()
	if err != nil {
		return err
	}
	p.unowned += len(found)
	for i, k := range of {
		if k < 0 {
			continue
		}
		p.left--
		p.unowned--
		id, x := missing[i].id, found[k].Extent
		stored, err := p.headers.Headers(p.extensions, dbfile.NearAhead).At(id)
		if err != nil {
			return err
		}
		h := cbhdb.Header{ID: id, Head: bytes.Clone(stored.Head), Ext: bytes.Clone(stored.Ext)}
		cbh.GameAnnotations.Put(h.Head, uint64(x.At))
		if cbh.ExtAnnotations.In(h.Ext) {
			cbh.ExtAnnotations.Put(h.Ext, uint64(x.At))
		}
		code := codeStaleFlags
		if missing[i].fault {
			code = codeOffsetOutside
		}
		field := &cbh.GameAnnotations
		p.fix(code, inRecord(".cbh", id, p.headers.Offset(id)+int64(field.At), field.Name), p.header(&h),
			"the annotations at %d of %s, which nobody pointed to, are those of the game", x.At, p.annotations.Name())
		own, err := p.annotations.Bytes(x)
		if err != nil {
			return err
		}
		p.nameAnnotations(id, x.At, own)
	}
	return nil
}

// isSettled reports whether the game with a number points to annotations that name
// it, or says that it has none. There may be no such game.
func (p *headerPass) isSettled(number int) (bool, error) {
	id := model.RecordID(p.rows.Headers.Slot(number))
	if number < 1 || id > p.count {
		return true, nil
	}
	if id == 0 {
		return false, nil // its header is missing
	}
	h, err := p.headers.Headers(p.extensions, dbfile.NearAhead).At(id)
	if err != nil || h.Type().IsText() || h.AnnotationsAt() == 0 && cbhdb.NoteFlags(h.Head) == 0 {
		return err == nil, err
	}
	return p.hasNamed(int64(number))
}

// orphan is a whole record of annotations that nothing points to.
type orphan struct {
	cbhdb.Extent
	game  int64
	flags uint32
}

// orphans returns the records of annotations in a hole.
func (p *headerPass) orphans(hole cbhdb.Extent) (list []orphan, err error) {
	w := dbfile.NewWindow(p.annotations.File, dbfile.FarAhead)
	for at := hole.At; ; at++ {
		if at, err = p.annotations.NextAnnotations(w, cbhdb.Extent{At: at, Size: hole.End() - at}); err != nil || at >= hole.End() {
			return list, err
		}
		head, err := w.At(at, cbh.AnnotationHeadSize)
		if err != nil {
			return nil, err
		}
		h, err := cbh.DecodeAnnotationHead(head)
		if err != nil || int64(h.Size) > hole.End()-at {
			p.broken = true
			continue
		}
		b, err := w.At(at, int64(h.Size))
		if err != nil {
			return nil, err
		}
		facts := cbh.FactsOf(b)
		if !isWholeAnnotations(b) || int64(facts.Count)+1 != int64(h.Count) {
			p.broken = true
			continue
		}
		list = append(list, orphan{cbhdb.Extent{At: at, Size: int64(h.Size)}, int64(h.Game), facts.Flags() & cbh.ProvenFlags})
		at += int64(h.Size) - 1
	}
}

// fits reports whether annotations are all that the header of a game says of its
// own.
func (p *headerPass) fits(n *unannotatedGame, o *orphan) (bool, error) {
	if o.flags != n.flags {
		return false, nil
	}
	h, err := p.headers.Headers(p.extensions, dbfile.NearAhead).At(n.id)
	if err != nil {
		return false, err
	}
	if n.moves == 0 {
		n.moves = math.MaxInt // they are not known
		if p.moves.BlockReader != nil {
			b, err := p.moves.read(h.MovesAt(), n.id)
			if err != nil {
				return false, err
			}
			if b != nil && moveenc.DecodeLegal(b, &p.game) == nil {
				n.moves = p.game.Moves.Len() + 1
			}
		}
	}
	b, err := p.annotations.Bytes(o.Extent)
	return err == nil && cbhdb.AnnotationsFit(h.Head, b, n.moves-1), err
}

// nameAnnotations makes the head of annotations true: the game that they belong to, the
// bytes that all heads have, and their number.
func (m *mender) nameAnnotations(id model.RecordID, at int64, annotations []byte) {
	const countAt, size = 7, 10
	count := cbh.FactsOf(annotations).Count + 1
	want := append(wire.AppendU24BE(nil, uint32(m.number(id))), cbh.AnnotationConstant[:]...)
	want = wire.AppendU24BE(want, uint32(count))
	have := annotations[:size]
	if !bytes.Equal(have[:countAt], want[:countAt]) {
		m.fix(codeAnnotationHead, inRecord(".cba", id, at, "head"), []Edit{m.put(".cba", at, want[:countAt])},
			"% x, now % x", have[:countAt], want[:countAt])
	}
	if !bytes.Equal(have[countAt:], want[countAt:]) {
		m.fix(codeAnnotationCount, inRecord(".cba", id, at+countAt,
			"count"), []Edit{m.put(".cba", at+countAt, want[countAt:])},
			"%d, now %d", wire.U24BE(have[countAt:]), count)
	}
}

// isNamed reports whether annotations name a game, whichever game points to them. It is
// asked where some name another game than the one that points to them. An error of the
// machine goes to m.err.
func (m *mender) isNamed(id model.RecordID) bool {
	if m.named == nil {
		m.named = newBitSet(m.count)
		b := dbfile.NewWindow(m.annotations.File, dbfile.FarAhead)
		for at := int64(m.annotations.Head.Size); at+cbh.AnnotationHeadSize <= m.annotations.Size(); at++ {
			head, err := b.At(at, cbh.AnnotationHeadSize)
			if err != nil {
				m.err = cmp.Or(m.err, err)
				break
			}
			if [4]byte(head[3:]) != cbh.AnnotationConstant {
				continue
			}
			if id := model.RecordID(m.rows.Headers.Slot(int(wire.U24BE(head)))); id > 0 && id <= m.count {
				m.named.add(id)
			}
		}
	}
	return m.named.has(id)
}

// hasNamed reports whether the game with a number points to annotations that name
// it.
func (m *mender) hasNamed(number int64) (bool, error) {
	id := model.RecordID(m.rows.Headers.Slot(int(number)))
	if id < 1 || id > m.count {
		return false, nil
	}
	h, err := m.headers.Headers(nil, dbfile.NearAhead).At(id)
	if err != nil || h.AnnotationsAt() == 0 {
		return false, err
	}
	b, err := m.annotations.read(h.AnnotationsAt(), id)
	return b != nil && int64(wire.U24BE(b)) == number, err
}
