package write

import (
	"cmp"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/model"
)

// blockCopy copies the records of a .cbg or .cba file, each byte once: where a
// record lies within others, so does its copy. One that reaches out of them is
// copied on its own, since it may be the others that claim too much.
type blockCopy struct {
	from *cbhdb.BlockReader
	to   *journal.File
	// runs are the parts of the source that were copied, each as it was, by
	// their places there. Records that lie without holes make one run.
	runs []copiedRun
	// again is how many bytes were copied another time; no more than there are.
	again int64
	// moved says that a record has another place now.
	moved bool
	last  []byte // the record that was put last
}

// copiedRun is a part of a file that was copied.
type copiedRun struct {
	cbhdb.Extent
	to int64 // where it begins in the copy
}

// put copies the record of a game or text with the given number and returns its
// place. Change, if not nil, changes its bytes before they are written.
func (b *blockCopy) put(at int64, id model.RecordID, change func([]byte)) (int64, error) {
	x, err := b.from.Find(at, id)
	if err != nil {
		return 0, err
	}
	stored, err := b.from.Bytes(x)
	if err != nil {
		return 0, err
	}
	b.last = append(b.last[:0], stored...)
	i, found := slices.BinarySearchFunc(b.runs, x.At, func(r copiedRun, at int64) int { return cmp.Compare(r.At, at) })
	if !found {
		i-- // the run before, in which the record may begin
	}
	place, before := b.to.Size(), i >= 0 && x.At < b.runs[i].End()
	if before && x.End() <= b.runs[i].End() {
		place = b.runs[i].to + x.At - b.runs[i].At
	} else {
		apart := before || i+1 < len(b.runs) && x.End() > b.runs[i+1].At
		if apart && b.again+x.Size > b.from.Size() {
			return 0, b.from.Wrong(at, int64(id), "", model.ErrCorrupt, "shares a part of its bytes with another record, as too many do")
		}
		if change != nil {
			change(b.last)
		}
		if _, err := b.to.Append(b.last); err != nil {
			return 0, err
		}
		switch {
		case apart:
			b.again += x.Size
		case i >= 0 && b.runs[i].End() == x.At && b.runs[i].to+b.runs[i].Size == place: // it goes on
			b.runs[i].Size += x.Size
		default:
			b.runs = slices.Insert(b.runs, i+1, copiedRun{x, place})
		}
	}
	b.moved = b.moved || place != at
	return place, nil
}

// header returns the header of the copy. Where something was left out its sizes are those
// of the new file; end is where the records of the original end.
func (b *blockCopy) header(whole bool, end int64) []byte {
	h := b.from.Head
	if !whole || b.to.Size() != end {
		h.SetSizes(uint64(b.to.Size()), 0)
	}
	return h.Append(nil)
}

// finishEntities writes the entity files: as they are if all records were copied, else with
// the references of those that were. Entities that have lost all of theirs are deleted.
func (c *Copier) finishEntities() error {
	put, lost, err := c.countReferences()
	if err != nil {
		return err
	}
	for i, kind := range cbh.EntityFiles {
		e, err := c.from.Entities(kind)
		if e == nil && !dbfile.IsDamage(err) {
			if err != nil {
				return err
			}
			continue
		}
		// References in the .cbj file are known only if all records are in it.
		if err != nil || c.isWhole() || kind.Optional() && model.RecordID(c.extras) < c.count {
			if err := c.copyMember(c.src.Files(), kind.Ext); err != nil {
				return err
			}
			continue
		}
		t, err := e.Load()
		if err != nil {
			return err
		}
		var gone []int32
		for id, use := range put[i].Found {
			if !t.IsLive(int32(id)) {
				continue
			}
			if use.Count == 0 {
				use.First = -1
				if c.purge != nil || lost[i].Found[id].Count > 0 {
					gone = append(gone, int32(id))
				}
			}
			use.Put(t.Payload(int32(id)))
		}
		if err := t.Remove(gone); err != nil {
			return err
		}
		if err := c.writeFile(kind.Ext, t.Append(nil)); err != nil {
			return err
		}
	}
	return nil
}

// countReferences counts the references of the records that were put, and of those that
// were left out, unless all were put: then nothing follows from them.
func (c *Copier) countReferences() (put, lost cbhdb.References, err error) {
	if c.isWhole() {
		return put, lost, nil
	}
	for _, kind := range cbh.EntityFiles {
		e, err := c.from.Entities(kind)
		if err != nil && !dbfile.IsDamage(err) {
			return put, lost, err
		}
		if e != nil {
			put.Begin(kind, int(e.Count))
			lost.Begin(kind, int(e.Count))
		}
	}
	here := 0
	for h, err := range c.reader.From(c.context, 1) {
		if err != nil {
			return put, lost, err
		}
		if c.put[h.ID] {
			here++
			put.Add(&h, here)
		} else {
			lost.Add(&h, int(h.ID))
		}
	}
	return put, lost, nil
}
