package cbh

import (
	"fmt"

	"cbkit/internal/wire"
	"cbkit/model"
)

const (
	examinedSignature  = 0x0F010B09
	ExaminedHeaderSize = 12
	// examinedStep is the granularity of the file, in words of 32 bits.
	examinedStep = 16
)

// The values in a .flags file; 1 was never seen.
const (
	NotExamined uint8 = 0
	IsExamined  uint8 = 2
	TopGame     uint8 = 3
)

// Examined is the content of a .flags file: which games were looked at for the
// list of top games. The header is big-endian:
//
//	0 0F 01 0B 09 | words u32, a multiple of 16 | bits per game u32, 2 | 32-bit words
//
// Game id has the two bits from bit 2*(id mod 4) on in byte 12 + id/4. Source:
// docs/formats/cbh-entities.md 13.
type Examined struct {
	Words       uint32 // number of words as the header has it
	BitsPerGame uint32
	Bits        []byte // all bytes behind the header
}

// NewExamined returns the content for a database with the given number of
// records, none of which was examined.
func NewExamined(records int) *Examined {
	words := (records/16 + examinedStep) / examinedStep * examinedStep
	return &Examined{Words: uint32(words), BitsPerGame: 2, Bits: make([]byte, 4*words)}
}

// DecodeExamined reads a whole file. Bits is part of b.
func DecodeExamined(b []byte) (*Examined, error) {
	c := wire.NewCursor(b)
	signature := c.U32BE()
	e := &Examined{Words: c.U32BE(), BitsPerGame: c.U32BE()}
	e.Bits = c.Rest()
	switch {
	case c.Err() != nil:
		return nil, c.Err()
	case signature != examinedSignature:
		return nil, fail(0, "signature", fmt.Errorf("%08x: %w", signature, model.ErrNotDatabase))
	case e.BitsPerGame != 2:
		return nil, fail(8, "bits per game", fmt.Errorf("%d: %w", e.BitsPerGame, model.ErrUnsupported))
	}
	return e, nil
}

// Append appends the bytes of the file.
func (e *Examined) Append(dst []byte) []byte {
	dst = wire.AppendU32BE(dst, examinedSignature)
	dst = wire.AppendU32BE(dst, e.Words)
	dst = wire.AppendU32BE(dst, e.BitsPerGame)
	return append(dst, e.Bits...)
}

// Get returns the value of a record; those beyond the end were not examined.
func (e *Examined) Get(id model.RecordID) uint8 {
	if id < 0 || int(id)/4 >= len(e.Bits) {
		return NotExamined
	}
	return e.Bits[id/4] >> (2 * (id % 4)) & 3
}

// Set sets the value of a record, of which the low two bits count, and makes
// room for it if necessary. The id must not be negative.
func (e *Examined) Set(id model.RecordID, value uint8) {
	if int(id)/4 >= len(e.Bits) {
		grown := NewExamined(int(id))
		copy(grown.Bits, e.Bits)
		e.Words, e.Bits = grown.Words, grown.Bits
	}
	shift := 2 * (id % 4)
	e.Bits[id/4] = e.Bits[id/4]&^(3<<shift) | value&3<<shift
}
