package cbh2

import (
	"encoding/binary"

	"cbkit/internal/wire"
	"cbkit/model"
)

// RecordSize is the size of the header of .2cbh, and of each record, in bytes.
const RecordSize = 192

// Header is the header of .2cbh.
type Header struct {
	Unknown08  uint16 // 38 in version 5, 34 in version 3
	RecordSize uint16
	Version    uint8
	NextID     int32 // of the record that will be made next
}

// DecodeHeader reads the first 20 bytes of the file.
func DecodeHeader(b []byte) (h Header, err error) {
	c := wire.NewCursor(b)
	c.Skip(8)
	h.Unknown08, h.RecordSize = c.U16LE(), c.U16LE()
	c.Skip(1)
	h.Version = c.U8()
	c.Skip(2)
	h.NextID = c.I32LE()
	return h, c.Err()
}

// Append appends the header.
func (h Header) Append(dst []byte) []byte {
	dst = wire.AppendU16LE(wire.AppendU16LE(wire.AppendZeros(dst, 8), h.Unknown08), h.RecordSize)
	dst = wire.AppendU32LE(append(dst, 0, h.Version, 0, 0), uint32(h.NextID))
	return wire.AppendZeros(dst, RecordSize-20)
}

// Version is that of the files that are known best; 3 is read like it.
const Version = 5

// Check says what is wrong with the header of a file of which so many bytes were read.
func (h Header) Check(read int) error {
	switch {
	case read < RecordSize:
		return wrong(0, "", model.ErrTruncated, "%d bytes are no header", read)
	case h.RecordSize != RecordSize:
		return wrong(10, "record size", model.ErrNotDatabase, "%d bytes, not %d", h.RecordSize, RecordSize)
	case h.Version != Version && h.Version != 3:
		return wrong(13, "version", model.ErrUnsupported, "%d; versions 5 and 3 are known", h.Version)
	}
	return nil
}

// RecordKind is what a record is.
type RecordKind uint8

// The kinds of records.
const (
	NoRecord RecordKind = iota // unknown
	GameRecord
	TextRecord
	AnalysisRecord
)

// KindOf returns the kind of a record and whether it is deleted, from its first bytes.
//
//	00  1  bit 0 always 1; bit 1 guiding text; bit 7 deleted
//	01  1  0
//	02  1  1 game or text, 2 analysis
//	03  1  the first without bit 7
//	04  4  0
func KindOf(b []byte) (kind RecordKind, deleted bool) {
	deleted = b[0]&0x80 != 0
	switch {
	case b[2] == 2:
		return AnalysisRecord, deleted
	case b[2] == 1 && b[0]&2 != 0:
		return TextRecord, deleted
	case b[2] == 1:
		return GameRecord, deleted
	}
	return NoRecord, deleted
}

// NoID is the absence of a team.
const NoID = -1

// Record is a header record: fields that its kind does not have are zero.
type Record struct {
	Kind               RecordKind
	Deleted            bool
	Moves, Annotations int64 // places in .2cbg and .2cba; of a text in .2cbg alone
	// White, Black, Annotator (also the author of a text or an analysis) are players.
	White, Black, Annotator int64
	Tournament, Source      int64
	WhiteTeam, BlackTeam    int64
	Tag                     int64 // the title

	Result               uint8
	Line                 uint8 // the evaluation where the result is 3
	Round, Sub, Board    int16
	WhiteElo, BlackElo   int16
	WhiteType, BlackType RatingType
	ECO                  uint16 // or, from Chess960ECO on, a position of Chess960
	Medals               uint16
	Flags                uint32
	Sizes                uint16
	FullMoves            int16
	Material             [2]uint32 // at the end, the larger number first
	Created, Changed     int64
	Endings              [6]byte
	Scores               [6]byte
	Version              int32
	Date                 uint32
	Media                int64    // of a text
	Unknown              [40]byte // of an analysis
}

// Chess960ECO is the code of the first position of Chess960.
const Chess960ECO = 64576

// A RatingType says what a rating is of.
type RatingType struct {
	Kind   int16 // low three bits: 1 international, 2 national, 3 server; the rest the time control
	List   int16
	Nation int16
	Name   [8]byte
}

// A layout goes through the fields of a record in their order, once for both
// directions: it reads them from b or, if it puts, writes them there.
type layout struct {
	b   []byte // the record
	at  int    // of the next field
	put bool
}

// next returns the bytes of the next field.
func (l *layout) next(n int) (b []byte) {
	b, l.at = l.b[l.at:l.at+n], l.at+n
	return b
}

func (l *layout) u8(p *uint8) {
	if b := l.next(1); l.put {
		b[0] = *p
	} else {
		*p = b[0]
	}
}

func (l *layout) u16(p *uint16) {
	if b := l.next(2); l.put {
		binary.LittleEndian.PutUint16(b, *p)
	} else {
		*p = binary.LittleEndian.Uint16(b)
	}
}

