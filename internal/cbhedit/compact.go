package cbhedit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Compact leaves out what no record uses of the files with moves and annotations:
// records move down, and the counters of unused bytes become 0. Where a game misses its
// annotations, those that no game points to stay. It must be the
// first change of a transaction and its only one. Each, if not nil, is called for
// every record. Sizes are those of the two files together, in bytes.
func (d *DB) Compact(ctx context.Context, each func(model.RecordID)) (before, after int64, err error) {
	if err := d.check(); err != nil {
		return 0, 0, err
	}
	if d.headersChanged || len(d.moves.waiting)+len(d.annotations.waiting) > 0 {
		return 0, 0, errors.New("compacting must be a transaction of its own")
	}
	defer func() { err = d.fail(err) }()
	files := d.usedParts()
	for h, err := range d.headers.Headers(d.extensions, dbfile.FarAhead).From(ctx, 1) {
		for _, f := range files {
			if err == nil {
				err = f.pass(&h)
			}
		}
		if err != nil {
			return 0, 0, err
		}
		if each != nil {
			each(h.ID)
		}
	}
	for _, f := range files {
		l, err := f.layout()
		if err != nil {
			return 0, 0, err
		}
		head := f.b.Head
		head.SetSizes(uint64(l.size), uint64(l.holes))
		f.b.compacted = l
		d.headersChanged = d.headersChanged || l.moved() > 0 || !bytes.Equal(head.Append(nil), f.b.Head.Append(nil))
	}
	// The first record of which something moves.
	moves, annotations := d.moves.compacted, d.annotations.compacted
	moves.first, annotations.first = d.headers.Count+1, d.headers.Count+1
	for h, err := range d.headers.Headers(d.extensions, dbfile.FarAhead).From(ctx, 1) {
		if err != nil {
			return 0, 0, err
		}
		at, annotationsAt := h.MovesAt(), h.AnnotationsAt()
		if moves.place(at) != at || annotationsAt != 0 && annotations.place(annotationsAt) != annotationsAt {
			moves.first, annotations.first = h.ID, h.ID
			break
		}
	}
	return d.moves.Size() + d.annotations.Size(), moves.size + annotations.size, nil
}

// Rewrites returns how many bytes of new files the transaction puts beside the
// old ones, and the journal.
func (d *DB) Rewrites() int64 {
	p := &headerUpdate{d: d, moves: d.moves.compacted, annotations: d.annotations.compacted}
	var n int64
	for _, b := range []*blocks{d.moves, d.annotations} {
		if moved := b.compacted.moved(); d.isMost(moved, b.Size()) {
			n += b.compacted.size
		} else {
			n += 2 * moved // in the scratch file and in the journal
		}
	}
	if first := p.firstMoved(); p.isMost(first) {
		n += d.HeaderBytes()
	} else {
		n += 2 * int64(d.headers.Count+1-first) * int64(cbh.RecordSize+d.ExtSize())
	}
	return n
}

// HeaderBytes returns the size of the files with the headers of records.
func (d *DB) HeaderBytes() int64 {
	n := d.headers.Size()
	if d.extensions != nil {
		n += d.extensions.Size()
	}
	return n
}

// Holes returns how many bytes the files count as unused.
func (d *DB) Holes() uint64 { return uint64(d.moves.DeclaredHoles() + d.annotations.DeclaredHoles()) }

// usedParts returns those of the files with moves and annotations.
func (d *DB) usedParts() []*partsInUse {
	return []*partsInUse{
		{b: d.moves, find: d.moves.Reader(dbfile.FarAhead)},
		{b: d.annotations, find: d.annotations.Reader(dbfile.FarAhead), isAnnotations: true},
	}
}

// partsInUse collects the parts of a file that records use.
type partsInUse struct {
	b             *blocks
	find          *cbhdb.BlockReader
	used          []cbhdb.Extent // in order, with holes between them
	isAnnotations bool
	misses        bool // a game misses its annotations
}

// pass takes the record of a game or text.
func (s *partsInUse) pass(h *cbhdb.Header) error {
	at := s.b.placeOf(h)
	if at == 0 {
		s.misses = s.misses || s.isAnnotations && h.MissesAnnotations()
		return nil
	}
	x, err := s.find.Find(at, h.ID)
	if err == nil {
		s.use(x)
	}
	return err
}

// use adds a part, which joins those that it touches. Records lie in order in
// most files, so that it goes behind the last one.
func (s *partsInUse) use(x cbhdb.Extent) {
	from := len(s.used)
	if from > 0 && x.At <= s.used[from-1].End() {
		from, _ = slices.BinarySearchFunc(s.used, x.At, func(u cbhdb.Extent, at int64) int { return cmp.Compare(u.End(), at) })
	}
	to := from
	for ; to < len(s.used) && s.used[to].At <= x.End(); to++ {
		end := max(x.End(), s.used[to].End())
		x.At = min(x.At, s.used[to].At)
		x.Size = end - x.At
	}
	if to == from+1 {
		s.used[from] = x
		return
	}
	s.used = slices.Replace(s.used, from, to, x)
}

// layout returns the file with the parts that are used behind its header, and with
// annotations that a game may miss.
func (s *partsInUse) layout() (*layout, error) {
	l := &layout{}
	l.keep(0, int64(s.b.Head.Size))
	cursor := int64(s.b.Head.Size)
	w := dbfile.NewWindow(s.b.File, dbfile.FarAhead)
	for _, x := range append(s.used, cbhdb.Extent{At: s.b.Size()}) {
		if hole := (cbhdb.Extent{At: cursor, Size: x.At - cursor}); s.misses && hole.Size > 0 {
			at, err := s.b.NextAnnotations(w, hole)
			if err != nil {
				return nil, err
			}
			l.keep(at, x.At)
			l.holes += x.At - at
		}
		l.keep(x.At, x.End())
		cursor = x.End()
	}
	return l, nil
}

// LostAnnotations returns how many bytes there are of annotations that no game points to and
// that a game may miss.
func (d *DB) LostAnnotations(ctx context.Context) (int64, error) {
	s := d.usedParts()[1]
	for h, err := range d.headers.Headers(d.extensions, dbfile.FarAhead).From(ctx, 1) {
		if err == nil {
			err = s.pass(&h)
		}
		if err != nil {
			return 0, err
		}
	}
	l, err := s.layout()
	if err != nil {
		return 0, err
	}
	return l.holes, nil
}
