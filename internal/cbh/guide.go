package cbh

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

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
	case slices.ContainsFunc(g.Contents, func(t model.LocalText) bool {
		return len(t.Text) > math.MaxUint16 && len(guideCoder{guidePlain, page}.encode(t.Text)) > math.MaxUint16
	}):
		version = guidePlainLong
	}
	c := wire.NewCursor(g.Leftover.From(Format))
	kind := c.U8()
	stored := guideFrame{head: c.U8(), mark: c.U8(), version: c.U16LE(), trailer: c.Rest()}
	if c.Err() != nil || kind != guideFrameOnly {
		return guideFrame{head: guideHead, version: version, mark: guideMark} // of a record that was never stored
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

// guideCoder turns the texts of a record of one version into bytes and back.
type guideCoder struct {
	version uint16
	page    CodePage
}

// decode returns a content. Lines of plain text end with a carriage return.
func (k guideCoder) decode(b []byte) string {
	s := k.page.Decode(b)
	if k.version != guideHTML {
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return s
}

var plainLineEnds = strings.NewReplacer("\r\n", "\r", "\n", "\r")

// encode is the inverse of decode. HTML is always UTF-8, which it declares.
func (k guideCoder) encode(s string) []byte {
	if k.version == guideHTML {
		return []byte(strings.ToValidUTF8(s, "\uFFFD"))
	}
	return k.page.Encode(plainLineEnds.Replace(s))
}

// formatting returns what is written behind a new text.
func (k guideCoder) formatting(text []byte) []byte {
	if k.version == guideHTML {
		return nil
	}
	return defaultFormatting(len(text))
}

// guideDecoder reads titles and contents.
type guideDecoder struct {
	wire.Cursor
	guideCoder
}

// language reads a language.
func (d *guideDecoder) language() model.Language {
	l, ok := unpackGuideLanguage(d.U16LE())
	if !ok {
		d.Fail("language", model.ErrUnsupported)
	}
	return l
}

// size reads the size of a text or its formatting.
func (d *guideDecoder) size() int { return guideNumber(&d.Cursor, d.version) }

// guideNumber reads a number that has two bytes in version 1, else four.
func guideNumber(c *wire.Cursor, version uint16) int {
	if version == guidePlain {
		return int(c.U16LE())
	}
	return int(c.U32LE())
}

// appendGuideNumber appends such a number.
func appendGuideNumber(dst []byte, version uint16, n int) []byte {
	if version == guidePlain {
		return wire.AppendU16LE(dst, uint16(n))
	}
	return wire.AppendU32LE(dst, uint32(n))
}

func (d *guideDecoder) title() model.LocalText {
	t := model.LocalText{Language: d.language()}
	b := d.Bytes(int(d.U16LE()))
	t.Text = d.page.Decode(b)
	if !bytes.Equal(d.page.Encode(t.Text), b) {
		t.Leftover = &model.Leftover{Format: Format, Data: slices.Clone(b)}
	}
	return t
}

func (d *guideDecoder) content() model.LocalText {
	t := model.LocalText{Language: d.language()}
	b := d.Bytes(d.size())
	t.Text = d.decode(b)
	stored := guideContent{version: d.version, formatting: d.Bytes(d.size())}
	if d.Err() != nil {
		return t
	}
	if bytes.Equal(d.encode(t.Text), b) && bytes.Equal(d.formatting(b), stored.formatting) {
		return t
	}
	stored.text = b
	t.Leftover = &model.Leftover{Format: Format, Data: stored.append(nil)}
	return t
}

// guideContent is the leftover of a content: its bytes and its formatting. The
// text is there twice, so that the formatting can follow when it is edited.
type guideContent struct {
	version    uint16
	text       []byte
	formatting []byte
}

func (g *guideContent) append(dst []byte) []byte {
	dst = append(dst, uint8(g.version))
	dst = wire.AppendU32LE(dst, uint32(len(g.text)))
	return append(append(dst, g.text...), g.formatting...)
}

func parseGuideContent(b []byte) (g guideContent, ok bool) {
	c := wire.NewCursor(b)
	g.version = uint16(c.U8())
	g.text = c.Bytes(int(c.U32LE()))
	g.formatting = c.Rest()
	return g, c.Err() == nil
}

// guideEncoder writes titles and contents.
type guideEncoder struct {
	guideCoder
	id     model.RecordID
	report model.Report
	out    []byte
}

func (e *guideEncoder) language(l model.Language) {
	n, ok := packGuideLanguage(l)
	if !ok {
		e.report.Add(model.Changed, e.id, "text", "language %s became any language", l)
	}
	e.out = wire.AppendU16LE(e.out, n)
}

func (e *guideEncoder) size(n int) { e.out = appendGuideNumber(e.out, e.version, n) }

func (e *guideEncoder) title(t model.LocalText) {
	b := t.Leftover.From(Format)
	if b == nil || e.page.Decode(b) != t.Text {
		b = encodeUpTo(e.page.Encode, t.Text, math.MaxUint16)
		explainString(e.report, e.id, "title", t.Text, e.page.Decode(b))
	}
	e.language(t.Language)
	e.out = wire.AppendU16LE(e.out, uint16(len(b)))
	e.out = append(e.out, b...)
}

func (e *guideEncoder) content(t model.LocalText) {
	text, formatting := e.encodeContent(t)
	e.language(t.Language)
	e.size(len(text))
	e.out = append(e.out, text...)
	e.size(len(formatting))
	e.out = append(e.out, formatting...)
}

// encodeContent returns the bytes of a content and its formatting: the stored
// ones as far as they fit the text.
func (e *guideEncoder) encodeContent(t model.LocalText) (text, formatting []byte) {
	g, ok := parseGuideContent(t.Leftover.From(Format))
	if ok && g.version == e.version && e.decode(g.text) == t.Text {
		return g.text, g.formatting
	}
	text = e.encode(t.Text)
	explainString(e.report, e.id, "text", t.Text, e.decode(text))
	if !ok {
		return text, e.guideCoder.formatting(text)
	}
	return text, e.follow(&g, text)
}

// follow returns the formatting of a text that was edited, and reports what of
// the stored formatting is lost.
func (e *guideEncoder) follow(g *guideContent, text []byte) []byte {
	fresh := e.guideCoder.formatting(text)
	was := guideCoder{g.version, e.page}
	if bytes.Equal(g.formatting, was.formatting(g.text)) {
		return fresh // nothing of its own
	}
	f, ok := parseFormatting(g.formatting, g.version)
	if !ok || g.version == guideHTML || e.version == guideHTML || !f.fits(g.text) {
		e.report.Add(model.LostField, e.id, "text", "%d bytes of formatting that do not fit the new text", len(g.formatting))
		return fresh
	}
	edit := newGuideEdit(e.guideCoder, g.text, text)
	objects, runs := f.follow(&edit)
	formatting := f.append(nil, e.version)
	if !f.fits(text) { // there was no text, and so no style
		return fresh
	}
	if e.version == guidePlain && len(formatting) > math.MaxUint16 {
		e.report.Add(model.LostField, e.id, "text", "%d bytes of formatting, more than a text of this version has", len(formatting))
		return fresh
	}
	if objects+runs > 0 {
		e.report.Add(model.LostField, e.id, "text", "%d embedded objects and %d stretches of formatting, the text of which is gone", objects, runs)
	}
	return formatting
}

// guideLanguages are the languages of guiding texts, and of training
// questions, by number. Number 7 is no particular language (docs/formats/cbg.md 8).
var guideLanguages = [8]model.Language{
	model.English, model.German, model.French, model.Spanish,
	model.Italian, model.Dutch, model.Portuguese, model.AnyLanguage,
}

const guideAnyLanguage = 7

// unpackGuideLanguage returns the language with the given number: above 7 the
// number behind [model.GuideLanguageBase], false where that has no room for it.
func unpackGuideLanguage(n uint16) (model.Language, bool) {
	if int(n) < len(guideLanguages) {
		return guideLanguages[n], true
	}
	return model.GuideLanguageBase + model.Language(n), n <= math.MaxUint16-uint16(model.GuideLanguageBase)
}

// packGuideLanguage is the inverse of unpackGuideLanguage. Languages without a
// number become number 7; ok is false then.
func packGuideLanguage(l model.Language) (n uint16, ok bool) {
	if i := slices.Index(guideLanguages[:], l); i >= 0 {
		return uint16(i), true
	}
	if n := l - model.GuideLanguageBase; l >= model.GuideLanguageBase && int(n) >= len(guideLanguages) {
		return uint16(n), true
	}
	return guideAnyLanguage, false
}
