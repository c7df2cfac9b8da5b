package posindex

import (
	"encoding/binary"
	"io"
	"maps"
	"slices"

	"cbkit/internal/extsort"
	"cbkit/model"
)

// MostChanged is how many bytes of changes an index has at most. They are read whenever
// it is opened; a game takes some 300, with structures 600. Tests set it.
var MostChanged int64 = 4 << 20

// mostWas is how many bytes there are at most of what records were.
func mostWas() int64 { return MostChanged / 4 }

// What a change says of a record.
const (
	isDeleted uint64 = 1 << iota
	hasKeys          // as many as their number says
	hasWas           // what the record was when summaries were made: the rest
)

// change is what the segments and the summaries do not know of a record.
// (docs/formats/positions.md 7)
type change struct {
	says uint64
	keys []uint64 // in their order
	was  []byte
}

// append appends a change as it is stored.
func (c *change) append(dst []byte, id model.RecordID) []byte {
	b := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(id)), c.says)
	if c.says&hasKeys != 0 {
		b = binary.AppendUvarint(b, uint64(len(c.keys)))
	}
	for _, key := range c.keys {
		b = appendKey(b, key)
	}
	return appendPart(dst, append(b, c.was...))
}

// parseChange reads what append gives, of so many records.
func parseChange(content []byte, records model.RecordID) (id model.RecordID, c change, ok bool) {
	b := numbers{rest: content}
	of, says := b.next(), b.next()
	ok = of >= 1 && of <= uint64(records)
	if says&hasKeys != 0 {
		n := b.next()
		if n > uint64(len(b.rest)/keySize) {
			return 0, c, false
		}
		c.keys = make([]uint64, n)
		for i := range c.keys {
			c.keys[i] = keyAt(b.rest[keySize*i:])
		}
		b.rest = b.rest[keySize*n:]
		ok = ok && slices.IsSorted(c.keys) && (n == 0 || c.keys[n-1] < noKind)
	}
	c.says, c.was = says, b.rest
	return model.RecordID(of), c, ok && !b.cut && (says&hasWas != 0 || len(c.was) == 0)
}

// note notes a change behind others: the last one of a record counts, but for what it was,
// which is told once.
func (x *Index) note(id model.RecordID, c change) {
	old := x.changes[id]
	if c.says&hasKeys == 0 {
		c.says, c.keys = c.says|old.says&hasKeys, old.keys
	}
	if old.says&hasWas != 0 {
		c.says, c.was = c.says|hasWas, old.was
	}
	x.changes[id] = c
}

// changed returns the records of which changes say something.
func (x *Index) changed(what uint64) (set Records) {
	for _, id := range slices.Sorted(maps.Keys(x.changes)) {
		if x.changes[id].says&what == what {
			set = set.with(id)
		}
	}
	return set
}

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
	// Was is what it was, if that is wanted: its stored header and moves, and of what counts
	// for nothing, such as a text, nothing, but not nil.
	Was []byte
}

// Edit is what an edit does to an index: it appends changes, or, where they are too many,
// a segment. It must be closed.
type Edit struct {
	*Index
	added   []byte  // changes to append
	touched Records // of which they say something
	marked  Records // those that are marked as deleted
	anew    Records // those whose keys are in them
	tooMany bool
	wasSize int64
	renewed *Builder // what takes the place of changes
}

// Edit begins an edit of an index, which is of no use for anything else then.
func (x *Index) Edit() *Edit {
	e := &Edit{Index: x}
	for _, c := range x.changes {
		e.addWas(c)
	}
	return e
}

// addWas counts what a record was.
func (e *Edit) addWas(c change) {
	if c.says&hasWas == 0 {
		return
	}
	if e.wasSize += wasHead + int64(len(c.was)); e.wasSize > mostWas() {
		e.summarized = 0
	}
}

// wasHead is what a change takes besides what a record was, if it says nothing else: at most.
const wasHead = partHead + 4 + 1

// WantsWas reports whether what a record was is to be known before it changes.
func (e *Edit) WantsWas(id model.RecordID) bool {
	return id <= e.summarized && e.changes[id].says&hasWas == 0
}

