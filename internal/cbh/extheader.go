package cbh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"time"

	"cbkit/internal/wire"
	"cbkit/model"
)

// Sizes in a .cbj file.
const (
	ExtHeaderSize = 32
	// ExtRecordSize is the size of a record in the newest version, 11.
	ExtRecordSize = 120
	// maxExtRecordSize is far beyond any version seen. There can be as many
	// records as games, of 46 bytes each, so that the size bounds what a few
	// bytes can demand.
	maxExtRecordSize = 1024
)

// extVersion is the version of .cbj files with records of ExtRecordSize.
const extVersion = 11

// ExtHeader is the first 32 bytes of a .cbj file, little-endian:
//
//	0 version i32 | record size i32 | records i32 | 20 bytes of garbage
//
// The record of game id begins at 32 + (id-1)*size. There may be fewer records
// than games. Source: docs/formats/cbh-entities.md 5.
type ExtHeader struct {
	Version    int32
	RecordSize int32
	Records    int32
	Garbage    [20]byte
}

// ExtSizes are the record sizes of the versions of the .cbj file.
// (docs/formats/cbh-entities.md 5)
var ExtSizes = map[int32]int32{1: 8, 3: 20, 4: 30, 5: 30, 6: 38, 7: 74, 8: 78, extVersion: ExtRecordSize}

// IsKnown reports whether the records have the size of the version, so that all
// their fields are known.
func (h *ExtHeader) IsKnown() bool { return ExtSizes[h.Version] == h.RecordSize }

// NewExtHeader returns the header of an empty file.
func NewExtHeader() ExtHeader { return ExtHeader{Version: extVersion, RecordSize: ExtRecordSize} }

// DecodeExtHeader reads the first 32 bytes of b. It fails with
// model.ErrNotDatabase if the record size is impossible; the version is not
// checked, and the number of records is judged by [ExtHeader.Stored].
func DecodeExtHeader(b []byte) (ExtHeader, error) {
	c := wire.NewCursor(b)
	h := ExtHeader{Version: c.I32LE(), RecordSize: c.I32LE(), Records: c.I32LE()}
	copy(h.Garbage[:], c.Bytes(len(h.Garbage)))
	switch {
	case c.Err() != nil:
	case h.RecordSize < 1 || h.RecordSize > maxExtRecordSize:
		return h, fail(4, "record size", fmt.Errorf("%d: %w", h.RecordSize, model.ErrNotDatabase))
	}
	return h, c.Err()
}

// Append appends the 32 bytes of the header.
func (h *ExtHeader) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, h.Version)
	dst = wire.AppendI32LE(dst, h.RecordSize)
	dst = wire.AppendI32LE(dst, h.Records)
	return append(dst, h.Garbage[:]...)
}

// ExtRecord is the record of a game or guiding text in a .cbj file,
// big-endian. Older versions have its beginning only:
//
//	  0 white team i32 | black team i32            version 1:   8 bytes
//	  8 media i32 | .cba offset u64                version 3:  20
//	 20 material u32 | material u32 | checksum u16 version 4:  30
//	 30 .cbg offset u64                            version 6:  38
//	 38 rating type × 2, 16 bytes each | u32       version 7:  74
//	 74 u32                                        version 8:  78
//	 78 saves u16 | created u64 | endgame u16 × 10
//	108 changed u64 | game title i32               version 11: 120
//
// Source: docs/formats/cbh-entities.md 5.
type ExtRecord struct {
	WhiteTeam, BlackTeam int32 // -1: none
	// Media is the place of the text of a record in the .cbm file, -1: none.
	Media             int32
	AnnotationsOffset uint64 // in the .cba file, all 64 bits
	// Material is what both sides have after the main line, the larger number
	// first.
	Material    [2]uint32
	Checksum    uint16        // see Sum
	MovesOffset uint64        // in the .cbg file, all 64 bits
	RatingTypes [2]RatingType // of White and Black
	Unknown70   uint32
	Unknown74   uint32
	Saves       uint16     // times the game was saved
	Created     uint64     // see CreationTime
	Endgame     [10]uint16 // all 0 in files of ChessBase
	Changed     uint64     // see ChangeTime; 0: never
	GameTitle   int32      // -1: none
	// Tail are the bytes of the record behind the fields above, and where the
	// record ends inside one of them, the beginning of that one.
	Tail []byte
}

