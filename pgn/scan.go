package pgn

import "strings"

// wordEnds marks the bytes that end a move or another word among the moves.
// '!' and '?' do, so that they are read as symbols, attached or apart.
var wordEnds = func() (ends [256]bool) {
	for _, b := range []byte("\x00\t\n\v\f\r {}()[];$!?\"*%<>,") {
		ends[b] = true
	}
	return ends
}()

// maxWord is the length of the longest word, in bytes; what goes on longer is
// no word at all.
const maxWord = 256

// wordEnd returns the end of the word at i, which is i where there is none.
func wordEnd(s string, i int) int {
	most := min(len(s), i+maxWord)
	for i < most && !wordEnds[s[i]] {
		i++
	}
	return i
}

// moveEnd returns the end of the word at i, a bracketed promotion such as
// "e8(Q)" included.
func moveEnd(s string, i int) int {
	end := wordEnd(s, i)
	if end > i && end+2 < len(s) && s[end] == '(' && s[end+2] == ')' &&
		(s[end-1] == '8' || s[end-1] == '1') && strings.IndexByte("QRBNqrbn", s[end+1]) >= 0 {
		return wordEnd(s, end+3)
	}
	return end
}

// scanComment returns the text of the comment that the brace or semicolon at i
// opens, and the place behind it; -1 if it has no end.
func scanComment(s string, i int) (body string, end int) {
	if s[i] == ';' {
		end = lineEnd(s, i)
		return s[i+1 : end], end
	}
	k := strings.IndexByte(s[i:], '}')
	if k < 0 {
		return s[i+1:], -1
	}
	return s[i+1 : i+k], i + k + 1
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
	return string(appendNormalized(buf, s[i:]))
}

// appendNormalized appends a text to another one with single blanks only.
func appendNormalized(dst []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if isBlank(c) {
			if len(dst) == 0 || dst[len(dst)-1] == ' ' {
				continue
			}
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}
