package pgn

import (
	"strings"
	"unicode/utf8"
)

// A tag whose name other programs do not take, because it has other characters
// than letters, digits and underscores, or which a game may have only once, is
// written under a name of our own: ownPrefix and the name, of which every other
// byte than a letter or digit is an underscore and two hexadecimal digits.
//
//	[CbTag_White "another one"]     a second [White]
//	[CbTag_a_2Db "x"]               [a-b "x"]
const ownPrefix = "CbTag_"

// isPlainName reports whether a tag can be written under its name.
func isPlainName(name string) bool {
	if name == "" || !isLetter(name[0]) && !isDigit(name[0]) {
		return false
	}
	for i := range len(name) {
		if !isLetter(name[i]) && !isDigit(name[i]) && name[i] != '_' {
			return false
		}
	}
	_, own := parseOwnName(name)
	return !own
}

const hexDigits = "0123456789ABCDEF"

func appendOwnName(dst []byte, name string) []byte {
	dst = append(dst, ownPrefix...)
	for i := range len(name) {
		if b := name[i]; isLetter(b) || isDigit(b) {
			dst = append(dst, b)
		} else {
			dst = append(dst, '_', hexDigits[b>>4], hexDigits[b&15])
		}
	}
	return dst
}

// parseOwnName reads what appendOwnName writes, to the letter.
func parseOwnName(name string) (string, bool) {
	text, ok := strings.CutPrefix(name, ownPrefix)
	if !ok {
		return "", false
	}
	var plain []byte
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b == '_' && i+2 < len(text) {
			high, low := strings.IndexByte(hexDigits, text[i+1]), strings.IndexByte(hexDigits, text[i+2])
			if high < 0 || low < 0 {
				return "", false
			}
			b = byte(high<<4 | low)
			i += 2
		}
		plain = append(plain, b)
	}
	own := string(plain)
	if !utf8.ValidString(own) || string(appendOwnName(nil, own)) != name {
		return "", false
	}
	return own, true
}