// The fields of a record in the .cbj file, as [ExtRecord] has them; older
// versions have the first of them. (docs/formats/cbh-entities.md 5)
var (
	ExtWhiteTeam       = Field{".cbj", "white team", 0, 4, ClassReference, &Teams.EntityFile}
	ExtBlackTeam       = Field{".cbj", "black team", 4, 4, ClassReference, &Teams.EntityFile}
	ExtMedia           = Field{".cbj", "media", 8, 4, ClassPlace, nil}
	ExtAnnotations     = Field{".cbj", "offset in .cba", 12, 8, ClassPlace, nil}
	ExtMaterial        = Field{".cbj", "material", 20, 4, ClassDerived, nil}
	ExtLesserMaterial  = Field{".cbj", "material", 24, 4, ClassDerived, nil}
	ExtChecksum        = Field{".cbj", "checksum", 28, 2, ClassSum, nil}
	ExtMoves           = Field{".cbj", "offset in .cbg", 30, 8, ClassPlace, nil}
	ExtWhiteRatingType = Field{".cbj", "white rating type", 38, 16, ClassKept, nil}
	ExtBlackRatingType = Field{".cbj", "black rating type", 54, 16, ClassKept, nil}
	ExtUnknown70       = Field{".cbj", "unknown, 70", 70, 4, ClassKept, nil}
	ExtUnknown74       = Field{".cbj", "unknown, 74", 74, 4, ClassKept, nil}
	ExtSaves           = Field{".cbj", "save counter", 78, 2, ClassKept, nil}
	ExtCreated         = Field{".cbj", "creation", 80, 8, ClassKept, nil}
	ExtEndgame         = Field{".cbj", "endgame", 88, 20, ClassKept, nil}
	ExtChanged         = Field{".cbj", "last change", 108, 8, ClassKept, nil}
	ExtGameTitle       = Field{".cbj", "game title", 116, 4, ClassReference, &GameTitles.EntityFile}

	ExtFields = Fields{
		&ExtWhiteTeam, &ExtBlackTeam, &ExtMedia, &ExtAnnotations, &ExtMaterial, &ExtLesserMaterial, &ExtChecksum, &ExtMoves,
		&ExtWhiteRatingType, &ExtBlackRatingType, &ExtUnknown70, &ExtUnknown74, &ExtSaves, &ExtCreated, &ExtEndgame,
		&ExtChanged, &ExtGameTitle,
	}
)

// wholeFields returns how many of the first size bytes are whole fields.
func wholeFields(size int) int {
	whole := 0
	for _, f := range ExtFields {
		if f.End() <= size {
			whole = f.End()
		}
	}
	return whole
}

// DefaultExtRecord returns the record that stands for a missing one: no teams,
// no media, no title, all else zero except for the save counter. It is also
// what a new guiding text has.
func DefaultExtRecord() ExtRecord {
	r := ExtRecord{WhiteTeam: -1, BlackTeam: -1, Media: -1, Saves: 1, GameTitle: -1}
	r.Checksum = r.Sum()
	return r
}

// NewExtRecord returns the record of a new game (docs/formats/cbh-entities.md 15).
func NewExtRecord() ExtRecord {
	r := DefaultExtRecord()
	r.RatingTypes = [2]RatingType{FIDERating, FIDERating}
	return r
}

// IsDefault reports whether the record says no more than a missing one would:
// it fills a place. Where the moves and annotations are, the .cbh file says too,
// and the rating types may be those of a new game. No program saves a game
// without a creation stamp where it has room for one.
func (r *ExtRecord) IsDefault() bool {
	want := DefaultExtRecord()
	want.AnnotationsOffset, want.MovesOffset = r.AnnotationsOffset, r.MovesOffset
	want.Checksum = r.Checksum
	if r.Saves == 0 {
		want.Saves = 0
	}
	for i, t := range r.RatingTypes {
		if t == FIDERating {
			want.RatingTypes[i] = t
		}
	}
	same := bytes.Equal(r.Append(nil, ExtRecordSize), want.Append(nil, ExtRecordSize))
	return same && len(bytes.Trim(r.Tail, "\x00")) == 0
}

