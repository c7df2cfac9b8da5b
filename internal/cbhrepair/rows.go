package cbhrepair

import (
	"context"

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

// number returns the number of the game or text whose header is at an id.
func (r *Repair) number(id model.RecordID) int64 { return int64(r.rows.Heads.Number(int(id))) }
