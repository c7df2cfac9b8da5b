package cbh

import (
	"fmt"

	"cbkit/internal/wire"
	"cbkit/model"
)

// Sizes in .cib and .cib2 files.
const (
	ListBlockSize = 64
	// ListBlockIDs is how many ids a block holds.
	ListBlockIDs = 13
)

// ListBlocksHeader is the first 12 bytes of a .cib or .cib2 file,
// little-endian:
//
//	0 block size i32, 64 | blocks i32 | first free block i32, 0: none
//
// Block n begins at 12 + 64*n. A free block leads to the next one, the last to
// 0; so block 0 cannot be on the list, and once freed it is lost. Source:
// docs/formats/boosters.md 2, 3.
type ListBlocksHeader struct {
	BlockSize int32
	Blocks    int32
	FirstFree int32
}

// NewListBlocksHeader returns the header of a file with the given number of
// blocks, none of them free.
func NewListBlocksHeader(blocks int32) ListBlocksHeader {
	return ListBlocksHeader{BlockSize: ListBlockSize, Blocks: blocks}
}

// DecodeListBlocksHeader reads the first 12 bytes of b. Only the length is
// checked; see Check.
func DecodeListBlocksHeader(b []byte) (ListBlocksHeader, error) {
	c := wire.NewCursor(b)
	h := ListBlocksHeader{c.I32LE(), c.I32LE(), c.I32LE()}
	return h, c.Err()
}

// Append appends the 12 bytes of the header.
func (h ListBlocksHeader) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, h.BlockSize)
	dst = wire.AppendI32LE(dst, h.Blocks)
	return wire.AppendI32LE(dst, h.FirstFree)
}

// Check returns an error if the header does not fit a file of the given size in
// bytes.
func (h ListBlocksHeader) Check(size int64) error {
	body := size - ListHeaderSize
	switch {
	case h.BlockSize != ListBlockSize:
		return fail(0, "block size", fmt.Errorf("%d, not %d: %w", h.BlockSize, ListBlockSize, model.ErrCorrupt))
	case h.Blocks < 0:
		return fail(4, "blocks", fmt.Errorf("%d: %w", h.Blocks, model.ErrCorrupt))
	case int64(h.Blocks)*ListBlockSize > body:
		return fail(size, "", fmt.Errorf("%d blocks are announced, the file has room for %d: %w",
			h.Blocks, max(body, 0)/ListBlockSize, model.ErrTruncated))
	case int64(h.Blocks)*ListBlockSize < body:
		return fail(4, "blocks", fmt.Errorf("%d are announced, the file has %d bytes of them: %w",
			h.Blocks, body, model.ErrCorrupt))
	}
	return nil
}

// BlockOffset is where a block begins.
func BlockOffset(n int32) int64 { return ListHeaderSize + int64(n)*ListBlockSize }

// ListBlock is a block of a .cib or .cib2 file, little-endian:
//
//	0 next block i32, -1: none | 0 i32 | count i32 | ids i32 × 13
//
// The ids ascend, over all blocks of a list. Every block but the last is full.
// The ids behind count are whatever the writer's memory held. Source:
// docs/formats/boosters.md 2.
type ListBlock struct {
	Next     int32
	Unknown4 int32
	Count    int32
	IDs      [ListBlockIDs]int32
}

// DecodeListBlock reads the first 64 bytes of b. Nothing but the length is
// checked.
func DecodeListBlock(b []byte) (ListBlock, error) {
	c := wire.NewCursor(b)
	k := ListBlock{Next: c.I32LE(), Unknown4: c.I32LE(), Count: c.I32LE()}
	for i := range k.IDs {
		k.IDs[i] = c.I32LE()
	}
	return k, c.Err()
}

// Append appends the 64 bytes of the block.
func (k *ListBlock) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, k.Next)
	dst = wire.AppendI32LE(dst, k.Unknown4)
	dst = wire.AppendI32LE(dst, k.Count)
	for _, id := range k.IDs {
		dst = wire.AppendI32LE(dst, id)
	}
	return dst
}

// InUse returns the ids of the block, without what lies behind them. A count
// that cannot be gives none.
func (k *ListBlock) InUse() []int32 {
	if k.Count < 0 || k.Count > ListBlockIDs {
		return nil
	}
	return k.IDs[:k.Count]
}
