package cbh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"cbkit/internal/wire"
	"cbkit/model"
)

// Sizes in a .cbtt file.
const (
	TournamentExtraHeaderSize = 32
	// TournamentExtraSize is the size of a record in version 3.
	TournamentExtraSize = 65
	// oldTournamentExtraSize is that of version 2.
	oldTournamentExtraSize = 61
	// maxTournamentExtraSize is far beyond any version seen. A writer of
	// a file of an unknown version makes as many records as there are
	// tournaments, of 99 bytes each, so that the size bounds what a few bytes
	// can demand.
	maxTournamentExtraSize = 2048
)

// TournamentExtraHeader is the first 32 bytes of a .cbtt file, little-endian:
//
//	0 version i32 | record size i32 | highest tournament id i32 | 20 bytes of garbage
//
// The record of tournament id begins at 32 + id*size; tournaments above the
// highest have none. A highest id of -1 means that there is no record at all, and
// so may one of 0: the length of the file tells. Source: docs/formats/cbh-entities.md 11,
// docs/formats/real-databases.md 1.
type TournamentExtraHeader struct {
	Version, RecordSize, Highest int32
	Garbage                      [20]byte
}

// NewTournamentExtraHeader returns the header of a new file, which has one
// record.
func NewTournamentExtraHeader() TournamentExtraHeader {
	return TournamentExtraHeader{Version: 3, RecordSize: TournamentExtraSize}
}

// DecodeTournamentExtraHeader reads the first 32 bytes of b. It fails with
// model.ErrNotDatabase if the record size or the highest id is impossible; the
// version is not checked.
func DecodeTournamentExtraHeader(b []byte) (TournamentExtraHeader, error) {
	c := wire.NewCursor(b)
	h := TournamentExtraHeader{Version: c.I32LE(), RecordSize: c.I32LE(), Highest: c.I32LE()}
	copy(h.Garbage[:], c.Bytes(len(h.Garbage)))
	switch {
	case c.Err() != nil:
	case h.RecordSize < 1 || h.RecordSize > maxTournamentExtraSize:
		return h, fail(4, "record size", fmt.Errorf("%d: %w", h.RecordSize, model.ErrNotDatabase))
	case h.Highest < -1:
		return h, fail(8, "highest tournament", fmt.Errorf("%d: %w", h.Highest, model.ErrNotDatabase))
	}
	return h, c.Err()
}

// Append appends the 32 bytes of the header.
func (h *TournamentExtraHeader) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, h.Version)
	dst = wire.AppendI32LE(dst, h.RecordSize)
	dst = wire.AppendI32LE(dst, h.Highest)
	return append(dst, h.Garbage[:]...)
}

// tournamentExtras are the fields of a .cbtt record, big-endian:
//
//	 0 latitude f64 | longitude f64 | (00 × 10, 07) × 3 | 00
//	50 tie-break rules u8 × 10 | rules in use u8          version 2: 61 bytes
//	61 end date u32                                       version 3: 65
//
// Nothing is known of records with other sizes. Source: docs/formats/cbh-entities.md
// 11.
var tournamentExtras = layout[model.Tournament]{
	degreesField("latitude", 0, 90, func(t *model.Tournament) *float64 { return &t.Latitude }),
	degreesField("longitude", 8, 180, func(t *model.Tournament) *float64 { return &t.Longitude }),
	reservedField[model.Tournament]("pattern", 16, 34),
	tieBreakField("tie-break rules", 50, func(t *model.Tournament) *[10]uint8 { return &t.TieBreaks }),
	dateField("end date", 61, binary.BigEndian, func(t *model.Tournament) *model.Date { return &t.End }),
}

