package cbhedit

import (
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/model"
)

// headerUpdate writes where everything is after both layouts into the headers.
type headerUpdate struct {
	d                  *DB
	moves, annotations *layout
}

// firstMoved returns the first record whose header can change because something
// moves, one more than there are if nothing does.
func (p *headerUpdate) firstMoved() model.RecordID {
	first := p.d.headers.Count + 1
	if p.moves.moved() > 0 {
		first = p.moves.first
	}
	if p.annotations.moved() > 0 {
		first = min(first, p.annotations.first)
	}
	return first
}

// apply updates headers: those of the records that waited and, if anything has
// moved, all behind the first of them.
func (p *headerUpdate) apply() error {
	shifted := p.firstMoved()
	ids := slices.Concat(p.d.moves.ids(), p.d.annotations.ids())
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if id >= shifted {
			break
		}
		h, err := p.d.Header(id)
		if err == nil {
			err = p.update(&h)
		}
		if err == nil {
			err = p.put(&h)
		}
		if err != nil {
			return err
		}
	}
	if shifted > p.d.headers.Count {
		return nil
	}
	return p.shift(shifted)
}

// update puts the new places into a header.
func (p *headerUpdate) update(h *cbhdb.Header) error {
	at, waits := p.moves.places[h.ID]
	if !waits {
		at = p.moves.place(h.MovesAt())
	}
	if err := h.SetMovesAt(at); err != nil {
		return err
	}
	if h.Type().IsText() {
		return nil
	}
	at, waits = p.annotations.places[h.ID]
	if !waits {
		if at = h.AnnotationsAt(); at == 0 {
			return nil
		}
		at = p.annotations.place(at)
	}
	return h.SetAnnotationsAt(at)
}

// put writes a header that was updated in its place.
func (p *headerUpdate) put(h *cbhdb.Header) error {
	if err := p.d.store(*h); err != nil {
		return err
	}
	return p.d.putOffset(h)
}

// isMost reports whether the headers from one on are most of all.
func (p *headerUpdate) isMost(first model.RecordID) bool {
	headers := p.d.headers
	return p.d.isMost(int64(headers.Count+1-first)*cbh.RecordSize, headers.Size())
}

// shift updates all headers from one on, in their places or, where they are most
// of the file, in a new one.
func (p *headerUpdate) shift(first model.RecordID) error {
	d := p.d
	if !p.isMost(first) {
		return p.each(first, p.put)
	}
	return p.rewrite(".cbh", d.headers.File, d.headers.Offset(first), func(headers *journal.File) error {
		if d.extensions == nil {
			return p.append(first, headers, nil)
		}
		until := min(d.extensions.Offset(first), d.extensions.Size())
		return p.rewrite(".cbj", d.extensions.File, until, func(extensions *journal.File) error {
			return p.append(first, headers, extensions)
		})
	})
}

// append appends the updated headers of all records from one on to new files.
func (p *headerUpdate) append(first model.RecordID, headers, extensions *journal.File) error {
	return p.each(first, func(h *cbhdb.Header) error {
		if _, err := headers.Append(h.Head); err != nil {
			return err
		}
		if h.Ext != nil {
			if _, err := extensions.Append(h.Ext); err != nil {
				return err
			}
		}
		return p.d.putOffset(h)
	})
}

// each calls do with the updated headers of all records from one on.
func (p *headerUpdate) each(first model.RecordID, do func(h *cbhdb.Header) error) error {
	read := p.d.headers.Headers(p.d.extensions, dbfile.FarAhead)
	var h cbhdb.Header
	for id := first; id <= p.d.headers.Count; id++ {
		at, err := read.At(id)
		if err != nil {
			return err
		}
		h = cbhdb.Header{ID: id, Head: append(h.Head[:0], at.Head...), Ext: append(h.Ext[:0], at.Ext...)}
		if at.Ext == nil {
			h.Ext = nil
		}
		if err := p.update(&h); err != nil {
			return fmt.Errorf("%s: record %d: %w", p.d.headers.Name(), id, err)
		}
		if err := do(&h); err != nil {
			return err
		}
	}
	return nil
}

// rewrite writes a file of headers anew: add appends what comes between the place up to which
// the file stays as it is and what lies behind the headers.
func (p *headerUpdate) rewrite(ext string, from *dbfile.File, until int64, add func(out *journal.File) error) error {
	f, err := p.d.file(ext)
	if err != nil {
		return err
	}
	return f.Rewrite(func(out *journal.File) error {
		if err := copyPart(out, from, 0, until); err != nil {
			return err
		}
		if err := add(out); err != nil {
			return err
		}
		return copyPart(out, from, out.Size(), from.Size())
	})
}

// copyPart appends a part of a file to another one.
func copyPart(to *journal.File, from *dbfile.File, at, end int64) error {
	return eachPart(from, make([]byte, copyBuffer), at, end-at, func(_ int64, part []byte) error {
		_, err := to.Append(part)
		return err
	})
}
