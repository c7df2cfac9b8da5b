package moveenc

import (
	"fmt"

	"cbkit/model"
)

// HeadSize is the size of a record's head in bytes.
const HeadSize = 4

// MaxSize is the largest size of a record in bytes; its size field has 24
// bits.
const MaxSize = 1<<24 - 1

const (
	headBit7  = 1 << 7
	headSetUp = 1 << 6
	headMode  = headSetUp - 1
)

// Head is the beginning of every record of a .cbg file, games and guiding texts alike.
// The .cbh header says which of the two a record is.
type Head struct {
	Mode Mode
	// Bit7 is set in every guiding text, and rarely in a game.
	Bit7 bool
	// HasStart says that a start position follows.
	HasStart bool
	// Size is the size of the whole record in bytes, head included.
	Size int
}

// DecodeHead reads a head. It fails if there are fewer than [HeadSize] bytes
// (model.ErrTruncated) or if the size is smaller than that (model.ErrCorrupt). It does
// not check that Size bytes are there, nor that the mode is known.
func DecodeHead(b []byte) (Head, error) {
	if len(b) < HeadSize {
		return Head{}, fail(int64(len(b)), "head", model.ErrTruncated)
	}
	h := Head{
		Mode:     Mode(b[0] & headMode),
		Bit7:     b[0]&headBit7 != 0,
		HasStart: b[0]&headSetUp != 0,
		Size:     int(b[1])<<16 | int(b[2])<<8 | int(b[3]),
	}
	if h.Size < HeadSize {
		return Head{}, fail(1, "size", fmt.Errorf("%d bytes: %w", h.Size, model.ErrCorrupt))
	}
	return h, nil
}

// put writes the head over the first bytes of b.
func (h Head) put(b []byte) {
	b[0] = byte(h.Mode)
	if h.Bit7 {
		b[0] |= headBit7
	}
	if h.HasStart {
		b[0] |= headSetUp
	}
	b[1], b[2], b[3] = byte(h.Size>>16), byte(h.Size>>8), byte(h.Size)
}

// fail returns the error of a decoder. The offset counts from the first byte
// of the record; who knows the file and the record completes the error.
func fail(offset int64, field string, err error) error {
	return &model.FormatError{File: "game record", Offset: offset, Record: -1, Field: field, Err: err}
}