// degreesField is a double. A number that is not one of degrees up to limit,
// such as NaN, is not known.
func degreesField(name string, at int, limit float64, of func(*model.Tournament) *float64) field[model.Tournament] {
	return newField(name, at, 8, of,
		func(b []byte, _ CodePage) float64 {
			if v := math.Float64frombits(binary.BigEndian.Uint64(b)); math.Abs(v) <= limit && v != 0 {
				return v
			}
			return 0
		},
		func(b []byte, v float64, _ CodePage) model.Loss {
			loss := nothing
			if !(math.Abs(v) <= limit) {
				loss, v = lost(fmt.Sprintf("%v is not within %v degrees", v, limit)), 0
			}
			binary.BigEndian.PutUint64(b, math.Float64bits(v))
			return loss
		})
}

// unspecifiedRule fills the list of tie-break rules.
const unspecifiedRule = 1

// tieBreakField is the list of tie-break rules with its length.
func tieBreakField(name string, at int, of func(*model.Tournament) *[10]uint8) field[model.Tournament] {
	const length = 10
	return newField(name, at, length+1, of,
		func(b []byte, _ CodePage) (rules [10]uint8) {
			if b[length] <= length {
				copy(rules[:], beforeNUL(b[:b[length]]))
			}
			return rules
		},
		func(b []byte, rules [10]uint8, _ CodePage) model.Loss {
			n := len(beforeNUL(rules[:]))
			for i := copy(b, rules[:n]); i < length; i++ {
				b[i] = unspecifiedRule
			}
			b[length] = uint8(n)
			if len(bytes.Trim(rules[n:], "\x00")) > 0 {
				return lost("rules behind the end of the list")
			}
			return nothing
		})
}

// TournamentExtraFieldAt returns the name of the field that a byte of a .cbtt
// record belongs to.
func TournamentExtraFieldAt(offset int) string { return tournamentExtras.nameAt(offset) }

// defaultTournamentExtra is a record that says nothing.
var defaultTournamentExtra = [TournamentExtraSize]byte{
	26: 7, 37: 7, 48: 7,
	50: 1, 51: 1, 52: 1, 53: 1, 54: 1, 55: 1, 56: 1, 57: 1, 58: 1, 59: 1,
}

// IsKnown reports whether the records of the file are understood.
func (h *TournamentExtraHeader) IsKnown() bool { return knownTournamentExtra(int(h.RecordSize)) }

// knownTournamentExtra reports whether records of a size are understood.
func knownTournamentExtra(size int) bool {
	return size == TournamentExtraSize || size == oldTournamentExtraSize
}

// DecodeTournamentExtra adds what a .cbtt record says to t. Records with a size
// that is not known say nothing.
func DecodeTournamentExtra(t *model.Tournament, record []byte) {
	if knownTournamentExtra(len(record)) {
		tournamentExtras.read(t, record, CodePage{})
	}
}

// AppendTournamentExtra appends the .cbtt record of t in size bytes, and
// returns what of t could not be held; of a size that is not known, it appends
// zeros.
func AppendTournamentExtra(dst []byte, t model.Tournament, size int) ([]byte, []model.Loss) {
	raw := make([]byte, size)
	if knownTournamentExtra(size) {
		copy(raw, defaultTournamentExtra[:])
	}
	return MergeTournamentExtra(dst, t, raw)
}

// MergeTournamentExtra appends the .cbtt record of t as a change of raw, an
// older record of the same tournament: what did not change keeps its bytes.
func MergeTournamentExtra(dst []byte, t model.Tournament, raw []byte) ([]byte, []model.Loss) {
	dst = append(dst, raw...)
	record := dst[len(dst)-len(raw):]
	if !knownTournamentExtra(len(record)) {
		record = nil // all fields are outside
	}
	return dst, tournamentExtras.merge(record, &t, CodePage{})
}

// HasTournamentExtra reports whether t says something that only a .cbtt record
// can hold.
func HasTournamentExtra(t model.Tournament) bool {
	var none model.Tournament
	return slices.ContainsFunc(tournamentExtras, func(f field[model.Tournament]) bool { return !f.equal(&t, &none) })
}
