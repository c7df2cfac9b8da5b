package cbh2

import (
	"cbkit/internal/wire"
	"cbkit/model"
)

// The content of a guiding text: u16 5 | i32 bytes that follow | i32 n | n times: i32
// language (the number of a nation), i32 size, HTML. ChessBase writes seven languages,
// those that are missing with size 0.
const textVersion = 5

// DecodeText reads the content of the frame of a guiding text; languages without text
// are left out. Text that is no UTF-8 is read by foreign.
func DecodeText(content []byte, foreign func([]byte) string) ([]model.LocalText, error) {
	c := wire.NewCursor(content)
	if version := c.U16LE(); version != textVersion {
		return nil, wrong(0, "version", model.ErrUnsupported, "%d, not %d", version, textVersion)
	}
	if size := c.I32LE(); int(size) != c.Len() {
		return nil, wrong(2, "size", model.ErrCorrupt, "%d bytes, %d are there", size, c.Len())
	}
	return localTexts(&c, foreign)
}

// localTexts reads a number of texts with their languages; it takes all of c.
func localTexts(c *wire.Cursor, foreign func([]byte) string) (texts []model.LocalText, err error) {
	n := c.I32LE()
	if n < 0 || int(n) > c.Len()/8 {
		return nil, wrong(int(c.Offset())-4, "texts", model.ErrCorrupt, "%d texts in %d bytes", n, c.Len())
	}
	for range n {
		language, b := c.I32LE(), sized(c)
		if len(b) == 0 {
			continue
		}
		texts = append(texts, model.LocalText{Language: model.Language(language), Text: decodeText(b, foreign)})
	}
	return texts, c.Err()
}

// guideLanguages are the seven that ChessBase offers for texts and titles.
var guideLanguages = [...]model.Language{model.English, model.Spanish, model.French, model.German, model.Italian, model.Dutch, model.Portuguese}

// AppendText appends the content of the frame of a guiding text.
func AppendText(dst []byte, texts []model.LocalText) []byte {
	body := appendLocalTexts(nil, texts)
	return append(wire.AppendU32LE(wire.AppendU16LE(dst, textVersion), uint32(len(body))), body...)
}

// appendLocalTexts appends texts as ChessBase does: all seven languages in their order,
// others where their numbers are.
func appendLocalTexts(dst []byte, texts []model.LocalText) []byte {
	begin, n, next := len(dst), 0, 0
	dst = wire.AppendU32LE(dst, 0)
	add := func(language model.Language, text string) {
		n++
		dst = appendSized(wire.AppendU32LE(dst, uint32(language)), text)
	}
	for _, language := range guideLanguages {
		for ; next < len(texts) && texts[next].Language < language; next++ {
			add(texts[next].Language, texts[next].Text)
		}
		text := ""
		if next < len(texts) && texts[next].Language == language {
			text = texts[next].Text
			next++
		}
		add(language, text)
	}
	for _, t := range texts[next:] {
		add(t.Language, t.Text)
	}
	wire.AppendU32LE(dst[:begin], uint32(n))
	return dst
}
