package check

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
func (m *mender) mendRows(context.Context) error {
	if m.headers == nil {
		return nil
	}
	headers := m.headers.Headers(nil, dbfile.FarAhead)
	headerRows := cbhdb.RowFile{Count: int(m.count), At: func(slot int) ([]byte, error) {
		h, err := headers.At(model.RecordID(slot))
		return h.Head, err
	}}
	extensionRows := cbhdb.RowFile{}
	if m.extensions != nil {
		window := dbfile.NewWindow(m.extensions.File, dbfile.FarAhead)
		extensionRows = cbhdb.RowFile{Count: int(min(m.extensions.Stored, cbh.MaxRecords)), At: func(slot int) ([]byte, error) {
			return window.At(m.extensions.Offset(model.RecordID(slot)), int64(m.extensions.Head.RecordSize))
		}}
	}
	rows, err := cbhdb.FindRows(headerRows, extensionRows, int(m.headers.Head.Next)-1)
	if err != nil || rows.AreStraight() {
		return err
	}
	if len(rows.Headers.Gaps) > 0 || len(rows.Extensions.Gaps) > 0 {
		m.rows, m.extensions, m.whole = rows, nil, m.whole && len(rows.Headers.Gaps) == 0
		return nil
	}
	err = m.straighten(codeRecordCount, ".cbh", &rows.Headers, cbh.RecordSize, func(slot int) int64 { return m.headers.Offset(model.RecordID(slot)) })
	if err != nil || m.extensions == nil {
		return err
	}
	return m.straighten(codeExtCount, ".cbj", &rows.Extensions, int64(m.extensions.Head.RecordSize), func(slot int) int64 { return m.extensions.Offset(model.RecordID(slot)) })
}

// straighten brings the records of one file into step.
func (m *mender) straighten(code *Code, ext string, row *cbhdb.Row, size int64, offset func(slot int) int64) error {
	m.removeTwins(code, ext, row, size, 0, offset)
	if row.Swapped == [2]int{} {
		return nil
	}
	one, other := offset(row.Swapped[0]), offset(row.Swapped[1])
	edits, err := m.exchange(ext, one, other, size)
	if err == nil {
		m.fix(codeDescending, inRecord(ext, row.Swapped[0], one, ""), edits,
			"exchanged with record %d, whose places the other file has here", row.Swapped[1])
	}
	return err
}

// removeTwins takes the records of a file away that are there a second time. The first
// of all has the number 1 in a row, and another one in its file.
func (m *mender) removeTwins(code *Code, ext string, row *cbhdb.Row, size int64, first int, offset func(slot int) int64) {
	for i := len(row.Repeated) - 1; i >= 0; i-- {
		at := offset(row.Repeated[i])
		m.fix(code, inRecord(ext, row.Repeated[i]+first, at, ""), []Edit{{File: m.set.Name(ext), At: at, Old: size}},
			"the record before it again, after which all others stood one place too far back; removed")
	}
}

// exchange exchanges two records of a file.
func (m *mender) exchange(ext string, one, other, size int64) ([]Edit, error) {
	a, err := m.files[ext].Bytes(nil, one, size)
	if err != nil {
		return nil, err
	}
	b, err := m.files[ext].Bytes(nil, other, size)
	return []Edit{m.put(ext, one, b), m.put(ext, other, a)}, err
}

// mendEntityRows brings the records of the entity files into step with their ids. One
// that is missing is made again without its name, so that all others have theirs. If
// it is not known how they stand, all is left.
func (m *mender) mendEntityRows(ctx context.Context) error {
	for i, kind := range cbh.EntityFiles {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := m.entities(kind)
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		t, err := e.Load()
		if err != nil {
			return err
		}
		uses := m.uses[i]
		uses.Whole = uses.Whole && m.knowsUses(i)
		row, err := t.FindRow(func() (cbhdb.Uses, error) { return uses, nil })
		if err != nil {
			return err
		}
		if m.unsettled[i] = len(row.Uncertain) > 0; m.unsettled[i] {
			continue
		}
		ext, size := kind.Ext, t.RecordSize()
		m.removeTwins(codeRecordCount, ext, &row.Row, size, -1, func(slot int) int64 { return t.Offset(int32(slot - 1)) })
		if n := len(row.Gaps); n > 0 && row.Gaps[0] <= int(t.Count) {
			for _, number := range row.Gaps {
				id := int32(number - 1)
				// It is deleted if no record is known to refer to it.
				blank, links := make([]byte, kind.RecordSize()), cbh.EntityLinks{Left: cbh.DeletedLink, Right: cbh.NoLink}
				if use := uses.Found[id]; use.Count > 0 || !uses.Whole {
					links.Left = cbh.NoLink
					use.Put(blank)
				}
				links.Append(blank[:0])
				m.fix(codeRecordCount, inRecord(ext, id, t.Offset(id),
					""), []Edit{{File: m.set.Name(ext), At: t.Offset(id), New: blank}},
					"missing, so that all behind it stood one place too far to the front; made without a name")
			}
		}
		if row.Swapped == [2]int{} {
			continue
		}
		one, other := int32(row.Swapped[0]-1), int32(row.Swapped[1]-1)
		edits, err := m.exchange(ext, t.Offset(one), t.Offset(other), size)
		if err != nil {
			return err
		}
		for _, id := range []int32{one, other} {
			m.fix(codeTreeOrder, inRecord(ext, id, t.Offset(id), ""), edits,
				"exchanged with record %d, where its links and its key fit", one+other-id)
		}
	}
	return nil
}
