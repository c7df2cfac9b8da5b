package gen

import (
	"unicode/utf8"

	"pgregory.net/rapid"
)

// corners are strings that codecs stumble over: quotes and escapes of every
// notation, blanks at the ends, line breaks, the private-use symbols of
// ChessBase, what HTML and JavaScript treat specially, code pages' edges.
var corners = []string{
	"", " ", "?", "a", "  two  blanks  ", "\ttab", "line\nbreak", "CR\r\nLF", "\r",
	`"quoted"`, `back\slash`, `\`, `{brace}`, `}`, `[%csl Ge4]`, `[#]`, `;semicolon`, `%percent`,
	"O'Kelly, Albéric", "Ljubojević", "Карпов", "謝軍", "Ðorđe", "ß", "ÿ", "€", "\u0081\u008d\u009d",
	"\ue000\ue024\ue029", "\u2028\u2029", "<b>&amp;</b>", "\x00", "\x01\x1f\x7f", "\ufeff", "\ufffd",
	"♔♟", "\U0001f642", "¢£¤¥¦§©°", "e\u0301", "1-0", "$1", "--", "...", "a, b, c", ",", "null",
}

// String draws text of at most max bytes of valid UTF-8 (of any bytes in wild
// configurations).
func (c Config) String(t *rapid.T, max int, label string) string {
	if c.Runes != nil {
		return rapid.StringOfN(rapid.SampledFrom(c.Runes), -1, -1, max).Draw(t, label)
	}
	switch rapid.IntRange(0, 5).Draw(t, label+" style") {
	case 0:
		s := rapid.SampledFrom(corners).Draw(t, label)
		if len(s) <= max {
			return s
		}
	case 1:
		if s := rapid.StringN(-1, -1, max).Draw(t, label); utf8.ValidString(s) {
			return s
		}
	case 2:
		if c.Wild {
			return string(rapid.SliceOfN(rapid.Byte(), 0, min(max, 12)).Draw(t, label))
		}
	case 3: // as long as can be
		return rapid.StringOfN(rapid.RuneFrom([]rune("aé")), max/2, max, max).Draw(t, label)
	}
	return rapid.StringOfN(rapid.RuneFrom([]rune("abcdefgh ABC,.-12áßñøŁ")), -1, min(20, max), max).Draw(t, label)
}

// name draws a name of an entity.
func (c Config) name(t *rapid.T, label string) string { return c.String(t, c.nameBytes(), label) }

// text draws a comment.
func (c Config) text(t *rapid.T, label string) string { return c.String(t, c.textBytes(), label) }
