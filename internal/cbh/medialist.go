package cbh

import (
	"bufio"
	"errors"
	"io"

	"cbkit/model"
)

// MediaFile is a whole .cbm file: the lists of media files that the guiding
// texts of a database use. The zero value is no file; NewMediaFile makes an
// empty one.
type MediaFile struct {
	Header  MediaHeader
	records []byte // of the file it was read from
	// added are the texts of new lists, without the zeros behind them; ends
	// says where each ends, and count is the number of all records.
	added []byte
	ends  []int
	count int
}

// NewMediaFile returns a file without lists.
func NewMediaFile() *MediaFile { return &MediaFile{Header: NewMediaHeader()} }

// DecodeMediaFile reads a file from all of b, which it keeps. What follows the
// last whole record is kept too.
func DecodeMediaFile(b []byte) (*MediaFile, error) {
	h, err := DecodeMediaHeader(b)
	if err != nil {
		return nil, err
	}
	records := b[MediaHeaderSize:]
	return &MediaFile{Header: h, records: records, count: len(records) / int(h.RecordSize)}, nil
}

// Len returns the number of whole records that were read.
func (m *MediaFile) Len() int { return len(m.records) / int(m.Header.RecordSize) }

// List returns the list that begins with record number i, from 0 to Len()-1,
// as its bytes and decoded, and the number of the record behind it. A list that
// claims more records than there are ends with the file.
func (m *MediaFile) List(i int) (list MediaRecord, raw []byte, next int, err error) {
	size := int(m.Header.RecordSize)
	list, err = DecodeMediaRecord(m.records[i*size : (i+1)*size])
	if err != nil {
		return list, nil, i + 1, err
	}
	next = i + min(max(int(list.Records), 1), m.Len()-i)
	raw = m.records[i*size : next*size]
	list, err = DecodeMediaRecord(raw)
	return list, raw, next, err
}

// Size returns how many bytes the list at a place has, 0 where no list is.
func (m *MediaFile) Size(place int32) int {
	i, ok := MediaIndex(int64(place), int(m.Header.RecordSize))
	if !ok || i >= m.Len() {
		return 0
	}
	_, raw, _, _ := m.List(i) // what is wrong with a list is its reader's concern
	return len(raw)
}

// Names returns the list at a place of the file as [ExtRecord.Media] gives it.
// Where no list is there are no names.
func (m *MediaFile) Names(place int32, cp CodePage) []string {
	i, ok := MediaIndex(int64(place), int(m.Header.RecordSize))
	if !ok || i >= m.Len() {
		return nil
	}
	list, _, _, err := m.List(i)
	if err != nil {
		return nil
	}
	names, _ := list.Names(cp) // a record that is no list has no names
	return names
}

// Add appends a list and returns its place.
func (m *MediaFile) Add(names []string, cp CodePage) (place int32, err error) {
	size := int(m.Header.RecordSize)
	text, err := mediaText(names, size, cp)
	if err != nil {
		return NoMedia, err
	}
	at := MediaOffset(m.count, size)
	if at > MaxMediaPlace {
		return NoMedia, model.ErrTooLarge
	}
	m.added = append(m.added, text...)
	m.ends = append(m.ends, len(m.added))
	m.count += mediaRecords(len(text), size)
	m.Header.Records = int32(m.count)
	return int32(at), nil
}

// WriteTo writes the bytes of the file. What followed the last whole record
// makes room for new lists.
func (m *MediaFile) WriteTo(w io.Writer) (int64, error) {
	out := &countingWriter{to: bufio.NewWriter(w)}
	out.write(m.Header.Append(nil))
	if len(m.ends) == 0 {
		out.write(m.records)
		return out.finish()
	}
	size := int(m.Header.RecordSize)
	out.write(m.records[:m.Len()*size])
	from := 0
	for _, end := range m.ends {
		list := newMediaRecord(m.added[from:end:end], size)
		out.write(list.Append(nil))
		from = end
	}
	return out.finish()
}

// countingWriter counts what it writes and keeps the first error.
type countingWriter struct {
	to  *bufio.Writer
	n   int64
	err error
}

func (w *countingWriter) write(b []byte) {
	if w.err != nil {
		return
	}
	var n int
	n, w.err = w.to.Write(b)
	w.n += int64(n)
}

func (w *countingWriter) finish() (int64, error) { return w.n, errors.Join(w.err, w.to.Flush()) }

// NoMedia is the place of no list.
const NoMedia int32 = -1

// MaxMediaPlace is the last place that fits into a record.
const MaxMediaPlace = 1<<31 - 1
