package cbhrepair

import (
	"bytes"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
)

// noteFlags are the proven flags of a game that follow from annotations.
func noteFlags(head []byte) uint32 {
	return uint32(cbh.GameFlags.Uint(head)) & cbh.ProvenFlags &^ derive.MoveFlags
}

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
// flags say. Records lie in the order of the games, so that there is no other
// place for them.
func (p *places) giveBack(hole cbhdb.Extent) error {
	missing := p.needy
	p.needy = p.needy[:0]
	if len(missing) == 0 || hole.Size < cbh.AnnotationHeadSize {
		return nil
	}
	found := map[model.RecordID][]cbhdb.Extent{}
	w := dbfile.NewWindow(p.notes.File, dbfile.FarAhead)
	for at := hole.At; at+cbh.AnnotationHeadSize <= hole.End(); at++ {
		x, id, err := p.orphan(w, at, hole.End(), missing)
		if err != nil {
			return err
		}
		if x.Size > 0 {
			found[id] = append(found[id], x)
			at = x.End() - 1
		}
	}
	for _, n := range missing {
		if list := found[n.id]; len(list) == 1 {
			if err := p.give(n, list[0]); err != nil {
				return err
			}
		}
	}
	return nil
}

// orphan returns the record of annotations that begins at a place, if it is that
// of a game that misses its own.
func (p *places) orphan(w *dbfile.Window, at, end int64, missing []needy) (x cbhdb.Extent, id model.RecordID, err error) {
	head, err := w.At(at, cbh.AnnotationHeadSize)
	if err != nil || [4]byte(head[3:]) != cbh.AnnotationConstant {
		return x, 0, err
	}
	h, err := cbh.DecodeAnnotationHead(head)
	if err != nil || int64(h.Size) > end-at {
		return x, 0, nil
	}
	for _, n := range missing {
		if int64(n.id) != int64(h.Game) {
			continue
		}
		b, err := w.At(at, int64(h.Size))
		if err != nil {
			return x, 0, err
		}
		facts := cbh.FactsOf(b)
		if isWholeNotes(b) && int64(facts.Count)+1 == int64(h.Count) && facts.Flags()&cbh.ProvenFlags == n.flags {
			return cbhdb.Extent{At: at, Size: int64(h.Size)}, n.id, nil
		}
	}
	return x, 0, nil
}

// give makes a game point to its annotations.
func (p *places) give(n needy, x cbhdb.Extent) error {
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
	return p.putHeader(&h)
}
