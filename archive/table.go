package archive

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// Sizes and constants of the header and the table (docs/formats/cbv.md 1, 2).
const (
	headerSize    = 8
	recordSize    = 173
	oldRecordSize = 149 // without the 64-bit fields
	version       = 3
	recordMark    = 1 // the byte at 140, in every archive seen
	maxMembers    = math.MaxUint16
)

// Places in a record of the table, in bytes.
const (
	atOffset   = 128
	atPacked   = 132
	atSize     = 136
	atMark     = 140
	atDate     = 141
	atTime     = 145
	atOffset64 = 149
	atPacked64 = 157
	atSize64   = 165
)

// header is the first eight bytes.
type header struct {
	members    int
	recordSize int
	version    int
}

// errNoHeader: the file is something else, or enciphered.
var errNoHeader = fmt.Errorf("%w: it does not begin like an archive", model.ErrNotDatabase)

// parseHeader reads the header. Its errors wrap model.ErrNotDatabase or, for an
// archive of a later kind, model.ErrUnsupported.
func parseHeader(b []byte) (header, error) {
	word := func(at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }
	h := header{members: word(2), recordSize: word(4), version: word(6)}
	switch {
	case word(0) != headerSize, h.recordSize != recordSize && h.recordSize != oldRecordSize, h.version > math.MaxUint8:
		return h, errNoHeader
	case h.version > version:
		return h, fmt.Errorf("%w: version %d of the format", model.ErrUnsupported, h.version)
	}
	return h, nil
}

// append writes the header.
func (h header) append(b []byte) []byte {
	for _, word := range []int{headerSize, h.members, h.recordSize, h.version} {
		b = binary.LittleEndian.AppendUint16(b, uint16(word))
	}
	return b
}

// tableEnd is where the table ends, in bytes from the start.
func (h header) tableEnd() int64 { return headerSize + int64(h.members)*int64(h.recordSize) }

// entry is a record of the table.
type entry struct {
	name                 string // with slashes
	offset, packed, size int64
	mark                 byte
	stamp                Stamp
}

// Errors of a record of the table.
var (
	errCopies   = corrupt("the two copies differ")
	errTooLarge = corrupt("the number is too large")
)

// fieldError says which field of a record is wrong.
type fieldError struct {
	field string
	at    int // in the record
	err   error
}

// Error implements error.
func (e *fieldError) Error() string { return e.field + ": " + e.err.Error() }

// parseEntry reads a record, which has the size of the header. Its errors are
// *fieldError; with one, what could be read is there all the same.
func parseEntry(b []byte, page cbh.CodePage) (e entry, err error) {
	e.mark = b[atMark]
	e.stamp = Stamp{binary.LittleEndian.Uint32(b[atDate:]), binary.LittleEndian.Uint32(b[atTime:])}
	var nameErr error
	if e.name, nameErr = decodeName(b[:nameSize], page); nameErr != nil {
		err = &fieldError{"name", 0, nameErr}
	}
	for _, f := range []struct {
		name       string
		to         *int64
		at32, at64 int
	}{
		{"offset", &e.offset, atOffset, atOffset64},
		{"packed size", &e.packed, atPacked, atPacked64},
		{"size", &e.size, atSize, atSize64},
	} {
		value, wrong := parseSize(b, f.at32, f.at64)
		if *f.to = value; wrong != nil && err == nil {
			err = &fieldError{f.name, f.at32, wrong}
		}
	}
	return e, err
}

// parseSize reads a number that a record holds twice, with 32 bits and with 64;
// old records have the first alone. Beyond 4 GiB the second counts.
func parseSize(b []byte, at32, at64 int) (int64, error) {
	short := uint64(binary.LittleEndian.Uint32(b[at32:]))
	if len(b) < recordSize {
		return int64(short), nil
	}
	long := binary.LittleEndian.Uint64(b[at64:])
	switch {
	case long > math.MaxInt64:
		return 0, errTooLarge
	case long <= math.MaxUint32 && long != short:
		return 0, fmt.Errorf("%w: %d and %d", errCopies, short, long)
	}
	return int64(long), nil
}

// append writes a record as new archives have it. Beyond 4 GiB the 32-bit
// fields have the low bits of the numbers.
func (e *entry) append(b []byte, page cbh.CodePage) ([]byte, error) {
	name, err := encodeName(e.name, page)
	if err != nil {
		return nil, err
	}
	b = append(b, name...)
	b = append(b, make([]byte, nameSize-len(name))...)
	sizes := []int64{e.offset, e.packed, e.size}
	for _, n := range sizes {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, e.mark)
	b = binary.LittleEndian.AppendUint32(b, e.stamp.Date)
	b = binary.LittleEndian.AppendUint32(b, e.stamp.Time)
	for _, n := range sizes {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b, nil
}

// Stamp is the date and time of a file as archives hold them: two decimal
// numbers, in local time (docs/formats/cbv.md 2).
type Stamp struct {
	// Date is yyyymmdd: 20160801 is 1 August 2016.
	Date uint32
	// Time is hhmmsscc, with hundredths of a second: 19172771 is 19:17:27.71.
	Time uint32
}

// hundredth is the unit of time in archives.
const hundredth = 10 * time.Millisecond

// StampOf returns the stamp of a moment, rounded to the nearest hundredth of a
// second, in the zone of t. A moment before the year 1 or after 9999 has the
// zero stamp.
func StampOf(t time.Time) Stamp {
	t = t.Round(hundredth)
	year, month, day := t.Date()
	if year < 1 || year > 9999 {
		return Stamp{}
	}
	hour, minute, second := t.Clock()
	return Stamp{
		Date: uint32(year*10_000 + int(month)*100 + day),
		Time: uint32(hour*1_000_000+minute*10_000+second*100) + uint32(t.Nanosecond()/int(hundredth)),
	}
}

// In returns the moment in a zone; ok is false if the numbers are no date or no
// time, such as 30 February.
func (s Stamp) In(zone *time.Location) (t time.Time, ok bool) {
	year, month, day := int(s.Date/10_000), time.Month(s.Date/100%100), int(s.Date%100)
	hour, minute := int(s.Time/1_000_000), int(s.Time/10_000%100)
	second, part := int(s.Time/100%100), int(s.Time%100)
	if year < 1 || year > 9999 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	// The date alone, because a zone may skip an hour of it.
	noon := time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
	if y, m, d := noon.Date(); y != year || m != month || d != day {
		return time.Time{}, false
	}
	return time.Date(year, month, day, hour, minute, second, part*int(hundredth), zone), true
}

// Valid reports whether the numbers are a date and a time.
func (s Stamp) Valid() bool { _, ok := s.In(time.UTC); return ok }
