package pgn

import (
	"bytes"
	"unicode/utf8"
)

// A lexer takes PGN text apart. It has two speeds: next, for the parser, gives
// every token; skim, for the splitter, passes by all but comments, tags and
// other brackets. Both go by the same table and the same few functions, so that
// the splitter sees the structure of a text as the parser will.
type lexer struct {
	text []byte
	i    int // everything before it has been read
	// complete says that nothing follows behind text. The parser's is always.
	complete bool
	// last says that the file ends with the text.
	last bool
	// head says that tags stand here, or may: they need no quotes then.
	head bool
	// pair is the tag that was read last, and tag where it ended; ends, where the
	// last tag, comment, bracket or escaped line ended, and the one before.
	pair tagPair
	tag  int
	ends [2]int

	skimming
}

// token is a piece of text.
type token struct {
	kind       kind
	start, end int
}

// kind is what a token is.
type kind uint8

const (
	tokEnd       kind = iota // nothing follows
	tokWord                  // a move, or anything else written in one
	tokScore                 // a word that begins with a digit: a result, castling with zeros
	tokNumber                // the number of a move, with its dots
	tokNAG                   // $ and its digits
	tokMark                  // one or two of ! and ?
	tokStar                  // *
	tokOpen                  // (
	tokClose                 // )
	tokDrawOffer             // (=)
	tokAngles                // <diagram>
	tokStray                 // a sign that is passed by
	tokComment               // {…}, or ; and the rest of the line
	tokQuoting               // {…} with the tags of a game in it
	tokTag                   // [Name "value"], or without quotes in the head
	tokBracket               // anything else in square brackets
	tokUnclosed              // a comment without end, up to where the next game begins
	tokLineBreak             // skim's only
)

// class is what a byte is to the lexer. The order counts: below classBlank are
// those that a word goes on with, from classPercent on those that make
// structure.
type class uint8

const (
	classWord  class = iota
	classDigit       // begins numbers and results
	classDot         // begins nothing
	classLead        // may begin a blank of several bytes
	classBlank
	classOpen
	classClose
	classDollar
	classMark
	classStar
	classAngle
	classStray
	classLineBreak
	classPercent
	classBrace
	classSemicolon
	classBracket
)

