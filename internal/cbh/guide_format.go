package cbh

import (
	"math"
	"slices"

	"cbkit/internal/wire"
)

// The formatting of a plain text, little-endian (docs/formats/cbg.md 8):
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

// guideFormatting is formatting that is understood as far as its text matters.
type guideFormatting struct {
	mark    [2]uint16 // the first and the third word
	objects []guideObject
	styles  []byte // with their number
	runs    []guideRun
	rest    []byte // the three properties
}

// guideObject is something embedded in a text.
type guideObject struct {
	kind     uint16
	position int // from 1, in bytes
	data     []byte
}

// guideRun is a stretch of text in one style.
type guideRun struct {
	length int // in bytes
	style  uint16
	zero   uint16
}

// parseFormatting reads formatting of the given version, to the last byte; ok is
// false for anything else.
func parseFormatting(b []byte, version uint16) (f guideFormatting, ok bool) {
	c := wire.NewCursor(b)
	f.mark[0] = c.U16LE()
	objects := c.U16LE()
	f.mark[1] = c.U16LE()
	for ; objects > 0 && c.Err() == nil; objects-- {
		f.objects = append(f.objects, readObject(&c, version))
	}
	from := len(b) - c.Len()
	for styles := c.U16LE(); styles > 0 && c.Err() == nil; styles-- {
		c.Skip(2)
		skipProperties(&c)
	}
	f.styles = b[from : len(b)-c.Len()]
	for c.Err() == nil {
		n := c.U16LE()
		if n == noMoreRuns {
			break
		}
		f.runs = append(f.runs, guideRun{int(n), c.U16LE(), c.U16LE()})
	}
	from = len(b) - c.Len()
	for range otherLists {
		skipProperties(&c)
	}
	f.rest = b[from:]
	return f, c.Err() == nil && c.Len() == 0
}

func readObject(c *wire.Cursor, version uint16) guideObject {
	return guideObject{c.U16LE(), guideNumber(c, version), c.Bytes(int(c.U16LE()))}
}

// The kinds of objects that lead to games and texts, by their numbers.
// (docs/formats/cbg.md 8)
var linkObjects = []uint16{2, 26, 5, 25}

// GuideLinks returns how many links to games and texts the plain contents of a
// guiding text have; of what cannot be decoded, none.
func GuideLinks(rec []byte) (n int) {
	g, _, _ := decodeGuide(rec, CodePage{}) // what was read before an error counts
	for _, t := range g.Contents {
		kept, _ := parseGuideContent(t.Leftover.From(Format))
		f, _ := parseFormatting(kept.formatting, kept.version)
		for _, o := range f.objects {
			if slices.Contains(linkObjects, o.kind) {
				n++
			}
		}
	}
	return n
}

// fits reports whether f is formatting of the given text: its objects stand at
// their bytes, and its runs are as long as the text.
func (f *guideFormatting) fits(text []byte) bool {
	for _, o := range f.objects {
		if o.position < 1 || o.position > len(text) || text[o.position-1] != objectByte {
			return false
		}
	}
	length := 0
	for _, r := range f.runs {
		length += r.length
	}
	return length == len(text)
}

// append appends the formatting in the given version. Runs that are too long for
// their field become several.
func (f *guideFormatting) append(dst []byte, version uint16) []byte {
	dst = wire.AppendU16LE(dst, f.mark[0])
	dst = wire.AppendU16LE(dst, uint16(len(f.objects)))
	dst = wire.AppendU16LE(dst, f.mark[1])
	for _, o := range f.objects {
		dst = wire.AppendU16LE(dst, o.kind)
		dst = appendGuideNumber(dst, version, o.position)
		dst = wire.AppendU16LE(dst, uint16(len(o.data)))
		dst = append(dst, o.data...)
	}
	dst = append(dst, f.styles...)
	for _, r := range f.runs {
		for rest := r.length; ; {
			n := min(rest, noMoreRuns-1)
			dst = wire.AppendU16LE(dst, uint16(n))
			dst = wire.AppendU16LE(dst, r.style)
			dst = wire.AppendU16LE(dst, r.zero)
			if rest -= n; rest == 0 {
				break
			}
		}
	}
	dst = wire.AppendU16LE(dst, noMoreRuns)
	return append(dst, f.rest...)
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
	f := guideFormatting{mark: [2]uint16{formattingMark}}
	f.styles = newTextStyle.append([]byte{1, 0, 0, 0}) // one style, number 0
	if n > 0 {
		f.runs = []guideRun{{length: n}}
	}
	for i := range otherStyles {
		f.rest = otherStyles[i].append(f.rest)
	}
	return f.append(nil, guidePlain)
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
