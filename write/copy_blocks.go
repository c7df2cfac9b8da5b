package write

import (
	"cmp"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// blockCopy copies the records of a .cbg or .cba file, each byte once: where a
// record lies within others, so does its copy. One that reaches out of them is
// copied on its own, since it may be the others that claim too much.
type blockCopy struct {
	from *cbhdb.BlockReader
	to   *blockFile
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
	place, before := b.to.size, i >= 0 && x.At < b.runs[i].End()
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
		if err := b.to.append(b.last); err != nil {
			return 0, err
		}
		if apart {
			b.again += x.Size
		} else {
			b.add(i, x, place)
		}
	}
	b.moved = b.moved || place != at
	return place, nil
}

// add notes a part of the source behind run i, which it makes longer where it
// goes on with it.
func (b *blockCopy) add(i int, x cbhdb.Extent, to int64) {
	if i >= 0 && b.runs[i].End() == x.At && b.runs[i].to+b.runs[i].Size == to {
		b.runs[i].Size += x.Size
		return
	}
	b.runs = slices.Insert(b.runs, i+1, copiedRun{x, to})
}

// newReferences returns the counts of references of a database before its first record.
func newReferences(db *cbhdb.DB) (counts cbhdb.References, err error) {
	for _, kind := range cbh.EntityFiles {
		e, err := db.Entities(kind)
		if err != nil && !dbfile.IsDamage(err) {
			return counts, err
		}
		if e != nil {
			counts.Begin(kind, int(e.Count))
		}
	}
	return counts, nil
}

// finishEntities writes the entity files: as they are if all records were copied.
func (c *Copier) finishEntities() error {
	lost, err := c.lostReferences()
	if err != nil {
		return err
	}
	for i, kind := range cbh.EntityFiles {
		e, err := c.from.Entities(kind)
		switch {
		case dbfile.IsDamage(err):
			err = c.copyMember(c.src.Files(), kind.Ext)
		case e != nil && (c.isWhole() || !c.knowsReferences(kind)):
			err = c.copyMember(c.src.Files(), kind.Ext)
		case e != nil:
			err = c.writeEntities(e, c.references[i].Found, lost[i].Found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// knowsReferences reports whether the records tell all their references to
// entities of a kind: those of the .cbj file only if all of them are in it.
func (c *Copier) knowsReferences(kind *cbh.EntityFile) bool {
	return !kind.Optional() || model.RecordID(c.extras) == c.count
}

// lostReferences counts the references of the records that were left out.
func (c *Copier) lostReferences() (lost cbhdb.References, err error) {
	if c.isWhole() || c.purge != nil {
		return lost, nil
	}
	if lost, err = newReferences(c.from); err != nil {
		return lost, err
	}
	for h, err := range c.reader.From(c.context, 1) {
		if err != nil {
			return lost, err
		}
		lost.Add(&h, int(h.ID))
	}
	for i := range lost {
		for id := range lost[i].Found {
			lost[i].Found[id].Count -= c.references[i].Found[id].Count
		}
	}
	return lost, nil
}

// writeEntities writes an entity file with other references: those counted, and
// less those lost. Entities that have lost all of theirs are deleted.
func (c *Copier) writeEntities(e *cbhdb.Entities, counted, lost []cbh.EntityUse) error {
	t, err := e.Load()
	if err != nil {
		return err
	}
	var gone []int32
	for id, use := range counted {
		if !t.IsLive(int32(id)) {
			continue
		}
		if use.Count == 0 {
			use.First = -1
			if c.purge != nil || lost[id].Count > 0 {
				gone = append(gone, int32(id))
			}
		}
		use.Put(t.Payload(int32(id)))
	}
	if err := t.Remove(gone); err != nil {
		return err
	}
	return c.writeFile(e.Kind.Ext, t.Append(nil))
}