var classes = byteTable(map[class]string{
	classDigit: "0123456789", classDot: ".", classLead: "\xC2\xE2\xEF\xA0", classBlank: oddBlanks + " ",
	classOpen: "(", classClose: ")", classDollar: "$", classMark: "!?", classStar: "*", classAngle: "<",
	classStray: `"},>]\`, classLineBreak: "\n", classPercent: "%", classBrace: "{", classSemicolon: ";", classBracket: "[",
})

// oddBlanks are the blanks but those that people write, which are " " and "\n".
const oddBlanks = "\x00\t\v\f\r"

// byteTable returns a table of what the bytes of each text are; all others are zero.
func byteTable[T comparable](bytes map[T]string) (table [256]T) {
	for is, text := range bytes {
		for i := range len(text) {
			table[text[i]] = is
		}
	}
	return table
}

// isBlank reports whether b separates words. NUL bytes do, as other control
// characters that only space things out.
func isBlank(b byte) bool { return classes[b] == classBlank || b == '\n' }

// isSpace reports whether b is a blank that does not end a line.
func isSpace(b byte) bool { return b == ' ' || b == '\t' }

func isLetter(b byte) bool  { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isDigit(b byte) bool   { return b >= '0' && b <= '9' }
func isControl(b byte) bool { return b < ' ' || b == 0x7F }

// blankAt returns how many bytes the character at i takes if it separates
// words, 0 otherwise. Beyond ASCII those are hard, thin and invisible blanks,
// the ellipsis, and the byte order mark, which stands inside files that were
// joined. A byte A0 is the hard blank of the code pages unless it may be a part
// of a character in UTF-8.
func blankAt(s []byte, i int) int {
	switch classes[s[i]] {
	case classBlank, classLineBreak:
		return 1
	case classLead:
	default:
		return 0
	}
	if s[i] == 0xA0 {
		if i == 0 || s[i-1] < 0x80 {
			return 1
		}
		return 0
	}
	switch r, width := utf8.DecodeRune(s[i:]); {
	case r >= 0x2000 && r <= 0x200F, r == 0xA0, r == 0x2026, r == 0x2028, r == 0x2029, r == 0x202F, r == 0x2060, r == 0xFEFF:
		return width
	}
	return 0
}

// skipBlanks returns the place of the first thing at or behind i that is
// neither a blank nor an escaped line.
func skipBlanks(s []byte, i int) int {
	for i < len(s) {
		width := blankAt(s, i)
		switch {
		case width > 0:
			i += width
		case isEscape(s, i):
			i = lineEnd(s, i)
		default:
			return i
		}
	}
	return i
}

// isEscape reports whether a line begins at i that is to be skipped.
func isEscape(s []byte, i int) bool { return s[i] == '%' && (i == 0 || s[i-1] == '\n') }

// lineEnd returns the place of the first line break at or after i, or the end
// of the text.
func lineEnd(s []byte, i int) int {
	if k := bytes.IndexByte(s[i:], '\n'); k >= 0 {
		return i + k
	}
	return len(s)
}

// linesBefore counts the line breaks between i and what stands before it.
func linesBefore(s []byte, i int) int { return bytes.Count(s[blanksBefore(s, i):i], []byte{'\n'}) }

// blankBefore returns how many bytes the blank takes that ends at i, 0 if there
// is none.
func blankBefore(s []byte, i int) int {
	if isBlank(s[i-1]) {
		return 1
	}
	for width := 1; width <= 3 && width <= i && s[i-1] >= 0x80; width++ {
		if blankAt(s, i-width) == width {
			return width
		}
	}
	return 0
}

// next reads a token of a complete text.
func (l *lexer) next() token {
	s := l.text
	i := l.i
	for i < len(s) {
		switch classes[s[i]] {
		case classBlank, classLineBreak:
			i++
		case classWord:
			end := i + 1
			for end < len(s) && classes[s[end]] < classLead {
				end++
			}
			if end == len(s) || s[end] == ' ' && s[i] < 0x80 && end-i <= maxWord {
				l.i = end
				return token{tokWord, i, end}
			}
			return l.word(i)
		case classDigit:
			return l.digits(i)
		case classLead:
			width := blankAt(s, i)
			if width == 0 {
				return l.word(i)
			}
			i += width
		case classPercent:
			if !isEscape(s, i) {
				return l.token(tokStray, i, i+1)
			}
			i = lineEnd(s, i)
			l.note(i)
		default:
			return l.sign(i)
		}
	}
	return l.token(tokEnd, i, i)
}

// token returns a token and goes on behind it.
func (l *lexer) token(kind kind, start, end int) token {
	l.i = end
	return token{kind, start, end}
}

// close returns a comment, a tag or another bracket and goes on behind it.
func (l *lexer) close(kind kind, start, end int) token {
	if l.note(end); kind == tokTag {
		l.tag = end
	}
	return l.token(kind, start, end)
}

// note takes note of where something ended of which the words say nothing.
func (l *lexer) note(end int) { l.ends[0], l.ends[1] = end, l.ends[0] }

// sign reads what a sign begins.
func (l *lexer) sign(i int) token {
	s := l.text
	switch classes[s[i]] {
	case classBrace:
		end, how := commentEnd(s, i+1, true)
		return l.close(how, i, end)
	case classSemicolon:
		return l.close(tokComment, i, lineEnd(s, i))
	case classBracket:
		return l.bracket(i)
	case classOpen:
		if end := i + len(drawOffer); end <= len(s) && string(s[i:end]) == drawOffer {
			return l.token(tokDrawOffer, i, end)
		}
		return l.token(tokOpen, i, i+1)
	case classClose:
		return l.token(tokClose, i, i+1)
	case classDollar:
		return l.token(tokNAG, i, digitsEnd(s, i+1))
	case classMark:
		if i+1 < len(s) && classes[s[i+1]] == classMark {
			return l.token(tokMark, i, i+2)
		}
		return l.token(tokMark, i, i+1)
	case classStar:
		return l.token(tokStar, i, i+1)
	case classAngle:
		// The PGN standard keeps angle brackets for later; some programs use them
		// for diagrams, evaluations, or a null move.
		within := s[i+1 : min(len(s), i+maxWord)]
		switch k := bytes.IndexAny(within, ">\n{}();[%"); {
		case k == 0 && within[0] == '>':
			return l.token(tokWord, i, i+2)
		case k > 0 && within[k] == '>' && !isBlank(within[0]) && !startsFirstMove(within[:k], 0, false):
			return l.token(tokAngles, i, i+1+k+1)
		}
	}
	return l.token(tokStray, i, i+1)
}

// drawOffer is how tournament bulletins mark a draw offer.
const drawOffer = "(=)"

// maxWord is the length of the longest word, in bytes; what goes on longer is
// no word at all.
const maxWord = 256

// wordEnd returns the end of the word at i, which is i where there is none.
func wordEnd(s []byte, i int) int {
	most := min(len(s), i+maxWord)
	for i < most && (classes[s[i]] < classLead || classes[s[i]] == classLead && blankAt(s, i) == 0) {
		i++
	}
	return i
}

// word reads the word at i, a bracketed promotion such as "e8(Q)" or a result
// with blanks around its dash included. A dot is a part of it: "e.p." is a word.
func (l *lexer) word(i int) token {
	s := l.text
	end := wordEnd(s, i)
	square := end
	for square > i && (s[square-1] == '+' || s[square-1] == '#') {
		square--
	}
	if end+2 < len(s) && s[end] == '(' && s[end+2] == ')' && square > i && (s[square-1] == '8' || s[square-1] == '1') &&
		bytes.IndexByte([]byte("QRBNqrbn"), s[end+1]) >= 0 {
		end = wordEnd(s, end+3)
	}
	return l.token(tokWord, i, scoreEnd(s, i, end))
}

func digitsEnd(s []byte, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// digits reads the number of a move or a result, castling with zeros, a null
// move.
func (l *lexer) digits(i int) token {
	s := l.text
	end := digitsEnd(s, i)
	if end < len(s) {
		switch c := s[end]; {
		case c == '.' && (s[i] != '0' || !isHalf(s[i:])):
			for end < len(s) && s[end] == '.' {
				end++
			}
			return l.token(tokNumber, i, end)
		case c == '-' || c == '/' || c == ':' || c == '.' || dashAt(s, end) > 0:
			return l.token(tokScore, i, scoreEnd(s, i, wordEnd(s, i)))
		case c == ' ':
			if spaced := scoreEnd(s, i, end); spaced > end {
				return l.token(tokScore, i, spaced)
			}
		}
	}
	switch string(s[i:end]) {
	case "00", "000", "0000": // castling, a null move
		return l.token(tokScore, i, end)
	}
	return l.token(tokNumber, i, end)
}

// commentView is how far behind the tags in a comment its end is looked for.
const commentView = 64 << 10

// commentEnd returns where the comment ends whose text goes on at from, and as
// what. If it lacks its brace it is tokUnclosed and ends where the tags of the
// next game begin, so that one missing brace costs one game. A comment may well
// quote tags; it is taken for one without end if a result stands right in front
// of some, or if the next brace behind some is an opening one or far away.
//
// If the text is not complete it may not be possible to tell; then the kind is
// tokEnd, and everything before end need not be looked at again.
func commentEnd(s []byte, from int, complete bool) (end int, how kind) {
	end, how = len(s), tokUnclosed
	if k := bytes.IndexByte(s[from:], '}'); k >= 0 {
		if end, how = from+k+1, tokComment; bytes.IndexByte(s[from:end], '\n') < 0 {
			return end, how
		}
	}
	next := from // the first brace at or behind k, as far as was looked
	first := quotedTags(s[:end], from)
	for k := first; k >= 0; k = quotedTags(s[:end], k) {
		to := min(end, k+commentView)
		if next = max(next, k); next < to {
			if b := bytes.IndexAny(s[next:to], "{}"); b >= 0 {
				next += b
			} else {
				next = to
			}
		}
		found := next < to
		switch {
		case resultBefore(s, k), found && s[next] == '{', !found && (complete || len(s)-k > commentView):
			return first, tokUnclosed
		case !found:
			return first - 1, tokEnd
		}
		how = tokQuoting
	}
	if how == tokUnclosed && !complete {
		return max(from, len(s)-commentView/2), tokEnd
	}
	return end, how
}

// quotedTags returns where the tags of a game begin in a comment, at the start
// of a line behind from: two or more of them, or [Event behind a blank line. It
// returns -1 if there are none.
func quotedTags(s []byte, from int) int {
	for {
		k := bytes.Index(s[from:], []byte("\n["))
		if k < 0 {
			return -1
		}
		if from += k + 1; tagsBegin(s, from) {
			return from
		}
	}
}
