package cbh

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"cbkit/internal/wire"
	"cbkit/model"
)

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

// isLongGuide reports whether a plain text is too long for version 1.
func isLongGuide(t model.LocalText, page CodePage) bool {
	return len(t.Text) > math.MaxUint16 && len(guideCoder{guidePlain, page}.encode(t.Text)) > math.MaxUint16
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
func (d *guideDecoder) size() int {
	if d.version == guidePlain {
		return int(d.U16LE())
	}
	return int(d.U32LE())
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

func (e *guideEncoder) size(n int) {
	if e.version == guidePlain {
		e.out = wire.AppendU16LE(e.out, uint16(n))
	} else {
		e.out = wire.AppendU32LE(e.out, uint32(n))
	}
}

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