// defaultExtBytes are the bytes of a default record.
var defaultExtBytes = func() [ExtRecordSize]byte {
	r := DefaultExtRecord()
	return [ExtRecordSize]byte(r.Append(nil, ExtRecordSize))
}()

// DecodeExtRecord reads a record from all of b, whose length is the record
// size of the file. Fields beyond it have the values of DefaultExtRecord. Tail
// is part of b.
func DecodeExtRecord(b []byte) ExtRecord {
	if len(b) == ExtRecordSize {
		return decodeExtFields(b)
	}
	whole := wholeFields(len(b))
	full := defaultExtBytes
	copy(full[:], b[:whole])
	r := decodeExtFields(full[:])
	if whole < len(b) {
		r.Tail = b[whole:]
	}
	return r
}

// decodeExtFields reads the fields of a record of ExtRecordSize.
func decodeExtFields(b []byte) ExtRecord {
	be := binary.BigEndian
	r := ExtRecord{
		WhiteTeam:         int32(be.Uint32(b[0:])),
		BlackTeam:         int32(be.Uint32(b[4:])),
		Media:             int32(be.Uint32(b[8:])),
		AnnotationsOffset: be.Uint64(b[12:]),
		Material:          [2]uint32{be.Uint32(b[20:]), be.Uint32(b[24:])},
		Checksum:          be.Uint16(b[28:]),
		MovesOffset:       be.Uint64(b[30:]),
		RatingTypes:       [2]RatingType{decodeRatingType(b[38:]), decodeRatingType(b[54:])},
		Unknown70:         be.Uint32(b[70:]),
		Unknown74:         be.Uint32(b[74:]),
		Saves:             be.Uint16(b[78:]),
		Created:           be.Uint64(b[80:]),
		Changed:           be.Uint64(b[108:]),
		GameTitle:         int32(be.Uint32(b[116:])),
	}
	for i := range r.Endgame {
		r.Endgame[i] = be.Uint16(b[88+2*i:])
	}
	return r
}

// Append appends the record in size bytes: the fields that fit, then as much of
// Tail as there is room for, then zeros.
func (r *ExtRecord) Append(dst []byte, size int) []byte {
	start := len(dst)
	dst = wire.AppendI32BE(dst, r.WhiteTeam)
	dst = wire.AppendI32BE(dst, r.BlackTeam)
	dst = wire.AppendI32BE(dst, r.Media)
	dst = wire.AppendU64BE(dst, r.AnnotationsOffset)
	dst = wire.AppendU32BE(dst, r.Material[0])
	dst = wire.AppendU32BE(dst, r.Material[1])
	dst = wire.AppendU16BE(dst, r.Checksum)
	dst = wire.AppendU64BE(dst, r.MovesOffset)
	dst = r.RatingTypes[0].append(dst)
	dst = r.RatingTypes[1].append(dst)
	dst = wire.AppendU32BE(dst, r.Unknown70)
	dst = wire.AppendU32BE(dst, r.Unknown74)
	dst = wire.AppendU16BE(dst, r.Saves)
	dst = wire.AppendU64BE(dst, r.Created)
	for _, word := range r.Endgame {
		dst = wire.AppendU16BE(dst, word)
	}
	dst = wire.AppendU64BE(dst, r.Changed)
	dst = wire.AppendI32BE(dst, r.GameTitle)
	if size == ExtRecordSize {
		return dst
	}
	whole := wholeFields(size)
	dst = append(dst[:start+whole], r.Tail[:min(len(r.Tail), size-whole)]...)
	return wire.AppendZeros(dst, start+size-len(dst))
}

// Sum returns what Checksum must be: the sum, modulo 65536, of the ten 16-bit
// words at 8 to 27, which are Media, AnnotationsOffset and Material
// (docs/formats/cbh-entities.md 5.1).
func (r *ExtRecord) Sum() uint16 {
	return words(uint64(uint32(r.Media))) + words(r.AnnotationsOffset) +
		words(uint64(r.Material[0])) + words(uint64(r.Material[1]))
}

