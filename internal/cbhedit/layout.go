package cbhedit

import (
	"sort"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/model"
)

// piece is a part of a file as it will be: bytes that are in the file already,
// or a new record.
type piece struct {
	from, to, size int64
	fresh          bool // from is a place among the records that wait
}

// moves reports whether bytes of the file get another place.
func (p piece) moves() bool { return !p.fresh && p.from != p.to }

// layout is where everything in a file will be: pieces without gaps between
// them.
type layout struct {
	pieces []piece
	size   int64
	holes  int64                    // of a file that is compacted: what stays and no game points to
	places map[model.RecordID]int64 // of the records that wait
	first  model.RecordID           // that something of may move
	kept   []piece                  // of the file, in the order of their old places
}

// put adds a piece at the end.
func (l *layout) put(p piece) {
	if p.size == 0 {
		return
	}
	p.to = l.size
	l.pieces = append(l.pieces, p)
	if !p.fresh {
		l.kept = append(l.kept, p)
	}
	l.size += p.size
}

// keep adds what lies between two places of the file.
func (l *layout) keep(from, to int64) { l.put(piece{from: from, size: to - from}) }

// moved is how many bytes of the file get another place.
func (l *layout) moved() (n int64) {
	for _, p := range l.pieces {
		if p.moves() {
			n += p.size
		}
	}
	return n
}

// place returns where the record will be that is at a place of the file now.
func (l *layout) place(at int64) int64 {
	i := sort.Search(len(l.kept), func(i int) bool { return at < l.kept[i].from+l.kept[i].size })
	if i == len(l.kept) || at < l.kept[i].from {
		return at // none of this file: a damaged header
	}
	return l.kept[i].to + at - l.kept[i].from
}

// planner makes a layout.
type planner struct {
	d    *DB
	b    *blocks
	find *cbhdb.BlockReader
	// holes reads what lies between records.
	holes  *dbfile.Window
	out    layout
	cursor int64 // up to here the file is planned
}

// plan finds places for the records that wait.
func (d *DB) plan(b *blocks) (*layout, error) {
	if b.compacted != nil {
		return b.compacted, nil
	}
	p := &planner{d: d, b: b, find: b.Reader(near), holes: dbfile.NewWindow(b.File, near)}
	p.out.places = map[model.RecordID]int64{}
	for _, id := range b.ids() {
		if p.out.first == 0 {
			p.out.first = id
		}
		if err := p.add(id); err != nil {
			return nil, err
		}
	}
	p.out.keep(p.cursor, b.Size())
	return &p.out, nil
}

// add plans the record of one game or text.
func (p *planner) add(id model.RecordID) error {
	h, err := p.d.Header(id)
	if err != nil {
		return err
	}
	fresh := p.b.waiting[id]
	old := cbhdb.Extent{At: p.b.placeOf(&h)}
	if old.At == 0 {
		if old.At, _, err = p.next(id); err != nil {
			return err
		}
	} else if old, err = p.find.Find(old.At, id); err != nil {
		return err
	}
	if old.At < p.cursor {
		return p.b.Wrong(old.At, int64(id), "offset", model.ErrCorrupt, "the record lies before or inside of one with a smaller number")
	}
	free := old.Size // how much of the file gives way
	if fresh.Size > old.Size && old.Size > 0 && old.At < p.b.old {
		if free, err = p.room(id, old, fresh.Size); err != nil {
			return err
		}
	}
	p.out.keep(p.cursor, old.At)
	p.out.places[id] = p.out.size
	p.out.put(piece{from: fresh.At, size: fresh.Size, fresh: true})
	if fresh.Size == 0 {
		p.out.places[id] = 0
	}
	if old.At < p.b.old {
		used := min(fresh.Size, free)
		p.b.holes += old.Size - used
		p.cursor = old.At + used
		if fresh.Size == 0 {
			// What is left is no record that a repair could take for another game's.
			p.out.put(piece{from: fresh.At, size: blankAnnotations, fresh: true})
			p.cursor += blankAnnotations
		}
		return nil
	}
	p.cursor = old.At + old.Size // came with this transaction: it wastes nothing
	return nil
}

// room returns how many bytes a record that needs so many and the hole behind it have.
// Annotations that a game may miss are no hole.
func (p *planner) room(id model.RecordID, x cbhdb.Extent, need int64) (int64, error) {
	next, misses, err := p.next(id)
	if err != nil {
		return 0, err
	}
	if next < x.End() {
		return 0, p.b.Wrong(x.At, int64(id), "size", model.ErrCorrupt, "the record reaches into a later one, and cannot become longer")
	}
	if p.b != p.d.annotations {
		return next - x.At, nil
	}
	for at, end := x.End(), min(next, x.At+need); at < end; at++ {
		if at, err = p.b.NextAnnotations(p.holes, cbhdb.Extent{At: at, Size: next - at}); err != nil || at >= end {
			break
		}
		if !misses {
			if misses, err = p.isMissed(at); err != nil {
				break
			}
		}
		if misses {
			return at - x.At, nil
		}
	}
	return next - x.At, err
}

