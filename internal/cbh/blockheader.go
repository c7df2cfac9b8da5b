package cbh

import (
	"fmt"

	"cbkit/internal/wire"
	"cbkit/model"
)

// Sizes of the headers of .cbg and .cba files.
const (
	BlockHeaderSize    = 26
	OldBlockHeaderSize = 10
)

// BlockHeader is the beginning of a .cbg or .cba file, big-endian; the first
// record follows it:
//
//	 0 header size u16, 26 or 10 | file size u32 | unused bytes u32
//	10 file size u64 | unused bytes u64                     (26-byte form only)
//
// Beyond 4 GiB the 32-bit fields are the low half. In old files sizes may be
// wrong and unused bytes not counted. Sources: docs/formats/cbg.md 1, docs/formats/cba.md 1.
type BlockHeader struct {
	Size                 uint16
	FileSize, Unused     uint32
	FileSize64, Unused64 uint64
}

// NewBlockHeader returns the 26-byte header of a file with the given size and
// unused bytes.
func NewBlockHeader(fileSize, unused uint64) BlockHeader {
	h := BlockHeader{Size: BlockHeaderSize}
	h.SetSizes(fileSize, unused)
	return h
}

// SetSizes sets the size of the file and its unused bytes.
func (h *BlockHeader) SetSizes(fileSize, unused uint64) {
	h.FileSize, h.Unused = uint32(fileSize), uint32(unused)
	if h.Size == BlockHeaderSize {
		h.FileSize64, h.Unused64 = fileSize, unused
	}
}

// DecodeBlockHeader reads a header from the first 26 or 10 bytes of b. It fails
// with model.ErrUnsupported if the header has another size.
func DecodeBlockHeader(b []byte) (BlockHeader, error) {
	c := wire.NewCursor(b)
	h := BlockHeader{Size: c.U16BE()}
	if c.Err() == nil && h.Size != BlockHeaderSize && h.Size != OldBlockHeaderSize {
		return h, fail(0, "header size", fmt.Errorf("%d: %w", h.Size, model.ErrUnsupported))
	}
	h.FileSize, h.Unused = c.U32BE(), c.U32BE()
	if h.Size == BlockHeaderSize {
		h.FileSize64, h.Unused64 = c.U64BE(), c.U64BE()
	}
	return h, c.Err()
}

// Append appends the 26 or 10 bytes of the header.
func (h *BlockHeader) Append(dst []byte) []byte {
	dst = wire.AppendU16BE(dst, h.Size)
	dst = wire.AppendU32BE(dst, h.FileSize)
	dst = wire.AppendU32BE(dst, h.Unused)
	if h.Size != BlockHeaderSize {
		return dst
	}
	dst = wire.AppendU64BE(dst, h.FileSize64)
	return wire.AppendU64BE(dst, h.Unused64)
}
