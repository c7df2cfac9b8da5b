package cbh

import (
	"cbkit/model"
)

// MediaFile is a whole .cbm file: the lists of media files that the guiding
// texts of a database use. The zero value is no file; NewMediaFile makes an
// empty one.
type MediaFile struct {
	Header  MediaHeader
	records []byte
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
	return &MediaFile{Header: h, records: b[MediaHeaderSize:]}, nil
}

// Len returns the number of whole records.
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
	list, err := NewMediaRecord(names, size, cp)
	if err != nil {
		return NoMedia, err
	}
	whole := m.Len()
	at := MediaOffset(whole, size)
	if at > MaxMediaPlace {
		return NoMedia, model.ErrTooLarge
	}
	m.records = list.Append(m.records[: whole*size : whole*size])
	m.Header.Records = int32(m.Len())
	return int32(at), nil
}

// Append appends the bytes of the file.
func (m *MediaFile) Append(dst []byte) []byte { return append(m.Header.Append(dst), m.records...) }

// NoMedia is the place of no list.
const NoMedia int32 = -1

// MaxMediaPlace is the last place that fits into a record.
const MaxMediaPlace = 1<<31 - 1