func (l *layout) u32(p *uint32) {
	if b := l.next(4); l.put {
		binary.LittleEndian.PutUint32(b, *p)
	} else {
		*p = binary.LittleEndian.Uint32(b)
	}
}

func (l *layout) i16(p *int16) {
	v := uint16(*p)
	l.u16(&v)
	*p = int16(v)
}

func (l *layout) i64(p *int64) {
	if b := l.next(8); l.put {
		binary.LittleEndian.PutUint64(b, uint64(*p))
	} else {
		*p = int64(binary.LittleEndian.Uint64(b))
	}
}

// bytes stores bytes as they are.
func (l *layout) bytes(b []byte) {
	if at := l.next(len(b)); l.put {
		copy(at, b)
	} else {
		copy(b, at)
	}
}

// rating stores what a rating is of.
func (l *layout) rating(t *RatingType) {
	l.i16(&t.Kind)
	l.i16(&t.List)
	l.i16(&t.Nation)
	l.bytes(t.Name[:])
}

// fields are those of a record behind its first eight bytes.
func (r *Record) fields(l *layout) {
	l.i64(&r.Moves)
	var ids [9]*int64
	switch r.Kind {
	case TextRecord:
		ids = [9]*int64{&r.Tournament, &r.Source, &r.Annotator, &r.Tag, &r.Created, &r.Media}
	case AnalysisRecord:
		ids = [9]*int64{&r.Annotations, &r.Tag, &r.Source, &r.Annotator}
	default:
		ids = [9]*int64{&r.Annotations, &r.White, &r.Black, &r.Tournament, &r.Annotator, &r.Source, &r.WhiteTeam, &r.BlackTeam, &r.Tag}
	}
	for _, p := range ids {
		if p != nil {
			l.i64(p)
		}
	}
	switch r.Kind {
	case TextRecord:
		v := int64(r.Version)
		l.i64(&v)
		r.Version = int32(v)
		return
	case AnalysisRecord:
		l.bytes(r.Unknown[:])
		return
	}
	l.u8(&r.Result)
	l.u8(&r.Line)
	l.i16(&r.Round)
	l.i16(&r.Sub)
	l.i16(&r.Board)
	l.i16(&r.WhiteElo)
	l.rating(&r.WhiteType)
	l.i16(&r.BlackElo)
	l.rating(&r.BlackType)
	l.u16(&r.ECO)
	l.u16(&r.Medals)
	l.u32(&r.Flags)
	l.u16(&r.Sizes)
	l.i16(&r.FullMoves)
	l.u32(&r.Material[0])
	l.u32(&r.Material[1])
	l.next(4)
	l.i64(&r.Created)
	l.i64(&r.Changed)
	l.bytes(r.Endings[:])
	l.next(2)
	l.bytes(r.Scores[:])
	l.next(2)
	version := uint32(r.Version)
	l.u32(&version)
	r.Version = int32(version)
	l.u32(&r.Date)
}

// Decode reads a record of RecordSize bytes. A record of an unknown kind wraps
// [model.ErrUnsupported].
func (r *Record) Decode(b []byte) error {
	*r = Record{}
	if len(b) < RecordSize {
		return wrong(len(b), "record", model.ErrTruncated, "%d bytes of %d", len(b), RecordSize)
	}
	if r.Kind, r.Deleted = KindOf(b); r.Kind == NoRecord {
		return wrong(0, "kind", model.ErrUnsupported, "% x is no game, text or analysis", b[:4])
	}
	r.fields(&layout{b: b[8:RecordSize]})
	return nil
}

// Append appends the record.
func (r Record) Append(dst []byte) []byte {
	mark, kind := byte(1), byte(1)
	switch r.Kind {
	case TextRecord:
		mark |= 2
	case AnalysisRecord:
		kind = 2
	}
	first := mark
	if r.Deleted {
		first |= 0x80
	}
	b := [RecordSize]byte{0: first, 2: kind, 3: mark}
	r.fields(&layout{b: b[8:], put: true})
	return append(dst, b[:]...)
}

// Chess960 returns the number of the Chess960 position that the code names, -1 if it
// names an opening or nothing.
func (r *Record) Chess960() int {
	if n := int(r.ECO) - Chess960ECO; n >= 0 && n < 960 {
		return n
	}
	return -1
}

// Opening returns the opening, none where the code means nothing.
func (r *Record) Opening() model.ECO {
	if eco := model.ECO(r.ECO); eco.Valid() {
		return eco
	}
	return 0
}

// ResultOf returns a stored result; false for a number that is none.
func (r *Record) ResultOf() (model.Result, bool) {
	if int(r.Result) < len(results) {
		return results[r.Result], true
	}
	return model.NoResult, false
}

// DateOf returns the date of the game.
func (r *Record) DateOf() model.Date { return date(r.Date) }
