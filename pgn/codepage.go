package pgn

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// windows1252 maps every byte to its character. The five bytes that
// Windows-1252 leaves open (81 8D 8F 90 9D) are the control characters of the
// same number, so that nothing is lost.
var windows1252 = func() (table [256]rune) {
	for b := range table {
		r := charmap.Windows1252.DecodeByte(byte(b))
		if r == utf8.RuneError {
			r = rune(b)
		}
		table[b] = r
	}
	return table
}()

func decodeWindows1252(text []byte) string {
	buf := make([]byte, 0, len(text)+len(text)/4)
	for _, b := range text {
		buf = utf8.AppendRune(buf, windows1252[b])
	}
	return string(buf)
}

// decode returns a tag value or a comment as UTF-8.
func (p *parser) decode(s string) string {
	if !p.mixed || utf8.ValidString(s) {
		return s
	}
	return p.codePage([]byte(s))
}
