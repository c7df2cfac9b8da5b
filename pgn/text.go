package pgn

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"cbkit/internal/brief"
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

// decodeWord returns a word of which the code page does not matter as UTF-8: that of a result,
// or a move with a sign.
func decodeWord(word string) string {
	if utf8.ValidString(word) {
		return word
	}
	return decodeWindows1252([]byte(word))
}

// decode returns a tag value, a comment or a word as UTF-8.
func (p *parser) decode(s string) string {
	if !p.mixed || utf8.ValidString(s) {
		return s
	}
	return p.decodeText([]byte(s))
}

// typography is what typographic signs stand for among moves, and what is left
// of those that only help to set them: dashes, fractions, soft hyphens and
// variation selectors.
var typography = strings.NewReplacer(
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2015", "-", "\u2212", "-",
	"\uFE58", "-", "\uFE63", "-", "\uFF0D", "-", "\u00BD", "1/2",
	"\u00D7", "x", "\u2020", "+", "\u2021", "#", "\u00AD", "", "\uFE0E", "", "\uFE0F", "",
)

// figurines are those of both colours (U+2654 and ChessBase's own).
var figurines = strings.NewReplacer(
	"\u2654", "K", "\u2655", "Q", "\u2656", "R", "\u2657", "B", "\u2658", "N", "\u2659", "",
	"\u265A", "K", "\u265B", "Q", "\u265C", "R", "\u265D", "B", "\u265E", "N", "\u265F", "",
	"\uE024", "K", "\uE025", "Q", "\uE026", "R", "\uE027", "B", "\uE028", "N", "\uE029", "",
)

// plain returns a word with plain signs for typographic ones, and letters for figurines.
func plain(word string) string { return figurines.Replace(typography.Replace(word)) }

// dashAt returns how many bytes the dash at i takes that is not a hyphen, 0 if
// there is none.
func dashAt(s []byte, i int) int {
	switch s[i] {
	case 0x96, 0x97: // in the code pages of Windows
		return 1
	case 0xE2, 0xEF:
		if _, width := utf8.DecodeRune(s[i:]); plain(string(s[i:i+width])) == "-" {
			return width
		}
	}
	return 0
}

// normalize cuts blanks off both ends of a text and makes one blank of every
// run of blanks and line breaks inside it.
func normalize(s string) string {
	s = trimBlanks(s)
	i := 1
	for i < len(s) && (s[i] > ' ' || s[i] == ' ' && s[i-1] != ' ' || !isBlank(s[i])) {
		i++
	}
	if i >= len(s) {
		return s
	}
	buf := append(make([]byte, 0, len(s)), s[:i]...)
	for ; i < len(s); i++ {
		c := s[i]
		if isBlank(c) {
			if c = ' '; buf[len(buf)-1] == ' ' {
				continue
			}
		}
		buf = append(buf, c)
	}
	return string(buf)
}

// trimBlanks cuts blanks off both ends.
func trimBlanks(s string) string {
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// unescape takes the backslashes out of the value of a tag and turns control
// characters, which no tag should hold, into blanks.
func unescape(v string) string {
	i := 0
	for i < len(v) && v[i] != '\\' && !isControl(v[i]) {
		i++
	}
	if i == len(v) {
		return v
	}
	buf := append(make([]byte, 0, len(v)), v[:i]...)
	for ; i < len(v); i++ {
		c := v[i]
		switch {
		case c == '\\' && i+1 < len(v) && (v[i+1] == '"' || v[i+1] == '\\'):
			i++
			c = v[i]
		case isControl(c):
			c = ' '
		}
		buf = append(buf, c)
	}
	return string(buf)
}

// quote returns the beginning of a text on one line, without control
// characters.
func quote(text string) string {
	text = normalize(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, text[:min(len(text), 10*brief.Characters)]))
	return brief.Text(text)
}
