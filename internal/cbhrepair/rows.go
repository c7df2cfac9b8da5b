package cbhrepair

import (
	"context"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// mendRows brings the records of the .cbh and .cbj files into step: one that is
// there twice goes, two that are exchanged go back. Where one is missing all are
// left: the .cbj file is not believed then and, if it is the .cbh file that lacks
// it, neither are counts of records.
func (r *Repair) mendRows(context.Context) error {
	if r.heads == nil {
		return nil
	}
	headers := r.heads.Headers(nil, dbfile.FarAhead)
	heads := cbhdb.RowFile{Count: int(r.heads.Count), At: func(slot int) ([]byte, error) {
		h, err := headers.At(model.RecordID(slot))
		return h.Head, err
	}}
	exts := cbhdb.RowFile{}
	if r.exts != nil {
		window := dbfile.NewWindow(r.exts.File, dbfile.FarAhead)
		exts = cbhdb.RowFile{Count: int(min(r.exts.Stored, cbh.MaxRecords)), At: func(slot int) ([]byte, error) {
			return window.At(r.exts.Offset(model.RecordID(slot)), int64(r.exts.Head.RecordSize))
		}}
	}
	rows, err := cbhdb.FindRows(heads, exts, int(r.heads.Head.Next)-1)
	if err != nil || rows.AreStraight() {
		return err
	}
	if len(rows.Heads.Gaps) > 0 || len(rows.Exts.Gaps) > 0 {
		r.rows = rows
		return nil
	}
	if err := r.straighten(recordCount, ".cbh", &rows.Heads, cbh.RecordSize, func(slot int) int64 { return r.heads.Offset(model.RecordID(slot)) }); err != nil {
		return err
	}
	if r.exts == nil {
		return nil
	}
	return r.straighten(extCount, ".cbj", &rows.Exts, int64(r.exts.Head.RecordSize), func(slot int) int64 { return r.exts.Offset(model.RecordID(slot)) })
}

// straighten brings the records of one file into step.
func (r *Repair) straighten(code, ext string, row *cbhdb.Row, size int64, offset func(slot int) int64) error {
	for i := len(row.Repeated) - 1; i >= 0; i-- {
		slot := row.Repeated[i]
		r.change(code, ext, int64(slot), offset(slot), "", "the record before it again, after which all others stood one place too far back; removed")
		if err := r.remove(ext, offset(slot), size); err != nil {
			return err
		}
	}
	if row.Swapped == [2]int{} {
		return nil
	}
	one, other := offset(row.Swapped[0]), offset(row.Swapped[1])
	r.change(badOrder, ext, int64(row.Swapped[0]), one, "", "exchanged with record %d, whose places the other file has here", row.Swapped[1])
	return r.exchange(ext, one, other, size)
}

// exchange exchanges two records of a file.
func (r *Repair) exchange(ext string, one, other, size int64) error {
	f, err := r.set.File(r.files.Name(ext))
	if err != nil {
		return err
	}
	a, b := make([]byte, size), make([]byte, size)
	if _, err := f.ReadAt(a, one); err != nil {
		return err
	}
	if _, err := f.ReadAt(b, other); err != nil {
		return err
	}
	if err := r.put(ext, one, b); err != nil {
		return err
	}
	return r.put(ext, other, a)
}

// insert puts bytes into a file.
func (r *Repair) insert(ext string, at int64, b []byte) error {
	f, err := r.set.File(r.files.Name(ext))
	if err != nil {
		return err
	}
	buf := make([]byte, 1<<16)
	for end := f.Size(); end > at; {
		buf = buf[:min(int64(len(buf)), end-at)]
		end -= int64(len(buf))
		if _, err := f.ReadAt(buf, end); err != nil {
			return err
		}
		if err := r.put(ext, end+int64(len(b)), buf); err != nil {
			return err
		}
	}
	return r.put(ext, at, b)
}

// remove takes bytes out of a file.
func (r *Repair) remove(ext string, at, size int64) error {
	f, err := r.set.File(r.files.Name(ext))
	if err != nil {
		return err
	}
	buf := make([]byte, 1<<16)
	for from := at + size; from < f.Size(); from += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), f.Size()-from)]
		if _, err := f.ReadAt(buf, from); err != nil {
			return err
		}
		if err := r.put(ext, from-size, buf); err != nil {
			return err
		}
	}
	r.changed[ext] = true
	return f.Truncate(f.Size() - size)
}

// mendEntityRows brings the records of the entity files into step with their ids. One
// that is missing is made again without its name, so that all others have theirs. If
// it is not known how they stand, all is left.
func (r *Repair) mendEntityRows(ctx context.Context) error {
	for i, kind := range cbh.EntityFiles {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := r.db.Entities(kind)
		if r.isFailure(kind.Ext, err) {
			return err
		}
		if e == nil || err != nil {
			continue
		}
		t, err := e.Load()
		if err != nil {
			return err
		}
		uses := r.uses[i]
		uses.Whole = uses.Whole && r.knowsUses(i)
		row, err := t.FindRow(func() (cbhdb.Uses, error) { return uses, nil })
		if err != nil {
			return err
		}
		if r.unsettled[i] = len(row.Doubtful) > 0; !r.unsettled[i] {
			err = r.straightenEntities(t, &row, &uses)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// straightenEntities brings the records of an entity file into step.
func (r *Repair) straightenEntities(t *cbhdb.Table, row *cbhdb.EntityRow, uses *cbhdb.Uses) error {
	ext, size := t.Kind.Ext, t.RecordSize()
	for i := len(row.Repeated) - 1; i >= 0; i-- {
		slot := int32(row.Repeated[i] - 1)
		r.change(recordCount, ext, int64(slot), t.Offset(slot), "", "the record before it again, after which all others stood one place too far back; removed")
		if err := r.remove(ext, t.Offset(slot), size); err != nil {
			return err
		}
	}
	if n := len(row.Gaps); n > 0 && row.Gaps[0] <= int(t.Count) {
		for _, number := range row.Gaps {
			id := int32(number - 1)
			r.change(recordCount, ext, int64(id), t.Offset(id), "", "missing, so that all behind it stood one place too far to the front; made without a name")
			if err := r.insert(ext, t.Offset(id), blankEntity(t.Kind, uses, id)); err != nil {
				return err
			}
		}
	}
	if row.Swapped == [2]int{} {
		return nil
	}
	one, other := int32(row.Swapped[0]-1), int32(row.Swapped[1]-1)
	for _, id := range []int32{one, other} {
		r.change(cbhdb.TreeCodes[avl.Disorder], ext, int64(id), t.Offset(id), "", "exchanged with record %d, where its links and its key fit", one+other-id)
	}
	return r.exchange(ext, t.Offset(one), t.Offset(other), size)
}

// blankEntity returns a record without a name, deleted if nobody is known to refer
// to it.
func blankEntity(kind *cbh.EntityFile, uses *cbhdb.Uses, id int32) []byte {
	b := make([]byte, kind.RecordSize())
	links := cbh.EntityLinks{Left: cbh.DeletedLink, Right: cbh.NoLink}
	if use := uses.Found[id]; use.Count > 0 || !uses.Whole {
		links.Left = cbh.NoLink
		use.Put(b)
	}
	links.Append(b[:0])
	return b
}

// number returns the number of the game or text whose header is at an id.
func (r *Repair) number(id model.RecordID) int64 { return int64(r.rows.Heads.Number(int(id))) }
