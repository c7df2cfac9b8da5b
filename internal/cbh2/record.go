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

// What follows stores a field, or reads it unless it is to be put: the fields of a record
// and their places are said once for both directions.

func n8(b []byte, p *uint8, put bool) {
	if put {
		b[0] = *p
	} else {
		*p = b[0]
	}
}

func n16[T int16 | uint16](b []byte, p *T, put bool) {
	if put {
		binary.LittleEndian.PutUint16(b, uint16(*p))
	} else {
		*p = T(binary.LittleEndian.Uint16(b))
	}
}

func n32[T int32 | uint32](b []byte, p *T, put bool) {
	if put {
		binary.LittleEndian.PutUint32(b, uint32(*p))
	} else {
		*p = T(binary.LittleEndian.Uint32(b))
	}
}

func n64(b []byte, p *int64, put bool) {
	if put {
		binary.LittleEndian.PutUint64(b, uint64(*p))
	} else {
		*p = int64(binary.LittleEndian.Uint64(b))
	}
}

// raw stores bytes as they are.
func raw(b, p []byte, put bool) {
	if put {
		copy(b, p)
	} else {
		copy(p, b)
	}
}

// fields are those of a rating.
func (t *RatingType) fields(b *[14]byte, put bool) {
	n16(b[0:], &t.Kind, put)
	n16(b[2:], &t.List, put)
	n16(b[4:], &t.Nation, put)
	raw(b[6:], t.Name[:], put)
}

// fields are those of a record behind its first eight bytes.
func (r *Record) fields(b *[RecordSize]byte, put bool) {
	n64(b[8:], &r.Moves, put)
	switch r.Kind {
	case TextRecord:
		n64(b[16:], &r.Tournament, put)
		n64(b[24:], &r.Source, put)
		n64(b[32:], &r.Annotator, put)
		n64(b[40:], &r.Tag, put)
		n64(b[48:], &r.Created, put)
		n64(b[56:], &r.Media, put)
		version := int64(r.Version)
		n64(b[64:], &version, put)
		r.Version = int32(version)
		return
	case AnalysisRecord:
		n64(b[16:], &r.Annotations, put)
		n64(b[24:], &r.Tag, put)
		n64(b[32:], &r.Source, put)
		n64(b[40:], &r.Annotator, put)
		raw(b[48:], r.Unknown[:], put)
		return
	}
	n64(b[16:], &r.Annotations, put)
	n64(b[24:], &r.White, put)
	n64(b[32:], &r.Black, put)
	n64(b[40:], &r.Tournament, put)
	n64(b[48:], &r.Annotator, put)
	n64(b[56:], &r.Source, put)
	n64(b[64:], &r.WhiteTeam, put)
	n64(b[72:], &r.BlackTeam, put)
	n64(b[80:], &r.Tag, put)
	n8(b[88:], &r.Result, put)
	n8(b[89:], &r.Line, put)
	n16(b[90:], &r.Round, put)
	n16(b[92:], &r.Sub, put)
	n16(b[94:], &r.Board, put)
	n16(b[96:], &r.WhiteElo, put)
	r.WhiteType.fields((*[14]byte)(b[98:]), put)
	n16(b[112:], &r.BlackElo, put)
	r.BlackType.fields((*[14]byte)(b[114:]), put)
	n16(b[128:], &r.ECO, put)
	n16(b[130:], &r.Medals, put)
	n32(b[132:], &r.Flags, put)
	n16(b[136:], &r.Sizes, put)
	n16(b[138:], &r.FullMoves, put)
	n32(b[140:], &r.Material[0], put)
	n32(b[144:], &r.Material[1], put)
	n64(b[152:], &r.Created, put)
	n64(b[160:], &r.Changed, put)
	raw(b[168:], r.Endings[:], put)
	raw(b[176:], r.Scores[:], put)
	n32(b[184:], &r.Version, put)
	n32(b[188:], &r.Date, put)
}

// Decode reads a record of RecordSize bytes. A record of an unknown kind wraps
// [model.ErrUnsupported].
func (r *Record) Decode(b []byte) error {
	if len(b) < RecordSize {
		*r = Record{}
		return wrong(len(b), "record", model.ErrTruncated, "%d bytes of %d", len(b), RecordSize)
	}
	kind, deleted := KindOf(b)
	if r.Kind != GameRecord || kind != GameRecord { // a game has all fields that the last one had
		*r = Record{}
	}
	if r.Kind, r.Deleted = kind, deleted; kind == NoRecord {
		return wrong(0, "kind", model.ErrUnsupported, "% x is no game, text or analysis", b[:4])
	}
	r.fields((*[RecordSize]byte)(b), false)
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
	r.fields(&b, true)
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
