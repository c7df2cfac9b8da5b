package cbh2

import (
	"bytes"
	"encoding/binary"

	"cbkit/internal/wire"
	"cbkit/model"
)

// The files of frames, .2cbg and .2cba, begin with a header; frames follow, back to
// back, in the order of the records:
//
//	00   8  magic, 88 77 66 55 44 33 22 11
//	08   4  A, size of the content
//	0c   4  B, spare bytes behind it
//	10   8  checksum of the content, big-endian
//	18   2  tag: what the content is
//	1a   A  content
//	..   B  spare bytes, 0
//	..   8  A + B + 34, the size of the frame
const (
	BlobHeaderSize = 12
	// FrameHeadSize is the size of a frame in front of its content, FrameSize that
	// of all of it without content and spare bytes.
	FrameHeadSize = 26
	FrameSize     = 34
	// MaxContent is the largest content, and the most spare bytes, that are believed.
	MaxContent = 64 << 20
)

// The tags of frames that hold no games.
const (
	TagText        = 0x1000
	TagAnnotations = 0x2000
)

// Magic begins every frame.
var Magic = []byte{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11}

// BlobHeader is the header of .2cbg and .2cba.
type BlobHeader struct {
	Size    int64 // of the file
	Head    uint16
	Empty   uint8 // of .2cbg: 1 while there is no game
	Version uint8 // of .2cbg, 0 while there is no game; of .2cba 0
}

// DecodeBlobHeader reads the first BlobHeaderSize bytes.
func DecodeBlobHeader(b []byte) (h BlobHeader, err error) {
	c := wire.NewCursor(b)
	h = BlobHeader{Size: int64(c.U64LE()), Head: c.U16LE(), Empty: c.U8(), Version: c.U8()}
	return h, c.Err()
}

// Append appends the header.
func (h BlobHeader) Append(dst []byte) []byte {
	dst = wire.AppendU64LE(dst, uint64(h.Size))
	return append(wire.AppendU16LE(dst, h.Head), h.Empty, h.Version)
}

// FrameHead is what stands in front of the content of a frame.
type FrameHead struct {
	Content, Spare int // in bytes
	Checksum       uint64
	Tag            uint16
}

// Size returns the size of the frame in bytes.
func (h FrameHead) Size() int64 { return int64(h.Content) + int64(h.Spare) + FrameSize }

// DecodeFrameHead reads the first FrameHeadSize bytes of a frame.
func DecodeFrameHead(b []byte) (h FrameHead, err error) {
	c := wire.NewCursor(b)
	magic := c.Bytes(len(Magic))
	content, spare := c.I32LE(), c.I32LE()
	h = FrameHead{Content: int(content), Spare: int(spare), Checksum: c.U64BE(), Tag: c.U16LE()}
	switch {
	case c.Err() != nil:
		return h, c.Err()
	case !bytes.Equal(magic, Magic):
		return h, wrong(0, "magic", model.ErrCorrupt, "no record begins here")
	case content < 0 || content > MaxContent || spare < 0 || spare > MaxContent:
		return h, wrong(8, "size", model.ErrCorrupt, "%d bytes and %d spare ones cannot be", content, spare)
	}
	return h, nil
}

// DecodeFrame reads a whole frame: it checks its sizes and its sum, and returns its tag
// and its content, which is part of b.
func DecodeFrame(b []byte) (h FrameHead, content []byte, err error) {
	if h, err = DecodeFrameHead(b); err != nil {
		return h, nil, err
	}
	if h.Size() > int64(len(b)) {
		return h, nil, wrong(8, "size", model.ErrTruncated, "%d bytes, %d are there", h.Size(), len(b))
	}
	content = b[FrameHeadSize : FrameHeadSize+h.Content]
	end := FrameHeadSize + h.Content + h.Spare
	if size := binary.LittleEndian.Uint64(b[end:]); size != uint64(h.Size()) {
		return h, nil, wrong(end, "size", model.ErrCorrupt, "%d bytes at the end of the record, %d at its beginning", size, h.Size())
	}
	if sum := Checksum(content); sum != h.Checksum {
		return h, nil, wrong(16, "checksum", model.ErrCorrupt, "%016x, the content has %016x", h.Checksum, sum)
	}
	return h, content, nil
}

// AppendFrame appends a frame with so many spare bytes.
func AppendFrame(dst []byte, tag uint16, content []byte, spare int) []byte {
	dst = append(dst, Magic...)
	dst = wire.AppendU32LE(dst, uint32(len(content)))
	dst = wire.AppendU32LE(dst, uint32(spare))
	dst = wire.AppendU64BE(dst, Checksum(content))
	dst = append(wire.AppendU16LE(dst, tag), content...)
	dst = wire.AppendZeros(dst, spare)
	return wire.AppendU64LE(dst, uint64(len(content)+spare+FrameSize))
}

// Checksum returns the sum of a content: of eight runs of equal length one byte each,
// the first the lowest; bytes behind them do not count. A content of less than eight
// bytes is its own sum.
func Checksum(content []byte) (sum uint64) {
	run := len(content) / 8
	if run == 0 {
		for i, b := range content {
			sum |= uint64(b) << (8 * i)
		}
		return sum
	}
	for i := range 8 {
		var s byte
		for _, b := range content[i*run : (i+1)*run] {
			s += b
		}
		sum |= uint64(s) << (8 * i)
	}
	return sum
}
