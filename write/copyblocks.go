package write

import (
	"cmp"
	"slices"

	"cbkit/internal/cbhdb"
	"cbkit/model"
)

// blockCopy copies the records of a .cbg or .cba file, each byte once: where
// records share bytes, their copies share them too.
type blockCopy struct {
	from *cbhdb.BlockReader
	to   *blockFile
	// runs are the parts of the source that were copied, each as it was, by
	// their places there. Records that lie without holes make one run.
	runs []copiedRun
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
	place := b.to.size
	switch {
	case i >= 0 && x.At < b.runs[i].End():
		place = b.runs[i].to + x.At - b.runs[i].At
		if x.End() > b.runs[i].End() {
			return 0, b.from.Wrong(at, int64(id), "", model.ErrCorrupt, "shares a part of its bytes with another record")
		}
	case i+1 < len(b.runs) && x.End() > b.runs[i+1].At:
		return 0, b.from.Wrong(at, int64(id), "", model.ErrCorrupt, "shares a part of its bytes with another record")
	default:
		if change != nil {
			change(b.last)
		}
		if err := b.to.append(b.last); err != nil {
			return 0, err
		}
		b.add(i, x, place)
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
