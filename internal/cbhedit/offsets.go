package cbhedit

import (
	"bufio"
	"errors"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/model"
)

// discard gives a new file up because of an error.
func discard(r *journal.Rewrite, why error) error { return errors.Join(why, r.Discard()) }

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
	headers, err := p.begin(".cbh", d.headers.File, d.headers.Offset(first))
	if err != nil {
		return err
	}
	extensions := &rewriting{}
	if d.extensions != nil {
		if extensions, err = p.begin(".cbj", d.extensions.File, min(d.extensions.Offset(first), d.extensions.Size())); err != nil {
			return headers.discard(err)
		}
	}
	err = p.each(first, func(h *cbhdb.Header) error {
		if _, err := headers.buf.Write(h.Head); err != nil {
			return err
		}
		if h.Ext != nil {
			if _, err := extensions.buf.Write(h.Ext); err != nil {
				return err
			}
		}
		return d.putOffset(h)
	})
	if err == nil {
		err = headers.end(d.headers.File)
	}
	if err == nil && d.extensions != nil {
		err = extensions.end(d.extensions.File)
	}
	if err != nil {
		return errors.Join(headers.discard(err), extensions.discard(nil))
	}
	return nil
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

// rewriting is a file of headers that is written anew.
type rewriting struct {
	out  *journal.Rewrite
	buf  *bufio.Writer
	done bool
}

// begin starts a new file with what lies before a place of the old one.
func (p *headerUpdate) begin(ext string, from *dbfile.File, until int64) (*rewriting, error) {
	f, err := p.d.file(ext)
	if err != nil {
		return nil, err
	}
	out, err := f.Rewrite()
	if err != nil {
		return nil, err
	}
	r := &rewriting{out: out, buf: bufio.NewWriterSize(out, 4*copyBuffer)}
	if err := r.copy(from, 0, until); err != nil {
		return nil, r.discard(err)
	}
	return r, nil
}

// copy appends a part of the old file.
func (r *rewriting) copy(from *dbfile.File, at, end int64) error {
	return eachPart(from, make([]byte, copyBuffer), at, end-at, func(_ int64, part []byte) error {
		_, err := r.buf.Write(part)
		return err
	})
}

// end appends what the old file has behind and puts the new one in its place.
func (r *rewriting) end(from *dbfile.File) error {
	if err := r.copy(from, r.out.Size()+int64(r.buf.Buffered()), from.Size()); err != nil {
		return err
	}
	if err := r.buf.Flush(); err != nil {
		return err
	}
	r.done = true
	return r.out.Done()
}

// discard gives the new file up, unless it is in its place.
func (r *rewriting) discard(why error) error {
	if r.out == nil || r.done {
		return why
	}
	return discard(r.out, why)
}
