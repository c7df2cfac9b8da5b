package cbh

import (
	"fmt"
	"math"
	"slices"

	"cbkit/internal/wire"
	"cbkit/model"
)

// Guide is the content of a guiding text, a record of the .cbg file. Behind
// its head it is little-endian (docs/formats/cbg.md 8):
//
//	+0  u8 80, as in games | u24 size of the record, big-endian
//	+4  u16 version: 1 and 2 plain text, 3 HTML
//	    u16 number of titles, and for each u16 language, u16 size, bytes
//	    u8 1
//	    u16 number of contents, and for each u16 language, size, text,
//	    size, formatting; the sizes are u16 in version 1, u32 otherwise
type Guide struct {
	// HTML says that the contents are pages of HTML. Plain text has "\n"
	// where its lines end, and U+0004 where an object is embedded.
	HTML             bool
	Titles, Contents []model.LocalText
	// Leftover is what the texts do not say of the record, nil if that is
	// what AppendGuide would write: [model.TextLeftovers].Content.
	Leftover *model.Leftover
}

// The versions of guiding texts.
const (
	guidePlain     = 1
	guidePlainLong = 2
	guideHTML      = 3
)

const (
	guideHead     = 0x80
	guideHeadSize = 4
	guideMark     = 1 // the byte between titles and contents
	maxGuideSize  = 1<<24 - 1
)

// DecodeGuide decodes a record, which must be all of rec. Leftovers keep every
// byte that [AppendGuide] would write differently; after an error the leftover
// is the whole record.
func DecodeGuide(rec []byte, page CodePage) (Guide, error) {
	g, frame, err := decodeGuide(rec, page)
	switch {
	case err != nil:
		g = Guide{Leftover: &model.Leftover{Format: Format, Data: append([]byte{guideWhole}, rec...)}}
	case !frame.isDefault():
		g.Leftover = &model.Leftover{Format: Format, Data: frame.append(nil)}
	}
	return g, err
}

func decodeGuide(rec []byte, page CodePage) (g Guide, frame guideFrame, err error) {
	c := wire.NewCursor(rec)
	frame.head = c.U8()
	size := c.U24BE()
	if c.Err() == nil && int(size) != len(rec) {
		return g, frame, fail(1, "size", fmt.Errorf("%d of a record with %d bytes: %w", size, len(rec), model.ErrCorrupt))
	}
	frame.version = c.U16LE()
	if c.Err() == nil && (frame.version < guidePlain || frame.version > guideHTML) {
		return g, frame, fail(guideHeadSize, "version", fmt.Errorf("%d: %w", frame.version, model.ErrUnsupported))
	}
	g.HTML = frame.version == guideHTML
	d := guideDecoder{Cursor: c, guideCoder: guideCoder{frame.version, page}}
	for n := d.U16LE(); n > 0 && d.Err() == nil; n-- {
		g.Titles = append(g.Titles, d.title())
	}
	frame.mark = d.U8()
	for n := d.U16LE(); n > 0 && d.Err() == nil; n-- {
		g.Contents = append(g.Contents, d.content())
	}
	frame.trailer = d.Rest()
	return g, frame, d.Err()
}

// AppendGuide appends the record of a guiding text. Leftovers are used where
// they still fit the texts. New plain text is set in one font; it is cut into
// lines by "\n".
//
// It returns dst and an error that wraps [model.ErrTooLarge] if the record
// would exceed 16,777,215 bytes, or has more than 65,535 titles or contents.
// What else is not written as it is goes to report, under the given id.
func AppendGuide(dst []byte, g Guide, id model.RecordID, page CodePage, report model.Report) ([]byte, error) {
	if rec, ok := wholeGuide(&g); ok {
		return append(dst, rec...), nil
	}
	if max(len(g.Titles), len(g.Contents)) > math.MaxUint16 {
		return dst, fmt.Errorf("guiding text in %d languages: %w", max(len(g.Titles), len(g.Contents)), model.ErrTooLarge)
	}
	frame := frameOf(&g, page)
	e := guideEncoder{guideCoder: guideCoder{frame.version, page}, id: id, report: report}
	e.out = append(dst, frame.head, 0, 0, 0)
	e.out = wire.AppendU16LE(e.out, frame.version)
	e.out = wire.AppendU16LE(e.out, uint16(len(g.Titles)))
	for _, t := range g.Titles {
		e.title(t)
	}
	e.out = append(e.out, frame.mark)
	e.out = wire.AppendU16LE(e.out, uint16(len(g.Contents)))
	for _, t := range g.Contents {
		e.content(t)
	}
	e.out = append(e.out, frame.trailer...)
	size := len(e.out) - len(dst)
	if size > maxGuideSize {
		return dst, fmt.Errorf("guiding text of %d bytes: %w", size, model.ErrTooLarge)
	}
	wire.AppendU24BE(e.out[:len(dst)+1], uint32(size)) // over the zeros
	return e.out, nil
}

// guideFrame is what the texts do not say of a record.
type guideFrame struct {
	head    uint8
	version uint16
	mark    uint8
	trailer []byte // behind the last content
}

// The leftover of a record is one of these, and then the bytes of a
// guideFrame or the record.
const (
	guideFrameOnly = iota
	guideWhole
)

// defaultFrame is the frame of a record that was never stored.
func defaultFrame(version uint16) guideFrame {
	return guideFrame{head: guideHead, version: version, mark: guideMark}
}

// isDefault reports whether a record would get this frame without a leftover.
func (f *guideFrame) isDefault() bool {
	return f.head == guideHead && f.mark == guideMark && len(f.trailer) == 0 &&
		f.version != guidePlainLong // kept, though long texts need it
}

func (f *guideFrame) append(dst []byte) []byte {
	dst = append(dst, guideFrameOnly, f.head, f.mark)
	dst = wire.AppendU16LE(dst, f.version)
	return append(dst, f.trailer...)
}

// frameOf returns the frame for g: the stored one if its version suits the
// texts.
func frameOf(g *Guide, page CodePage) guideFrame {
	version := uint16(guidePlain)
	switch {
	case g.HTML:
		version = guideHTML
	case slices.ContainsFunc(g.Contents, func(t model.LocalText) bool { return isLongGuide(t, page) }):
		version = guidePlainLong
	}
	c := wire.NewCursor(g.Leftover.From(Format))
	kind := c.U8()
	stored := guideFrame{head: c.U8(), mark: c.U8(), version: c.U16LE(), trailer: c.Rest()}
	if c.Err() != nil || kind != guideFrameOnly {
		return defaultFrame(version)
	}
	if stored.version != guidePlainLong || version != guidePlain {
		stored.version = version
	}
	return stored
}

// wholeGuide returns the record in a leftover if it could not be decoded and
// nothing has taken its place.
func wholeGuide(g *Guide) ([]byte, bool) {
	data := g.Leftover.From(Format)
	if len(data) == 0 || data[0] != guideWhole || len(g.Titles) > 0 || len(g.Contents) > 0 {
		return nil, false
	}
	return data[1:], true
}
