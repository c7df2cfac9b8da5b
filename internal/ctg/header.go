package ctg

import (
	"encoding/binary"
	"fmt"

	"cbkit/model"
)

// Offsets in the header page. (docs/formats/ctg.md 3.3)
const (
	headerPages     = 16
	headerFreePage  = 20
	headerPositions = 24
	headerGames     = 28
	headerDefaults  = 0x400
)

// Header is the header page of the .ctg file. Bytes without a name here are
// kept.
type Header struct {
	page [PageSize]byte
}

// DecodeHeader reads the header page from the beginning of a file.
func DecodeHeader(b []byte) (*Header, error) {
	if len(b) < PageSize {
		return nil, fmt.Errorf("%w: the header page needs %d bytes, the file has %d", model.ErrTruncated, PageSize, len(b))
	}
	if length := binary.BigEndian.Uint16(b); length != 32 {
		return nil, fmt.Errorf("%w: not an opening book: the header's length is %d and not 32", model.ErrNotDatabase, length)
	}
	if size := binary.BigEndian.Uint16(b[2:]); size != PageSize {
		return nil, fmt.Errorf("%w: pages of %d bytes", model.ErrUnsupported, size)
	}
	if start := binary.BigEndian.Uint32(b[8:]); start != PageSize {
		return nil, fmt.Errorf("%w: pages begin at 0x%x", model.ErrUnsupported, start)
	}
	h := new(Header)
	copy(h.page[:], b)
	return h, nil
}

// NewHeader returns the header page of an empty book.
func NewHeader() *Header {
	h := new(Header)
	put16 := binary.BigEndian.PutUint16
	for i, word := range []uint16{32, PageSize, 1, 1, 0, PageSize, 0x7fff, 0x7fff} {
		put16(h.page[2*i:], word)
	}
	binary.BigEndian.PutUint32(h.page[headerFreePage:], 0xffffffff)
	for i, word := range []uint16{1, 5, 1, 0x7fff, 3, 0x7fff, 5, 30, 6, 2, 7, 1} {
		put16(h.page[headerDefaults+2*i:], word)
	}
	return h
}

// Bytes returns the page. It belongs to the header.
func (h *Header) Bytes() []byte { return h.page[:] }

func (h *Header) get(at int) uint32 { return binary.BigEndian.Uint32(h.page[at:]) }

// Pages returns the number of data pages.
func (h *Header) Pages() uint32 { return h.get(headerPages) }

// Positions returns the number of entries; in old books it may be too large.
func (h *Header) Positions() uint32 { return h.get(headerPositions) }

// Games returns the number of games the book was made from.
func (h *Header) Games() uint32 { return h.get(headerGames) }

// SetCounts sets the three numbers.
func (h *Header) SetCounts(pages, positions, games uint32) {
	binary.BigEndian.PutUint32(h.page[headerPages:], pages)
	binary.BigEndian.PutUint32(h.page[headerPositions:], positions)
	binary.BigEndian.PutUint32(h.page[headerGames:], games)
}
