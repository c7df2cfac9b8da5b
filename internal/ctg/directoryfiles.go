package ctg

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"cbkit/internal/wire"
	"cbkit/model"
)

const (
	bitmapHeaderSize = 12 // of the .ctb file
	pagesHeaderSize  = 16 // of the .cto file
)

// Bounds are the two numbers by which programs limit their search: every node
// below Lower is split, no node from Upper on is. (docs/formats/ctg.md 3.1)
type Bounds struct{ Lower, Upper uint32 }

// Bounds computes the bounds.
func (d *Directory) Bounds() Bounds {
	used := len(d.split)
	for used > 0 && d.split[used-1] == 0 {
		used--
	}
	full := 0
	for full < used && d.split[full] == 0xff {
		full++
	}
	return Bounds{Lower: uint32(8 * full), Upper: uint32(8 * used)}
}

// AppendBitmap appends the content of the .ctb file:
//
//	u16 12 | u16 1 | u32 lower | u32 upper | bitmap, upper/8 bytes
func (d *Directory) AppendBitmap(dst []byte) []byte {
	b := d.Bounds()
	dst = wire.AppendU16BE(dst, bitmapHeaderSize)
	dst = wire.AppendU16BE(dst, 1)
	dst = wire.AppendU32BE(dst, b.Lower)
	dst = wire.AppendU32BE(dst, b.Upper)
	return append(dst, d.split[:b.Upper/8]...)
}

// AppendPages appends the content of the .cto file:
//
//	u16 16 | u16 1 | u32 n | u32 0 | u32 lower | n times i32 page
//
// With padded it is long enough for programs that look for absent positions
// without asking the bitmap. (docs/formats/ctg.md 7)
func (d *Directory) AppendPages(dst []byte, padded bool) []byte {
	n := len(d.pages)
	b := d.Bounds()
	if padded {
		n = max(n, b.PaddedLen())
	}
	dst = wire.AppendU16BE(dst, pagesHeaderSize)
	dst = wire.AppendU16BE(dst, 1)
	dst = wire.AppendU32BE(dst, uint32(n))
	dst = wire.AppendU32BE(dst, 0)
	dst = wire.AppendU32BE(dst, b.Lower)
	for _, page := range d.pages {
		dst = wire.AppendI32BE(dst, page)
	}
	for range n - len(d.pages) {
		dst = wire.AppendI32BE(dst, NoPage)
	}
	return dst
}

// DecodeBitmap reads the .ctb file into the directory.
func (d *Directory) DecodeBitmap(ctb []byte) error {
	if len(ctb) < bitmapHeaderSize {
		return shortFile(len(ctb), bitmapHeaderSize)
	}
	if length := binary.BigEndian.Uint16(ctb); length != bitmapHeaderSize {
		return fmt.Errorf("%w: the header's length is %d and not %d", model.ErrNotDatabase, length, bitmapHeaderSize)
	}
	upper := int64(binary.BigEndian.Uint32(ctb[8:]))
	size := (upper + 7) / 8
	if size > int64(len(ctb)-bitmapHeaderSize) {
		return shortFile(len(ctb), bitmapHeaderSize+size)
	}
	d.split = ctb[bitmapHeaderSize : bitmapHeaderSize+size]
	return nil
}

// DecodePages reads the .cto file into the directory.
func (d *Directory) DecodePages(cto []byte) error {
	if len(cto) < pagesHeaderSize {
		return shortFile(len(cto), pagesHeaderSize)
	}
	if length := binary.BigEndian.Uint16(cto); length != pagesHeaderSize {
		return fmt.Errorf("%w: the header's length is %d and not %d", model.ErrNotDatabase, length, pagesHeaderSize)
	}
	n := int64(binary.BigEndian.Uint32(cto[4:]))
	if want := pagesHeaderSize + 4*n; want > int64(len(cto)) {
		return shortFile(len(cto), want)
	}
	d.pages = make([]int32, n)
	for i := range d.pages {
		d.pages[i] = int32(binary.BigEndian.Uint32(cto[pagesHeaderSize+4*i:]))
	}
	return nil
}

func shortFile[N int | int64](have int, want N) error {
	return fmt.Errorf("%w: the file has %d bytes and needs %d", model.ErrTruncated, have, want)
}

// StoredBounds returns the bounds that a .ctb file states. The file must be one
// that DecodeBitmap takes.
func StoredBounds(ctb []byte) Bounds {
	return Bounds{Lower: binary.BigEndian.Uint32(ctb[4:]), Upper: binary.BigEndian.Uint32(ctb[8:])}
}

// BitmapFileSize returns how long a .ctb file with the given bounds is.
func BitmapFileSize(b Bounds) int64 { return bitmapHeaderSize + (int64(b.Upper)+7)/8 }

// StoredPages returns how many entries a .cto file states and its lower bound.
// The file must be one that DecodePages takes.
func StoredPages(cto []byte) (n, lower uint32) {
	return binary.BigEndian.Uint32(cto[4:]), binary.BigEndian.Uint32(cto[12:])
}

// PagesFileSize returns how long a .cto file with n entries is.
func PagesFileSize(n uint32) int64 { return pagesHeaderSize + 4*int64(n) }

// PaddedLen returns how many entries a .cto file needs so that programs which
// do not ask the bitmap never look past its end. (docs/formats/ctg.md 7)
func (b Bounds) PaddedLen() int {
	level := bits.Len64(uint64(b.Upper)+1) - 1
	return int(b.Upper) + 2<<level + 1
}
