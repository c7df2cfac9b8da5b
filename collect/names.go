package collect

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text in small letters without accents, with the letters that
// are no letter with an accent spelt out (ø o, ł l, ß ss), and with single
// blanks in place of everything that is neither letter nor digit.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		if spelt, ok := spellings[unicode.ToLower(r)]; ok {
			b.WriteString(spelt)
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// spellings are the Latin letters that do not fall apart into a letter and an
// accent.
var spellings = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", 'ħ': "h",
}
