package posindex

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"

	"cbkit/internal/extsort"
	"cbkit/internal/wire"
	"cbkit/model"
)

// MostChanged is how many bytes of changes an index has at most. They are read whenever
// it is opened; a game takes some 300, with structures 600. Tests set it.
var MostChanged int64 = 4 << 20

// mostWas is how many bytes there are at most of what records were.
func mostWas() int64 { return MostChanged / 4 }

// Where a change has what. (docs/formats/positions.md 7)
const (
	changeIDAt    = 4
	changePartsAt = 8
	changeHead    = 9 // then the parts, each behind its size
	changedSize   = 1 + 6
	wasHead       = changeHead + 4 // of a change that says what a record was alone
)

// The parts of a change, and a mark.
const (
	isDeleted byte = 1 << iota
	hasKeys        // as many as their number says
	hasWas         // as many bytes
)

// Record is what an index has to know of a record.
type Record struct {
	Game    *model.Game // nil if it cannot be read
	Text    bool
	Deleted bool
}

// Change is what an edit makes of a record.
type Change struct {
	ID model.RecordID
	Record
	// Moves says that its moves have changed, or that it is new.
	Moves bool
	// Was is what it was, if that is wanted.
	Was *Was
}

// Edit is what an edit does to an index: it appends changes, or, where they are too many,
// a segment.
type Edit struct {
	*Index
	changes []byte
	few     []byte           // the same without keys
	anew    []model.RecordID // records whose keys are in the changes
	tooMany bool
	wasSize int64
}

// Edit begins an edit of an index, which is of no use for anything else then.
func (x *Index) Edit() *Edit {
	e := &Edit{Index: x}
	for _, b := range x.was {
		e.wasSize += wasHead + int64(len(b))
	}
	return e
}

// WantsWas reports whether what a record was is to be known before it changes.
func (e *Edit) WantsWas(id model.RecordID) bool {
	_, is := e.was[id]
	return id <= e.summarized && !is
}

// Add adds a change. A record has one.
func (e *Edit) Add(c *Change) {
	parts, was := byte(0), []byte(nil)
	if c.Deleted {
		parts |= isDeleted
	}
	if c.Was != nil && e.summarized > 0 {
		parts, was = parts|hasWas, c.Was.append(nil)
		if e.wasSize += wasHead + int64(len(was)); e.wasSize > mostWas() {
			e.summarized = 0
		}
	}
	if parts != 0 || c.ID <= e.Records {
		e.few = appendChange(e.few, c.ID, parts, nil, was)
	}
	if !c.Moves {
		e.changes = appendChange(e.changes, c.ID, parts, nil, was)
	} else {
		var own []posting
		if !c.Text {
			own = e.appendPostings(nil, c.Game)
		}
		e.anew = append(e.anew, c.ID)
		e.changes = appendChange(e.changes, c.ID, parts|hasKeys, own, was)
	}
	if e.tooMany = e.tooMany || e.log+int64(len(e.changes)) > MostChanged; e.tooMany {
		e.changes = nil
	}
}

// appendChange appends a change with its sum.
func appendChange(dst []byte, id model.RecordID, parts byte, own []posting, was []byte) []byte {
	from := len(dst)
	dst = wire.AppendZeros(dst, changeIDAt)
	dst = wire.AppendU32LE(dst, uint32(id))
	dst = append(dst, parts)
	if parts&hasKeys != 0 {
		dst = wire.AppendU32LE(dst, uint32(len(own)))
	}
	for _, p := range own {
		dst = append(dst, p.layer, 0, 0, 0, 0, 0, 0)
		putKey(dst[len(dst)-6:], p.key)
	}
	if parts&hasWas != 0 {
		dst = append(wire.AppendU32LE(dst, uint32(len(was))), was...)
	}
	binary.LittleEndian.PutUint32(dst[from:], crc32.Checksum(dst[from+changeIDAt:], castagnoli))
	return dst
}

// Changes returns what to append to the file, and the header of the index then. It reports
// false if that is too much: then [Edit.Renew] is what to do.
func (e *Edit) Changes() (h Head, changes []byte, ok bool) {
	h = e.Head
	h.log += int64(len(e.changes))
	return h, e.changes, !e.tooMany
}

// readChanges reads the changes.
func (x *Index) readChanges() error {
	b, err := x.file.Bytes(nil, x.file.Size()-x.log, x.log)
	if err != nil {
		return err
	}
	x.changed, x.marked, x.was = map[model.RecordID][]posting{}, map[model.RecordID]bool{}, map[model.RecordID][]byte{}
	return x.note(b, x.file.Size()-x.log)
}

