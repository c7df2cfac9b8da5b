package pgn

import (
	"bytes"

	"cbkit/model"
)

// lookAhead is how much text behind a line break must be there to tell
// whether a game begins.
const lookAhead = headOfTag + 8

// nextCut scans on from s.pos and returns where the next game begins. It
// returns false when it needs more text, or at the end of the file.
func (s *splitter) nextCut() (at int, found bool) {
	text := s.b.text
	for s.pos < len(text) {
		before, state := s.pos, s.scan.in
		switch state {
		case insideTags:
			at, found = s.scanTags(text)
		case insideMoves:
			at, found = s.scanMoves(text)
		case insideComment:
			at, found = s.scanComment(text)
		case insideLine:
			s.scanLine(text)
		}
		if found {
			return at, true
		}
		if s.pos == before && s.scan.in == state {
			return 0, false
		}
	}
	return 0, false
}

// scanTags goes over blank lines and one line with a tag, or to the moves.
func (s *splitter) scanTags(text []byte) (at int, found bool) {
	i := s.pos
	for i < len(text) && isBlank(text[i]) {
		if text[i] == '\n' {
			s.scan.newlines++
		}
		i++
	}
	s.pos = i
	rest := text[i:]
	if len(rest) < lookAhead && !s.eof || len(rest) == 0 {
		return 0, false
	}
	if rest[0] == '%' {
		s.seen = max(s.seen, escapes)
		s.skipLine(insideTags)
		return 0, false
	}
	s.seen = anyText
	if rest[0] != '[' || len(rest) < 2 || !isLetter(rest[1]) {
		s.scan.in = insideMoves
		return 0, false
	}
	if s.scan.tags && s.scan.newlines > 1 && bytes.HasPrefix(rest, []byte("[Event ")) {
		// A game without moves, and the next one.
		s.begin()
		return i, true
	}
	s.scan.tags, s.scan.newlines = true, 0
	s.skipLine(insideTags)
	return 0, false
}

// begin notes that a chunk begins with the tag at s.pos.
func (s *splitter) begin() { s.scan = scanState{in: insideTags} }

func (s *splitter) skipLine(then inside) {
	s.scan.afterLine, s.scan.in = then, insideLine
}

// scanLine goes to the end of the line; the line break is not part of it.
func (s *splitter) scanLine(text []byte) {
	k := bytes.IndexByte(text[s.pos:], '\n')
	if k < 0 {
		s.pos = len(text)
		return
	}
	s.pos += k
	s.scan.in = s.scan.afterLine
}

// scanMoves goes to the next comment or the next game.
func (s *splitter) scanMoves(text []byte) (at int, found bool) {
	for i := s.pos; i < len(text); i++ {
		switch text[i] {
		case '{':
			s.pos, s.scan.in = i+1, insideComment
			return 0, false
		case ';':
			s.pos = i
			s.skipLine(insideMoves)
			return 0, false
		case '\n':
			if len(text)-i < lookAhead && !s.eof {
				s.pos = i
				return 0, false
			}
			if i+1 < len(text) && text[i+1] == '%' {
				s.pos = i + 1
				s.skipLine(insideMoves)
				return 0, false
			}
			j := i + 1
			for j < len(text) && j < i+8 && (text[j] == ' ' || text[j] == '\t') {
				j++
			}
			if startsTag(text[j:]) || s.start >= 0 && i-s.start > looseChunk && betweenLoose(text, i) {
				s.pos = j
				s.begin()
				return j, true
			}
		}
	}
	s.pos = len(text)
	return 0, false
}

// betweenLoose reports whether, at the line break text[i], a game without tags
// seems to follow another one: there is a result before it and a first move
// behind it.
func betweenLoose(text []byte, i int) bool {
	before := bytes.TrimRight(text[max(0, i-16):i], "\r\n\t ")
	after := bytes.TrimLeft(text[i:min(len(text), i+16)], "\r\n\t ")
	if !bytes.HasPrefix(after, []byte("1.")) {
		return false
	}
	_, isResult := model.ParseResult(string(before[bytes.LastIndexByte(before, ' ')+1:]))
	return isResult
}

// eventLine is how nearly every game begins. It ends a comment that was never
// closed if a blank line stands before it, so that one missing brace costs one
// game.
var eventLine = []byte("\n[Event ")

// scanComment goes to the end of a comment.
func (s *splitter) scanComment(text []byte) (at int, found bool) {
	rest := text[s.pos:]
	end := bytes.IndexByte(rest, '}')
	body := rest
	if end >= 0 {
		body = rest[:end]
	}
	if bytes.IndexByte(body, '\n') >= 0 {
		for from := 0; ; {
			k := bytes.Index(body[from:], eventLine)
			if k < 0 {
				break
			}
			k += from
			if endsBlankLine(text[:s.pos+k]) {
				s.pos += k + 1
				s.begin()
				return s.pos, true
			}
			from = k + 1
		}
	}
	if end >= 0 {
		s.pos += end + 1
		s.scan.in = insideMoves
		return 0, false
	}
	// Keep what the pattern may begin in, and the line before it.
	keep := min(len(rest), len(eventLine)+8)
	if s.eof {
		keep = 0
	}
	s.pos += len(rest) - keep
	return 0, false
}

// endsBlankLine reports whether the last line of text is blank.
func endsBlankLine(text []byte) bool {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '\n' {
			return true
		}
		if !isBlank(text[i]) {
			return false
		}
	}
	return true
}