// HasRightSum reports whether a .cbj record has a checksum, and the right one.
func HasRightSum(ext []byte) bool {
	return ExtChecksum.In(ext) && ExtChecksum.Uint(ext) == uint64(SumExt(ext))
}

// PutSum makes the checksum of a .cbj record right, if it has one.
func PutSum(ext []byte) {
	if ExtChecksum.In(ext) {
		ExtChecksum.Put(ext, uint64(SumExt(ext)))
	}
}

// SumExt returns what the checksum of the bytes of a record must be, which must
// have one: the sum, modulo 65536, of the 16-bit words of the fields from Media
// to the checksum. (docs/formats/cbh-entities.md 5.1)
func SumExt(record []byte) (sum uint16) {
	for at := ExtMedia.At; at < ExtChecksum.At; at += 2 {
		sum += binary.BigEndian.Uint16(record[at:])
	}
	return sum
}

// words returns the sum of the four 16-bit words of v.
func words(v uint64) uint16 {
	return uint16(v) + uint16(v>>16) + uint16(v>>32) + uint16(v>>48)
}

// RatingType says which list the rating of a player is from. It has 16 bytes in
// .cbj records, big-endian:
//
//	0 kind u16 | national time control u8 | international time control u8
//	4 nation u8 | name, 11 bytes
//
// Source: docs/formats/cbh-entities.md 5.2.
type RatingType struct {
	// Kind is in bits 0-2; others occur, with unknown meaning.
	Kind uint16
	// NationalTime is 0 for normal games, 1 blitz, 2 rapid, 3 correspondence;
	// InternationalTime one more each, and arbitrary in a national list.
	NationalTime, InternationalTime uint8
	Nation                          uint8 // as in model.Nation, 0 if international
	// Name is the name of the list up to the first NUL.
	Name [11]byte
}

// The kinds of rating lists.
const (
	RatingInternational = 1
	RatingNational      = 2
)

// FIDERating is the type that ChessBase gives to new games, rated or not.
var FIDERating = RatingType{
	Kind: RatingInternational, InternationalTime: 1, Name: [11]byte{'F', 'I', 'D', 'E'},
}

// decodeRatingType reads the first 16 bytes of b.
func decodeRatingType(b []byte) RatingType {
	t := RatingType{
		Kind: uint16(b[0])<<8 | uint16(b[1]), NationalTime: b[2], InternationalTime: b[3], Nation: b[4],
	}
	copy(t.Name[:], b[5:16])
	return t
}

func (t *RatingType) append(dst []byte) []byte {
	dst = wire.AppendU16BE(dst, t.Kind)
	dst = append(dst, t.NationalTime, t.InternationalTime, t.Nation)
	return append(dst, t.Name[:]...)
}

// Stamps of .cbj records (docs/formats/cbh-entities.md 5.3): the creation stamp counts
// 1/1024 seconds since 2008-12-01, the last change 100 nanoseconds since
// 1582-10-15, both from midnight, taken as UTC here. (Stored creation stamps
// are off by an hour in summer.)
var (
	creationEpoch = time.Date(2008, 12, 1, 0, 0, 0, 0, time.UTC).Unix()
	changeEpoch   = time.Date(1582, 10, 15, 0, 0, 0, 0, time.UTC).Unix()
)

const (
	creationTicks = 1024       // per second
	changeTicks   = 10_000_000 // per second
)

// CreationStamp returns the creation stamp of t, rounded down, and 0 for times
// before the epoch and beyond 64 bits.
func CreationStamp(t time.Time) uint64 { return timeStamp(t, creationEpoch, creationTicks) }

// ChangeStamp returns the last-change stamp of t, rounded down, and 0 for times
// before the epoch and beyond 64 bits.
func ChangeStamp(t time.Time) uint64 { return timeStamp(t, changeEpoch, changeTicks) }

func timeStamp(t time.Time, epoch int64, ticks uint64) uint64 {
	if t.Unix() < epoch {
		return 0
	}
	high, whole := bits.Mul64(uint64(t.Unix()-epoch), ticks)
	if high != 0 {
		return 0
	}
	return whole + uint64(t.Nanosecond())*ticks/1_000_000_000
}
