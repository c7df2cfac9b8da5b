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

// tagPair is a tag as it stands in the text.
type tagPair struct {
	name, value string // the value without quotes, escapes still in it
	end         int    // first byte behind it
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }

// isBlank reports whether b separates words. NUL bytes do, as other control
// characters that only space things out.
func isBlank(b byte) bool {
	return b == ' ' || b == '\n' || b == '\r' || b == '\t' || b == '\v' || b == '\f' || b == 0
}

// isNameEnd reports whether b cannot stand in the name of a tag.
func isNameEnd(b byte) bool { return b <= ' ' || b == 0x7F || b == '"' || b == '[' || b == ']' }

// isNameStart reports whether the name of a tag may begin with b: nearly
// anything may, but not the signs with which commands and comments begin.
func isNameStart(b byte) bool { return !isNameEnd(b) && strings.IndexByte("%#{}();", b) < 0 }

// maxTagName is the length of the longest name by which a tag is known to
// begin a game, maxIndent how many blanks may stand in front of it, and
// headOfTag what must be seen of a line to tell.
const (
	maxTagName = 64
	maxIndent  = 8
	headOfTag  = 1 + maxIndent + maxTagName + maxIndent + 1
)

// tagName returns the name of the tag that s starts with: an opening bracket,
// the name, blanks and a quote, which nothing but a tag does. It returns
// nothing where there is none.
func tagName[T string | []byte](s T) (name T) {
	if len(s) < 4 || s[0] != '[' {
		return name
	}
	i := 1
	for i < len(s) && i <= maxIndent && isSpace(s[i]) {
		i++
	}
	if i == len(s) || !isNameStart(s[i]) {
		return name
	}
	start := i
	for i < len(s) && i-start < maxTagName && !isNameEnd(s[i]) {
		i++
	}
	end := i
	for i < len(s) && i-end < maxIndent && isSpace(s[i]) {
		i++
	}
	if i == len(s) || s[i] != '"' {
		return name
	}
	return s[start:end]
}

// isSpace reports whether b is a blank that does not end a line.
func isSpace(b byte) bool { return b == ' ' || b == '\t' }

// startsTag reports whether s starts with a tag.
func startsTag[T string | []byte](s T) bool { return len(tagName(s)) > 0 }

// headsGame reports whether a tag of that name says which game begins. Others
// may have got between the moves of a game.
func headsGame[T string | []byte](name T) bool {
	switch string(name) {
	case "Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp":
		return true
	}
	return false
}

// scanTag reads the tag at s[i:], which is '[' and not the end of the text.
// Missing quotes and brackets are forgiven: a tag ends at the line end at the
// latest. Its name is empty if there is none.
func scanTag(s string, i int) tagPair {
	j := i + 1
	for j < len(s) && isSpace(s[j]) {
		j++
	}
	begin := j
	for j < len(s) && !isNameEnd(s[j]) {
		j++
	}
	t := tagPair{name: s[begin:j]}
	for j < len(s) && s[j] != '\n' && isBlank(s[j]) {
		j++
	}
	if j < len(s) && s[j] == '"' {
		t.value, t.end = scanQuoted(s, j+1)
		return t
	}
	end := j
	for end < len(s) && s[end] != ']' && s[end] != '\n' {
		end++
	}
	t.value, t.end = trimBlanks(s[j:end]), end
	if end < len(s) && s[end] == ']' {
		t.end++
	}
	return t
}

// scanQuoted reads a value behind its opening quote. The closing quote is the
// first one that a bracket or the line end follows; without one the rest of
// the line is the value.
func scanQuoted(s string, from int) (value string, end int) {
	k := from
	for ; k < len(s) && s[k] != '\n'; k++ {
		switch s[k] {
		case '\\':
			if k+1 < len(s) && (s[k+1] == '"' || s[k+1] == '\\') {
				k++
			}
		case '"':
			rest := k + 1
			for rest < len(s) && s[rest] != '\n' && isBlank(s[rest]) {
				rest++
			}
			if rest < len(s) && s[rest] == ']' {
				return s[from:k], rest + 1
			}
			if rest == len(s) || s[rest] == '\n' {
				return s[from:k], rest
			}
		}
	}
	return strings.TrimRight(trimBlanks(s[from:k]), `]"`), k
}

// unescape takes the backslashes out of a value and turns control characters,
// which no tag should hold, into blanks.
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

func isControl(b byte) bool { return b < ' ' || b == 0x7F }

// lineEnd returns the place of the first line break at or after i, or the end
// of the text.
func lineEnd(s string, i int) int {
	if k := strings.IndexByte(s[i:], '\n'); k >= 0 {
		return i + k
	}
	return len(s)
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
