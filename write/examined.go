package write

import (
	"cbkit/internal/cbh"
	"cbkit/model"
)

// examinedMarks are the marks of the .flags file on their way to the numbers
// that records have here.
type examinedMarks struct {
	stored  []byte        // the file; nil if there is none
	old     *cbh.Examined // nil if it cannot be read
	here    *cbh.Examined
	records model.RecordID // of the source
	moved   bool           // a record has another number here
}

func newExaminedMarks(stored []byte, records model.RecordID) examinedMarks {
	m := examinedMarks{stored: stored, records: records}
	if m.stored == nil {
		return m
	}
	if old, err := cbh.DecodeExamined(m.stored); err == nil {
		m.old = old
		// As large as it can become, so that it need not grow.
		m.here = &cbh.Examined{BitsPerGame: old.BitsPerGame, Bits: make([]byte, len(old.Bits))}
	}
	return m
}

// put notes that a record of the source has a number here.
func (m *examinedMarks) put(here, there model.RecordID) {
	m.moved = m.moved || here != there
	if m.old == nil {
		return
	}
	if mark := m.old.Get(there); mark != cbh.NotExamined {
		m.here.Set(here, mark)
	}
}

// file returns the file for so many records: the stored one if all have kept
// their numbers. It reports false if the marks are lost.
func (m *examinedMarks) file(records int) (content []byte, ok bool) {
	switch {
	case len(m.stored) == 0 || !m.moved && model.RecordID(records) == m.records:
		return m.stored, true
	case m.old == nil:
		return nil, false
	}
	e := cbh.NewExamined(records)
	copy(e.Bits, m.here.Bits)
	return e.Append(nil), true
}
