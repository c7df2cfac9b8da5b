package pgn

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"cbkit/board"
)

// tagPair is a tag as it stands in the text. Missing quotes and brackets are
// forgiven: a tag ends at the end of its line at the latest, unless its parts
// stand on several lines.
type tagPair struct {
	name, value span
	quoted      bool // there are quotes, and escapes in the value
	closed      bool // nothing is missing
}

// span is a part of a text.
type span struct{ from, to int }

// isNameEnd reports whether b cannot stand in the name of a tag.
func isNameEnd(b byte) bool { return b <= ' ' || b == 0x7F || b == '"' || b == '[' || b == ']' }

// maxTagName is the length of the longest name by which a tag is known in a
// comment, maxIndent how many blanks may stand between the parts of a tag, and
// lookAhead what must be seen of a text to tell what begins there.
const (
	maxTagName = 64
	maxIndent  = 32
	lookAhead  = 1 + maxIndent + maxTagName + maxIndent + utf8.UTFMax
)

// skipIndent returns the place behind the blanks at i, line breaks among them.
func skipIndent(s []byte, i int) int {
	for from := i; i < len(s) && i-from < maxIndent; {
		width := blankAt(s, i)
		if width == 0 {
			break
		}
		i += width
	}
	return i
}

// tagHead finds the name of the tag at i and its value: an opening bracket, a
// name up to some length, blanks and a quote, which nothing but a tag has. It
// reports whether there is one; if not, quote is as far as it looked.
func tagHead(s []byte, i, longest int) (name span, quote int, found bool) {
	if len(s)-i < len(`[a""`) || s[i] != '[' {
		return name, 0, false
	}
	k := i + 1
	for k < len(s) && isLetter(s[k]) {
		k++
	}
	if k > i+1 && k+1 < len(s) && s[k] == ' ' && s[k+1] == '"' && k-i <= longest {
		return span{i + 1, k}, k + 1, true // as nearly all are written
	}
	name.from = skipIndent(s, i+1)
	k = name.from
	// Nearly anything may begin a name, but not the signs with which commands and
	// comments begin.
	if k == len(s) || isNameEnd(s[k]) || bytes.IndexByte([]byte("%#{}();"), s[k]) >= 0 {
		return name, k, false
	}
	for k < len(s) && k-name.from < longest && !isNameEnd(s[k]) && (classes[s[k]] != classLead || blankAt(s, k)+quoteAt(s, k) == 0) {
		k++
	}
	name.to = k
	k = skipIndent(s, k)
	return name, k, k < len(s) && quoteAt(s, k) > 0 && name.to > name.from
}

// tagName returns the name of the tag that s starts with, nothing where there
// is none.
func tagName(s []byte) []byte {
	if name, _, ok := tagHead(s, 0, maxTagName); ok {
		return s[name.from:name.to]
	}
	return nil
}

// quoteAt returns how many bytes the quotation mark at i takes, 0 if there is
// none. Word processors make typographic ones of the plain ones.
func quoteAt(s []byte, i int) int {
	switch s[i] {
	case '"', 0x84, 0x93, 0x94: // the latter in the code pages of Windows
		return 1
	case 0xE2:
		if i+2 < len(s) && s[i+1] == 0x80 && (s[i+2] == 0x9C || s[i+2] == 0x9D || s[i+2] == 0x9E) {
			return 3
		}
	}
	return 0
}

// bracket reads what the bracket at i opens: a tag, or anything else up to the
// closing bracket. Without one it goes on to the end of its line if it looks like
// a tag and begins a line; else it is a stray sign. The token is tokEnd if more
// text is needed.
func (l *lexer) bracket(i int) token {
	s := l.text
	l.pair = tagPair{}
	name, quote, found := tagHead(s, i, longBracket)
	if found {
		l.pair = tagPair{name: name, quoted: true}
		return l.tagValue(i, quote)
	}
	end := i + 1
	for end < len(s) && s[end] != ']' && s[end] != '\n' && s[end] != '[' && s[end] != '{' {
		end++
	}
	if !l.complete && max(quote, end) == len(s) {
		return token{}
	}
	isLine := l.isLine(i, end)
	if end < len(s) && s[end] == ']' {
		l.pair.closed = true
		end++
	}
	isLast := isLine && end == len(s)
	hasName := i+1 < len(s) && isLetter(s[i+1])
	inHead := l.head && !isShortcode(s, i)
	switch {
	case isLast && end == i+1: // of the next tag the file has no more
		return l.close(tokTag, i, end)
	case hasName && (inHead && (l.pair.closed || isLine) || isLast && l.last):
		return l.bareTag(i, end)
	case l.pair.closed || hasName && isLine:
		return l.close(tokBracket, i, end)
	}
	return l.token(tokStray, i, i+1)
}

