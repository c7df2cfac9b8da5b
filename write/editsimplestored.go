package write

import (
	"errors"
	"fmt"

	"cbkit/internal/dcdb"
	"cbkit/internal/journal"
	"cbkit/model"
)

// simpleNames is a file of names that grows.
type simpleNames struct {
	file  *journal.File
	table *nameTable
	size  int // of the records in the file
	known bool
}

// load reads the names, unless they are known.
func (n *simpleNames) load() error {
	if n.known {
		return nil
	}
	n.known, n.size = true, 0
	n.table.places = map[dcdb.Name]uint32{}
	if !n.file.Exists() {
		return nil
	}
	records := make([]byte, n.file.Size()-dcdb.MagicSize)
	if _, err := n.file.ReadAt(records, dcdb.MagicSize); err != nil {
		return err
	}
	n.size = len(records)
	for len(records)%dcdb.NameSize != 0 { // readers take a short last name with blanks behind it
		records = append(records, ' ')
	}
	n.table.fill(records)
	return nil
}

// finish writes the names that came.
func (n *simpleNames) finish() (added int, err error) {
	if !n.known || len(n.table.records) == n.size || !n.file.Exists() {
		return 0, nil
	}
	added = len(n.table.records)/dcdb.NameSize - (n.size+dcdb.NameSize-1)/dcdb.NameSize
	if added == 0 {
		return 0, nil
	}
	_, err = n.file.WriteAt(n.table.records[n.size:], dcdb.MagicSize+int64(n.size))
	return added, err
}

// entryPlace is where an index entry begins.
func (ed *SimpleEditor) entryPlace(id model.RecordID) int64 {
	return int64(ed.layout.HeaderSize()) + int64(id-1)*int64(ed.layout.EntrySize())
}

// putEntry writes the index entry.
func (ed *SimpleEditor) putEntry(id model.RecordID) error {
	ed.head = ed.layout.AppendEntry(ed.head[:0], &ed.entry)
	_, err := ed.index.WriteAt(ed.head, ed.entryPlace(id))
	return err
}

// entryOf reads an index entry.
func (ed *SimpleEditor) entryOf(id model.RecordID) (dcdb.Entry, error) {
	if id < 1 || id > ed.count {
		return dcdb.Entry{}, fmt.Errorf("%s: record %d: %w; there are %d", ed.index.Name(), id, model.ErrNoRecord, ed.count)
	}
	raw := make([]byte, ed.layout.EntrySize())
	if _, err := ed.index.ReadAt(raw, ed.entryPlace(id)); err != nil {
		return dcdb.Entry{}, err
	}
	return ed.layout.DecodeEntry(raw), nil
}

// extentOf returns where the record of a game lies, without its length.
func (ed *SimpleEditor) extentOf(id model.RecordID, e *dcdb.Entry) (at, size int64, err error) {
	wrong := func(kind error, format string, args ...any) error {
		return &model.FormatError{File: ed.games.Name(), Offset: int64(e.Offset), Record: int64(id), Field: "game",
			Err: fmt.Errorf("%w: "+format, append([]any{kind}, args...)...)}
	}
	end := ed.games.Size()
	if e.Offset < dcdb.MagicSize || e.Offset >= uint64(end) {
		return 0, 0, wrong(model.ErrCorrupt, "its place is not inside the file, which has %d bytes", end)
	}
	at = int64(e.Offset)
	head := make([]byte, min(dcdb.MaxLengthSize, end-at))
	if _, err := ed.games.ReadAt(head, at); err != nil {
		return 0, 0, err
	}
	n, digits := dcdb.DecodeLength(head)
	if digits == 0 {
		return 0, 0, wrong(model.ErrCorrupt, "%02x begins no length", head[0])
	}
	if at += int64(digits); int64(n) > end-at {
		return 0, 0, wrong(model.ErrTruncated, "%d bytes are announced, the file has %d", n, end-at)
	}
	return at, int64(n), nil
}

// bodyOf reads the record of a game, without its length.
func (ed *SimpleEditor) bodyOf(id model.RecordID, e *dcdb.Entry) ([]byte, error) {
	at, size, err := ed.extentOf(id, e)
	if err != nil || size == 0 {
		return nil, err
	}
	body := make([]byte, size)
	_, err = ed.games.ReadAt(body, at)
	return body, err
}

// sniff finds out how the database numbers promotions, as readers do: the first
// games say, else the layout.
func (ed *SimpleEditor) sniff() error {
	if ed.sniffed {
		return nil
	}
	ed.sniffed = true
	ed.encoder.Promotions = ed.layout.Promotions()
	for id := model.RecordID(1); id <= min(ed.count, dcdb.PromotionSample); id++ {
		e, err := ed.entryOf(id)
		if err != nil {
			return err
		}
		body, err := ed.bodyOf(id, &e)
		if err != nil {
			if errors.As(err, new(*model.FormatError)) {
				continue // damaged ones are passed over
			}
			return err
		}
		switch dcdb.SeenPromotions(body) {
		case dcdb.FromTwo:
			ed.encoder.Promotions = dcdb.FromTwo
			return nil
		case dcdb.FromOne:
			ed.encoder.Promotions = dcdb.FromOne
		}
	}
	return nil
}