// Add adds a change. A record has one, and they ascend.
func (e *Edit) Add(c *Change) {
	var one change
	e.touched = e.touched.with(c.ID)
	if c.Deleted {
		e.marked, one.says = e.marked.with(c.ID), one.says|isDeleted
	}
	if c.Was != nil && e.summarized > 0 {
		one.says, one.was = one.says|hasWas, c.Was
		e.addWas(one)
		e.note(c.ID, one)
	}
	if c.Moves {
		e.anew, one.says = e.anew.with(c.ID), one.says|hasKeys
		if !c.Text && !e.tooMany {
			one.keys = e.appendSorted(nil, c.Game)
		}
	}
	if !e.tooMany {
		e.added = one.append(e.added, c.ID)
	}
	if e.tooMany = e.tooMany || e.log+int64(len(e.added)) > MostChanged; e.tooMany {
		e.added = nil
	}
}

// Finish finishes an edit behind which there are so many records, of which it may ask for
// what they are.
func (e *Edit) Finish(records model.RecordID, record func(model.RecordID) (Record, error), sorting extsort.Options) (err error) {
	if e.tooMany {
		e.renewed, err = e.renew(record, sorting)
	}
	e.Records = records
	return err
}

// Close removes the files of the sorting; e may be nil.
func (e *Edit) Close() error {
	if e == nil || e.renewed == nil {
		return nil
	}
	return e.renewed.Close()
}

// At returns where in the file what Write writes has its place. What is there goes.
func (e *Edit) At() int64 {
	if e.renewed == nil {
		return e.file.Size()
	}
	return e.renewed.end()
}

// Write writes what comes behind what stays. [Edit.Block] is the header then, but for the
// states of the files.
func (e *Edit) Write(w io.Writer) error {
	if e.renewed == nil {
		e.log += int64(len(e.added))
		_, err := w.Write(e.added)
		return err
	}
	err := e.renewed.Write(w, e.Records)
	e.Head = e.renewed.Head
	return err
}

// renew begins a segment of the records whose moves are changed or new, and of those in the
// changes of the index, which it takes the place of. Of each of them it asks for what it is
// now. Segments that are not twice as large as what is newer become part of it. Summaries,
// and what records were, stay.
//
// So each record is written once for each doubling of what has changed, and there are few
// segments to ask.
func (e *Edit) renew(record func(model.RecordID) (Record, error), sorting extsort.Options) (_ *Builder, err error) {
	newest := e.anew.union(e.changed(hasKeys))
	stay, size := len(e.segments), newest.count()
	for ; stay > 0 && size > 0; stay-- {
		of := e.segments[stay-1].of.count()
		if stay < mostSegments && of >= 2*size {
			break
		}
		size += of
	}
	b := NewBuilder(e.Plies, e.Men, e.Structures, sorting)
	defer func() {
		if err != nil {
			_ = b.Close()
		}
	}()
	b.segments, b.deleted = slices.Clone(e.segments[:stay]), e.Deleted().without(e.touched).union(e.marked)
	if b.summarized = e.summarized; b.summarized > 0 {
		b.summaries = e.summaries
		if b.kept, err = e.file.Bytes(nil, e.file.Size()-e.log-e.summaries, e.summaries); err != nil {
			return nil, err
		}
		for id := range e.changed(hasWas).all() {
			c := change{says: hasWas, was: e.changes[id].was}
			if b.deleted.Has(id) {
				c.says |= isDeleted
			}
			b.kept = c.append(b.kept, id)
		}
		b.log = int64(len(b.kept)) - b.summaries
	}
	for id := range newest.all() {
		rec, err := record(id)
		if err == nil {
			err = b.addKeys(id, rec)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, s := range e.segments[stay:] {
		newer := newest.union(s.later)
		for entry, err := range s.entries(all) {
			if err != nil {
				return nil, err
			}
			for _, id := range entry.ids {
				if newer.Has(id) {
					continue
				}
				if err := b.put(entry.key, id); err != nil {
					return nil, err
				}
			}
		}
		b.of = b.of.union(s.of)
	}
	return b, nil
}