// isLine reports whether what is from i to end, without a closing bracket, ends a line
// that it begins, or begins after blanks and another line.
func (l *lexer) isLine(i, end int) bool {
	atEnd := end == len(l.text) && l.last || end < len(l.text) && l.text[end] == '\n'
	return atEnd && (linesBefore(l.text, i) > 0 || blanksBefore(l.text, i) == 0)
}

// bareTag returns the tag from i to end, of which the value is without quotes.
func (l *lexer) bareTag(i, end int) token {
	to := i + 1
	for to < end && !isNameEnd(l.text[to]) {
		to++
	}
	l.pair.name, l.pair.value = span{i + 1, to}, span{to, end}
	if l.pair.closed {
		l.pair.value.to--
	}
	return l.close(tokTag, i, end)
}

// tagValue reads the rest of the tag at i, of which the value begins with the
// quote at from. The closing quote is the first one that a bracket or the end
// of the line follows. Without one on its line the value goes on over the next
// lines if one of them ends like a tag; else it ends with the line.
func (l *lexer) tagValue(i, from int) token {
	s, p := l.text, &l.pair
	if k := bytes.IndexByte(s[from+1:], '"') + from + 1; s[from] == '"' && k > from && k+1 < len(s) && s[k+1] == ']' && s[k-1] != '\\' &&
		bytes.IndexByte(s[from:k], '\n') < 0 {
		p.value, p.closed = span{from + 1, k}, true // as nearly all are written
		return l.close(tokTag, i, k+2)
	}
	quote := s[from : from+quoteAt(s, from)]
	from += len(quote)
	line := lineEnd(s, from)
	to, end := closingQuote(s, from, line, quote)
	seen := line
	switch {
	case to < 0:
		to, end, seen = brokenValue(s, from, line, quote)
	case end == line: // the bracket may stand on the next line
		if seen = skipIndent(s, line); seen < len(s) && s[seen] == ']' {
			end = seen + 1
		}
	}
	if seen == len(s) && !l.complete {
		return token{}
	}
	p.value, p.closed = span{from, to}, s[end-1] == ']'
	if to < 0 {
		for to = line; to > from && (isBlank(s[to-1]) || s[to-1] == ']' || s[to-1] == '"'); {
			to--
		}
		p.value.to, p.closed = to, false
	}
	return l.close(tokTag, i, end)
}

// besideView is how far is looked for what stands beside tags, in bytes.
const besideView = 1 << 10

// besideTag returns the end of what stands at i, behind the tag that ends at tag if that is
// not 0, and belongs to no game because it is on the line of a tag: signs, numbers, results
// and words up to the next tag or comment, or to the end of the line. So is a line with nothing
// but brackets and the like, and in a head one of markup. It returns i where moves begin, one
// with a number or two in a row, and where there is no tag; where it is not the head of a
// game, at results, too. A text that was cut goes on with a tag.
func besideTag(s []byte, tag, i int, head, cut bool) int {
	behind := tag > 0 && tag <= i && bytes.IndexByte(s[tag:i], '\n') < 0
	cut = cut && len(s) <= i+besideView && bytes.IndexByte(s[i:], '\n') < 0
	s = s[:min(len(s), i+besideView)]
	if !behind && !cut {
		k := i + bytes.IndexByte(s[i:], '[')
		if classes[s[i]] != classStray && !(head && isMarkup(s, i)) && (k < i || isCommand(s, k) || bytes.IndexByte(s[i:k], '\n') >= 0) {
			return i
		}
	}
	l := lexer{text: s, i: i, complete: true, head: head}
	line, first := lineEnd(s, i), -1 // the first comment
	signs := true                    // there are only strays so far
	number, move := -1, -1           // of what may be a move, right in front
	for {
		t := l.next()
		isMove := (t.kind == tokWord || t.kind == tokScore) && t.start <= line && mayBeMove(s[t.start:t.end], number >= 0)
		if !head && t.kind != tokEnd && t.start <= line { // the game may be one under way
			if _, isResult := parseResult(string(s[t.start:t.end])); isResult {
				return i
			}
		}
		switch {
		case isMove && number >= 0 && behind:
			return number
		case isMove && move >= 0 && behind:
			return move
		case isMove && (number >= 0 || move >= 0):
			return i
		case t.start <= line && t.kind != tokEnd:
		case behind || signs || cut && first < 0:
			return line
		default:
			return i
		}
		switch {
		case t.kind == tokTag:
			if first >= 0 {
				return first
			}
			return t.start
		case isComment(t.kind), t.kind == tokBracket && isCommand(s, t.start):
			if behind || signs {
				return t.start
			}
			if t.kind != tokComment && t.kind != tokQuoting {
				return i
			}
			if first < 0 {
				first = t.start
			}
			line = lineEnd(s, t.end)
		case t.kind == tokNumber:
			signs, number, move = false, t.start, -1
		case t.kind == tokAngles && head && isMarkup(s, t.start):
		case t.kind == tokMark, t.kind == tokNAG, t.kind == tokAngles:
			signs = false
		case t.kind != tokStray:
			signs, number, move = false, -1, -1
			if isMove {
				move = t.start
			}
		}
	}
}