// note notes changes, which are at some place of the file. The last one of a record counts,
// but for what it was: that is told once.
func (x *Index) note(b []byte, at int64) error {
	for len(b) > 0 {
		wrong := func(field, what string) error {
			return x.file.Wrong(at, -1, field, model.ErrCorrupt, "%s", what)
		}
		if len(b) < changeHead {
			return wrong("change", "it is cut")
		}
		id, parts, end := model.RecordID(binary.LittleEndian.Uint32(b[changeIDAt:])), b[changePartsAt], changeHead
		part := func(is byte, size int) (content []byte, ok bool) {
			if parts&is == 0 {
				return nil, true
			}
			if len(b) < end+4 {
				return nil, false
			}
			n := uint64(binary.LittleEndian.Uint32(b[end:])) * uint64(size)
			if end += 4; n > uint64(len(b)-end) {
				return nil, false
			}
			content, end = b[end:end+int(n)], end+int(n)
			return content, true
		}
		keys, ok := part(hasKeys, changedSize)
		was, also := part(hasWas, 1)
		switch {
		case !ok || !also || id < 1 || id > x.Records:
			return wrong("change", "it is cut, or of a record that is not there")
		case binary.LittleEndian.Uint32(b) != crc32.Checksum(b[changeIDAt:end], castagnoli):
			return wrong("sum", "the change has another sum")
		}
		if parts&hasKeys != 0 {
			own := make([]posting, 0, len(keys)/changedSize)
			for k := range slices.Chunk(keys, changedSize) {
				if k[0] >= recordLayer {
					return wrong("layer", "there is no such layer")
				}
				own = append(own, posting{k[0], keyAt(k[1:])})
			}
			x.changed[id] = own
		}
		x.marked[id] = parts&isDeleted != 0
		if _, is := x.was[id]; parts&hasWas != 0 && !is {
			x.was[id] = was
		}
		b, at = b[end:], at+int64(end)
	}
	return nil
}

// Deleted returns the records that are marked as deleted.
func (x *Index) Deleted() (Records, error) {
	at := x.end()
	b, err := x.file.Bytes(nil, at, x.deleted)
	if err != nil || x.deleted == 0 && len(x.marked) == 0 {
		return Records{}, err
	}
	var list idRanges
	if x.deleted > 0 {
		list, err = parseRanges(b, x.Records)
		if err != nil {
			return Records{}, x.file.Wrong(at, -1, "deleted records", model.ErrCorrupt, "%v", err)
		}
	}
	var now idRanges
	for _, id := range slices.Sorted(maps.Keys(x.marked)) {
		if x.marked[id] {
			now = now.add(idRange{id, id})
		}
	}
	return Records{list.without(x.marked).union(now)}, nil
}

// Renew begins a segment of the records whose moves are changed or new, and of those in the
// changes of the index, which it takes the place of. Of each of them it asks for what it is
// now. Segments that are not twice as large as what is newer become part of it. Summaries,
// and what records were, stay.
//
// So each record is written once for each doubling of what has changed, and there are few
// segments to ask.
func (e *Edit) Renew(records model.RecordID, record func(model.RecordID) (Record, error), sorting extsort.Options) (_ *Builder, err error) {
	x := e.Index
	newest := rangesOf(e.anew)
	if len(x.segments) > 0 {
		newest = newest.union(x.later[len(x.segments)-1])
	}
	stay, size := len(x.segments), newest.count()
	for ; stay > 0 && size > 0; stay-- {
		of := x.names[stay-1].count()
		if stay == 1 {
			of = int(x.Records)
		}
		if stay < mostSegments && of >= 2*size {
			break
		}
		size += of
	}
	b := NewBuilder(x.Plies, x.Men, x.Structures, sorting)
	b.segments, b.names, b.empty = x.segments[:stay:stay], stay > 0, size == 0
	b.at = b.end()
	defer func() {
		if err != nil {
			_ = b.Close()
		}
	}()
	x.Records = records
	if err := x.note(e.few, -1); err != nil {
		return nil, err
	}
	deleted, err := x.Deleted()
	if err != nil {
		return nil, err
	}
	if b.marks = deleted.ranges; x.summarized > 0 {
		if b.kept, err = x.file.Bytes(nil, x.file.Size()-x.log-x.summaries, x.summaries); err != nil {
			return nil, err
		}
		b.summarized, b.summaries, b.kept = x.summarized, x.summaries, slices.Clip(b.kept)
		for _, id := range slices.Sorted(maps.Keys(x.was)) {
			parts := hasWas
			if deleted.Has(id) {
				parts |= isDeleted
			}
			b.kept = appendChange(b.kept, id, parts, nil, x.was[id])
		}
		b.log = int64(len(b.kept)) - b.summaries
	}
	for _, r := range newest {
		for id := r.first; id <= r.last; id++ {
			rec, err := record(id)
			if err == nil {
				err = b.add(id, rec)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	for i := stay; i < len(x.segments); i++ {
		if err := x.addTo(b, i, newest.union(x.later[i])); err != nil {
			return nil, err
		}
	}
	return b, nil
}
