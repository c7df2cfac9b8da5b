package cbh

import (
	"bytes"
	"fmt"
	"strconv"

	"cbkit/internal/brief"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Sizes in a .cbm file.
const (
	MediaHeaderSize = 32
	// MediaRecordSize is the size of a record in all files seen.
	MediaRecordSize = 1024
	// maxMediaRecordSize is far beyond it.
	maxMediaRecordSize = 1 << 16
	// mediaTextAt is where the text of a record begins.
	mediaTextAt = 8
)

// MediaHeader is the first 32 bytes of a .cbm file, little-endian:
//
//	0 1 i32 | record size i32 | records i32 | -1 i32 | 16 bytes of garbage
//
// Source: docs/formats/cbh-entities.md 12.
type MediaHeader struct {
	Version    int32
	RecordSize int32
	Records    int32
	Unknown12  int32
	Garbage    [16]byte
}

// NewMediaHeader returns the header of an empty file.
func NewMediaHeader() MediaHeader {
	return MediaHeader{Version: 1, RecordSize: MediaRecordSize, Unknown12: -1}
}

// DecodeMediaHeader reads the first 32 bytes of b. It fails with
// model.ErrNotDatabase if the record size or the number of records is
// impossible.
func DecodeMediaHeader(b []byte) (MediaHeader, error) {
	c := wire.NewCursor(b)
	h := MediaHeader{Version: c.I32LE(), RecordSize: c.I32LE(), Records: c.I32LE(), Unknown12: c.I32LE()}
	copy(h.Garbage[:], c.Bytes(len(h.Garbage)))
	switch {
	case c.Err() != nil:
	case h.RecordSize < mediaTextAt || h.RecordSize > maxMediaRecordSize:
		return h, fail(4, "record size", fmt.Errorf("%d: %w", h.RecordSize, model.ErrNotDatabase))
	case h.Records < 0:
		return h, fail(8, "records", fmt.Errorf("%d: %w", h.Records, model.ErrNotDatabase))
	}
	return h, c.Err()
}

// Append appends the 32 bytes of the header.
func (h *MediaHeader) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, h.Version)
	dst = wire.AppendI32LE(dst, h.RecordSize)
	dst = wire.AppendI32LE(dst, h.Records)
	dst = wire.AppendI32LE(dst, h.Unknown12)
	return append(dst, h.Garbage[:]...)
}

// MediaRecord is a list in a .cbm file, little-endian: the names of the media
// files that a guiding text uses, in lines that end with LF.
//
//	0 -1 i32 | records of this list i32 | "FilesUsed\n<n>\n<name 1>\n…" | 00 …
//
// A list that is longer than a record goes on in the next ones, which have no
// head of their own. A record may be all zero. Source: docs/formats/cbh-entities.md 12;
// that nothing comes between the parts of a long list is not verified.
type MediaRecord struct {
	Unknown0 int32
	// Records is how many records the list has, 1 in all files seen.
	Records int32
	// Text is all the rest of them.
	Text []byte
}

// DecodeMediaRecord reads a list from all of b, the records that it has. Text
// is part of b.
func DecodeMediaRecord(b []byte) (MediaRecord, error) {
	c := wire.NewCursor(b)
	r := MediaRecord{Unknown0: c.I32LE(), Records: c.I32LE()}
	r.Text = c.Rest()
	return r, c.Err()
}

// NewMediaRecord returns the list of names for a file with the given record
// size, in as many records as it takes. Names cannot hold line ends. A list that
// no place in a file could reach is model.ErrTooLarge.
func NewMediaRecord(names []string, recordSize int, cp CodePage) (MediaRecord, error) {
	text := fmt.Appendf(nil, "%s%d\n", mediaTitle, len(names))
	for _, name := range names {
		b := cp.Encode(name)
		if bytes.ContainsAny(b, "\x00\n") {
			return MediaRecord{}, fmt.Errorf("the name of a media file, %q, has a line end: %w", brief.Text(name), model.ErrUnsupported)
		}
		text = append(append(text, b...), '\n')
	}
	if len(text) > MaxMediaPlace-recordSize {
		return MediaRecord{}, fmt.Errorf("%d bytes of names of media files: %w", len(text), model.ErrTooLarge)
	}
	records := (mediaTextAt + len(text) + recordSize - 1) / recordSize
	room := records*recordSize - mediaTextAt
	return MediaRecord{Unknown0: -1, Records: int32(records), Text: wire.AppendZeros(text, room-len(text))}, nil
}

// mediaTitle begins every list.
const mediaTitle = "FilesUsed\n"

// Names returns the names of the files. A record that holds no list, as one of
// zeros, has none; ok is false if it holds something else.
func (r *MediaRecord) Names(cp CodePage) (names []string, ok bool) {
	text := beforeNUL(r.Text)
	if len(text) == 0 {
		return nil, true
	}
	rest, found := bytes.CutPrefix(text, []byte(mediaTitle))
	count, rest, ended := bytes.Cut(rest, []byte("\n"))
	n, err := strconv.Atoi(string(count))
	if !found || !ended || err != nil || n < 0 {
		return nil, false
	}
	for line := range bytes.Lines(rest) {
		names = append(names, cp.Decode(bytes.TrimSuffix(line, []byte("\n"))))
	}
	return names, len(names) == n
}

// Append appends the bytes of all records of the list.
func (r *MediaRecord) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, r.Unknown0)
	dst = wire.AppendI32LE(dst, r.Records)
	return append(dst, r.Text...)
}

// MediaOffset returns the place of the text of record number i, from 0: what
// [ExtRecord.Media] says.
func MediaOffset(i, recordSize int) int64 {
	return MediaHeaderSize + int64(i)*int64(recordSize) + mediaTextAt
}

// MediaIndex is the inverse of MediaOffset; ok is false for a place where no
// text begins.
func MediaIndex(offset int64, recordSize int) (i int, ok bool) {
	at := offset - MediaHeaderSize - mediaTextAt
	if at < 0 || recordSize <= 0 || at%int64(recordSize) != 0 {
		return 0, false
	}
	return int(at / int64(recordSize)), true
}

// MediaFile is a whole .cbm file: the lists of media files that the guiding
// texts of a database use. The zero value is no file; NewMediaFile makes an
// empty one.
type MediaFile struct {
	Header  MediaHeader
	records []byte // of the file it was read from
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

// listAt returns the list at a place of the file as [ExtRecord.Media] gives it, and its
// bytes; nothing where no list is.
func (m *MediaFile) listAt(place int32) (list MediaRecord, raw []byte) {
	if i, ok := MediaIndex(int64(place), int(m.Header.RecordSize)); ok && i < m.Len() {
		list, raw, _, _ = m.List(i) // what is cut has no names
	}
	return list, raw
}

// Size returns how many bytes the list at a place has, 0 where no list is.
func (m *MediaFile) Size(place int32) int {
	_, raw := m.listAt(place)
	return len(raw)
}

// Names returns the names in the list at a place. Where no list is there are none.
func (m *MediaFile) Names(place int32, cp CodePage) []string {
	list, _ := m.listAt(place)
	names, _ := list.Names(cp) // a record that is no list has no names
	return names
}

// NoMedia is the place of no list.
const NoMedia int32 = -1

// MaxMediaPlace is the last place that fits into a record.
const MaxMediaPlace = 1<<31 - 1