// isMarkup reports whether a tag of HTML begins at i, as it stands at the ends of lines that
// were taken from a page.
func isMarkup(s []byte, i int) bool {
	return i+1 < len(s) && s[i] == '<' && (isLetter(s[i+1]) || s[i+1] == '/')
}

// mayBeMove reports whether a word may be a move of any game; numbered, that it stands
// behind a number.
func mayBeMove(word []byte, numbered bool) bool {
	text := decodeWord(string(word))
	if at, _ := cutResult(text, strings.Clone); at > 0 {
		text = text[:at]
	}
	pos := board.Start()
	return hasForm(&pos, text) || numbered && isForeignMove(plain(text))
}

// nextInRun reads the next token that does not stand beside a tag, and returns where what
// does so begins in front of it, or its own place.
func (l *lexer) nextInRun() (t token, beside int) {
	for beside = -1; ; {
		if t = l.next(); beside < 0 {
			beside = t.start
		}
		if isComment(t.kind) || t.kind == tokTag || t.kind == tokBracket || t.kind == tokEnd {
			return t, beside
		}
		end := besideTag(l.text, l.tag, t.start, l.head, false)
		if end == t.start {
			return t, beside
		}
		l.i = end
	}
}

// isShortcode reports whether the bracket at i opens what some programs write around games:
// [pgn], [pgn height=400], [/pgn].
func isShortcode(s []byte, i int) bool {
	if i+1 < len(s) && s[i+1] == '/' {
		i++
	}
	return i+3 < len(s) && s[i+1]|0x20 == 'p' && s[i+2]|0x20 == 'g' && s[i+3]|0x20 == 'n'
}

// closingQuote returns where the value that begins at from has its closing
// quote on the line that ends at line, and the end of the tag there. The first
// is -1 if there is none.
func closingQuote(s []byte, from, line int, quote []byte) (to, end int) {
	for k := from; k < line; k++ {
		if quote[0] == '"' {
			next := bytes.IndexByte(s[k:line], '"')
			if next < 0 {
				return -1, line
			}
			k += next
		}
		width := quoteAt(s, k)
		if width != len(quote) && s[k] != '"' || isEscaped(s[from:k]) {
			continue
		}
		end = k + width
		for end < line && isBlank(s[end]) {
			end++
		}
		switch {
		case end == line:
			return k, line
		case s[end] == ']':
			return k, end + 1
		}
	}
	return -1, line
}

// isEscaped reports whether what follows a value is escaped: by a backslash
// that is not escaped itself.
func isEscaped(value []byte) bool {
	i := len(value)
	for i > 0 && value[i-1] == '\\' {
		i--
	}
	return (len(value)-i)%2 == 1
}

// mostTagLines is over how many lines the value of a tag may go.
const mostTagLines = 4

// brokenValue returns the closing quote of a value that does not end on its own
// line, the end of the tag, and how far it looked: one of the next lines, of
// which none begins like a tag or is blank, ends with a quote and a bracket.
// Where there is no such line the first is -1, and the tag ends with its line.
func brokenValue(s []byte, from, line int, quote []byte) (to, end, seen int) {
	seen = line
	for range mostTagLines - 1 {
		begin := seen
		if seen = lineEnd(s, min(begin+1, len(s))); begin < seen {
			begin = skipIndent(s, begin+1)
		}
		if begin >= seen || s[begin] == '[' {
			break
		}
		to, end = closingQuote(s, from, seen, quote)
		if to >= begin && s[end-1] == ']' && len(bytes.TrimSpace(s[end:seen])) == 0 {
			return to, end, seen
		}
	}
	return -1, line, seen
}