// isMissed reports whether annotations that no game points to name a game that misses its
// own.
func (p *planner) isMissed(at int64) (bool, error) {
	b, err := p.holes.At(at, cbh.AnnotationHeadSize)
	if err != nil {
		return false, err
	}
	head, err := cbh.DecodeAnnotationHead(b)
	if id := model.RecordID(head.Game); err == nil && id >= 1 && id <= p.d.headers.Count {
		h, err := p.d.Header(id)
		return err == nil && p.misses(&h), err
	}
	return false, nil
}

// misses reports whether a game misses its annotations, and gets no new ones.
func (p *planner) misses(h *cbhdb.Header) bool {
	return p.b == p.d.annotations && h.MissesAnnotations() && p.b.waiting[h.ID].Size == 0
}

// nearRecords is behind how many records without annotations the next that has
// some is looked for with larger steps: there may be none in the whole file.
const nearRecords = 64

// next returns where the record of the next game or text that has one begins,
// or the end of the file, and whether a game up to there misses its annotations.
func (p *planner) next(id model.RecordID) (at int64, misses bool, err error) {
	headers := p.d.headers.Headers(p.d.extensions, dbfile.NearAhead)
	near := id + nearRecords
	for id++; id <= p.d.headers.Count; id++ {
		if id == near {
			headers = p.d.headers.Headers(p.d.extensions, dbfile.FarAhead)
		}
		h, err := headers.At(id)
		if err != nil {
			return 0, false, err
		}
		if at := p.b.placeOf(&h); at != 0 {
			if at > p.b.Size() {
				return 0, false, p.b.Wrong(at, int64(id), "offset", model.ErrCorrupt, "lies past the end of the file")
			}
			return at, misses, nil
		}
		misses = misses || p.misses(&h)
	}
	return p.b.Size(), misses, nil
}

// copyBuffer is how many bytes are moved at once.
const copyBuffer = 1 << 18

// apply gives everything its place: in the file, or in a new one beside it where
// most of it moves.
func (d *DB) apply(b *blocks, l *layout) error {
	if d.isMost(l.moved(), b.Size()) {
		return b.rewrite(l)
	}
	return b.shift(l)
}

// isMost reports whether so much of a file changes that it is better written
// anew: what changes in place is written three times, to the scratch file, the
// journal and the file.
func (d *DB) isMost(changed, size int64) bool { return changed > d.limits.inPlace && changed > size/3 }

// rewrite writes the file anew.
func (b *blocks) rewrite(l *layout) error {
	return b.file.Rewrite(func(out *journal.File) error {
		buf := make([]byte, 4*copyBuffer)
		for _, p := range l.pieces {
			err := b.eachPart(p, buf, func(_ int64, part []byte) error {
				_, err := out.Append(part)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// shift moves bytes inside of the file. Nothing is overwritten before it was
// moved: what moves down goes first, from the front, then what moves up, from
// the back; new records come last.
func (b *blocks) shift(l *layout) error {
	buf := make([]byte, copyBuffer)
	for _, p := range l.pieces {
		if p.moves() && p.to < p.from {
			if err := b.write(p, buf); err != nil {
				return err
			}
		}
	}
	for i := len(l.pieces) - 1; i >= 0; i-- {
		if p := l.pieces[i]; p.moves() && p.to > p.from {
			for left := p.size; left > 0; {
				n := min(left, int64(len(buf)))
				left -= n
				part, err := b.Bytes(buf, p.from+left, n)
				if err == nil {
					_, err = b.WriteAt(part, p.to+left)
				}
				if err != nil {
					return err
				}
			}
		}
	}
	for _, p := range l.pieces {
		if p.fresh {
			if err := b.write(p, buf); err != nil {
				return err
			}
		}
	}
	if l.size < b.Size() {
		return b.Truncate(l.size)
	}
	return nil
}

// write writes a piece to its place from the front.
func (b *blocks) write(p piece, buf []byte) error {
	return b.eachPart(p, buf, func(at int64, part []byte) error { return b.PutAt(part, p.to+at) })
}

// eachPart reads a piece part by part.
func (b *blocks) eachPart(p piece, buf []byte, do func(at int64, part []byte) error) error {
	from := b.File
	if p.fresh {
		from = dbfile.New(opened{b.temp}, "changes")
	}
	return eachPart(from, buf, p.from, p.size, do)
}

// eachPart reads so many bytes from a place of a file, part by part.
func eachPart(from *dbfile.File, buf []byte, begin, size int64, do func(at int64, part []byte) error) error {
	for at := int64(0); at < size; at += int64(len(buf)) {
		part, err := from.Bytes(buf, begin+at, min(int64(len(buf)), size-at))
		if err == nil {
			err = do(at, part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// putHead writes the header of the file: its size, and how much of it no record uses.
func (b *blocks) putHead() error {
	if b.compacted != nil {
		b.Head.SetSizes(uint64(b.Size()), uint64(b.compacted.holes))
		return b.PutHead()
	}
	if b.Size() == b.old && b.holes == 0 {
		return nil
	}
	// What lies behind the declared end is behind it no more.
	behind := b.old - min(b.DeclaredEnd(), b.old)
	holes := max(b.DeclaredHoles()+b.holes+behind, 0)
	b.Head.SetSizes(uint64(b.Size()), uint64(holes))
	return b.PutHead()
}
