package cbh

import (
	"math"

	"cbkit/internal/wire"
)

// The formatting of a plain text, little-endian (spec/cbg.md 8):
//
//	u16 300 | u16 number of objects | u16 0
//	per object: u16 kind | position, u16 in version 1, else u32 | u16 size, data
//	u16 number of styles
//	per style: u16 id | properties
//	runs: u16 length | u16 style | u16 0, ending with length FFFF alone
//	three more properties
//
// Properties are u16 number, and for each u16 key, u16 size, value. The lengths
// of the runs add up to that of the text. An object stands at a byte 04 of the
// text; its position counts from 1.
const (
	formattingMark = 300
	objectByte     = 0x04
	noMoreRuns     = math.MaxUint16
	otherLists     = 3
)

// formattingFits reports whether b is formatting of the given text, to the
// last byte.
func formattingFits(b []byte, version uint16, text []byte) bool {
	c := wire.NewCursor(b)
	c.Skip(2)
	objects := c.U16LE()
	c.Skip(2)
	for ; objects > 0 && c.Err() == nil; objects-- {
		if !isObjectPlace(readObject(&c, version), text) {
			return false
		}
	}
	for styles := c.U16LE(); styles > 0 && c.Err() == nil; styles-- {
		c.Skip(2)
		skipProperties(&c)
	}
	length := 0
	for c.Err() == nil {
		n := c.U16LE()
		if n == noMoreRuns {
			break
		}
		length += int(n)
		c.Skip(4)
	}
	for range otherLists {
		skipProperties(&c)
	}
	return c.Err() == nil && c.Len() == 0 && length == len(text)
}

// readObject returns the position of an object.
func readObject(c *wire.Cursor, version uint16) int {
	c.Skip(2)
	position := 0
	if version == guidePlain {
		position = int(c.U16LE())
	} else {
		position = int(c.U32LE())
	}
	c.Skip(int(c.U16LE()))
	return position
}

func isObjectPlace(position int, text []byte) bool {
	return position >= 1 && position <= len(text) && text[position-1] == objectByte
}

func skipProperties(c *wire.Cursor) {
	for n := c.U16LE(); n > 0 && c.Err() == nil; n-- {
		c.Skip(2)
		c.Skip(int(c.U16LE()))
	}
}

// textStyle is the style of a run, as far as a new text has one.
type textStyle struct {
	font                    string
	halfPoints              uint32
	bold, italic, underline bool
	alignment               uint16 // 2: centred
	spacing                 uint16
}

// newTextStyle is that of new texts. otherStyles are the three lists at the
// end, which are the same in nearly all texts: styles of headings, by their
// look.
var (
	newTextStyle = textStyle{font: "Times New Roman", halfPoints: 24, spacing: 10}
	otherStyles  = [otherLists]textStyle{
		{font: "Times New Roman", halfPoints: 30, underline: true, alignment: 2},
		{font: "Times New Roman", halfPoints: 24, italic: true},
		{font: "Times New Roman", halfPoints: 22, bold: true},
	}
)

// defaultFormatting returns the formatting of a text of n bytes, in one style.
func defaultFormatting(n int) []byte {
	const style = 0
	b := wire.AppendU16LE(nil, formattingMark)
	b = wire.AppendU16LE(b, 0) // objects
	b = wire.AppendU16LE(b, 0)
	b = wire.AppendU16LE(b, 1) // styles
	b = wire.AppendU16LE(b, style)
	b = newTextStyle.append(b)
	for n > 0 {
		run := min(n, noMoreRuns-1)
		b = wire.AppendU16LE(b, uint16(run))
		b = wire.AppendU16LE(b, style)
		b = wire.AppendU16LE(b, 0)
		n -= run
	}
	b = wire.AppendU16LE(b, noMoreRuns)
	for i := range otherStyles {
		b = otherStyles[i].append(b)
	}
	return b
}

// append appends the style as ten properties in the usual order.
func (s *textStyle) append(dst []byte) []byte {
	flag := func(on bool) []byte {
		if on {
			return []byte{1}
		}
		return []byte{0}
	}
	font := append(wire.AppendU16LE(nil, uint16(len(s.font))), s.font...)
	properties := []struct {
		key   uint16
		value []byte
	}{
		{0, font},
		{4, wire.AppendU32LE(nil, s.halfPoints)},
		{1, flag(s.bold)}, {2, flag(s.italic)}, {3, flag(s.underline)},
		{5, wire.AppendU16LE(nil, s.alignment)},
		{6, wire.AppendU16LE(nil, s.spacing)},
		{7, make([]byte, 2)}, {8, make([]byte, 2)}, {9, make([]byte, 6)},
	}
	dst = wire.AppendU16LE(dst, uint16(len(properties)))
	for _, p := range properties {
		dst = wire.AppendU16LE(dst, p.key)
		dst = wire.AppendU16LE(dst, uint16(len(p.value)))
		dst = append(dst, p.value...)
	}
	return dst
}
