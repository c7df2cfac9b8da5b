package pgn

import (
	"bytes"
)

// lookAhead is how much text behind a line break must be there to tell
// whether a game begins.
const lookAhead = headOfTag + maxIndent

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

// scanTags goes over blank lines and one line with a tag or a comment, or to
// the moves.
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
	switch {
	case rest[0] == '{':
		s.pos++
		s.scan.after, s.scan.in, s.scan.newlines = insideTags, insideComment, 0
	case rest[0] == ';':
		s.skipLine(insideTags)
		s.scan.newlines = 0
	case rest[0] != '[' || len(rest) < 2 || rest[1] == '%' || rest[1] == '#':
		s.scan.in = insideMoves
	case s.scan.tags && s.scan.newlines > 1 && string(tagName(rest)) == "Event":
		// A game without moves, and the next one.
		s.begin()
		return i, true
	default:
		s.scan.tags, s.scan.newlines = s.scan.tags || isLetter(rest[1]) || startsTag(rest), 0
		s.skipLine(insideTags)
	}
	return 0, false
}

// begin notes that a chunk begins with the tag at s.pos.
func (s *splitter) begin() { s.scan = newScan() }

func (s *splitter) skipLine(then inside) { s.scan.after, s.scan.in = then, insideLine }

// scanLine goes to the end of the line; the line break is not part of it.
func (s *splitter) scanLine(text []byte) {
	k := bytes.IndexByte(text[s.pos:], '\n')
	if k < 0 {
		s.pos = len(text)
		return
	}
	s.pos += k
	s.scan.in = s.scan.after
	s.scan.head.reach(s.pos)
}

// scanMoves goes to the next comment or the next game.
func (s *splitter) scanMoves(text []byte) (at int, found bool) {
	for i := s.pos; i < len(text); i++ {
		switch text[i] {
		case '{':
			s.scan.head.comment(text, i)
			s.pos, s.scan.after, s.scan.in = i+1, insideMoves, insideComment
			return 0, false
		case ';':
			s.scan.head.comment(text, i)
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
			for j < len(text) && j-i <= maxIndent && isSpace(text[j]) {
				j++
			}
			long := s.start >= 0 && i-s.start > looseChunk
			name := tagName(text[j:])
			switch {
			case len(name) > 0 && !long && !headsGame(name) && !endsWithResult(text[:i]):
				s.scan.head.tag(text, j)
				s.pos = j
				s.skipLine(insideMoves)
				return 0, false
			case len(name) > 0 || long && betweenLoose(text, i):
				at = s.scan.head.before(text, j)
				s.pos = j
				s.begin()
				return at, true
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
	after := bytes.TrimLeft(text[i:min(len(text), i+16)], "\r\n\t ")
	return bytes.HasPrefix(after, []byte("1.")) && endsWithResult(text[:i])
}

// endsWithResult reports whether the last word of text is a result.
func endsWithResult(text []byte) bool {
	last := bytes.TrimRight(text[max(0, len(text)-32):], "\r\n\t ")
	_, isResult := parseResult(string(last[bytes.LastIndexAny(last, " \n\t})")+1:]))
	return isResult
}
