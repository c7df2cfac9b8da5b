package pgn

import "bytes"

// commentView is how far a comment is looked at for its end before it is taken
// for one without end.
const commentView = 64 << 10

// scanComment goes to the end of a comment. If that is missing, the comment
// ends where the tags of the next game begin, so that one missing brace costs
// one game. A comment may well quote tags; it is taken for open if a result
// stands in front of them, or if behind them another opening brace comes before
// the closing one, or no brace at all.
func (s *splitter) scanComment(text []byte) (at int, found bool) {
	rest := text[s.pos:]
	end := bytes.IndexByte(rest, '}')
	if end < 0 && !s.eof && len(rest) <= commentView {
		return 0, false
	}
	k := -1
	if end < 0 {
		k = tagsInside(rest, len(rest))
	} else if body := rest[:end]; bytes.IndexByte(body, '\n') >= 0 {
		k = tagsInside(body, bytes.LastIndexByte(body, '{'))
	}
	switch {
	case k >= 0 && (end >= 0 || s.eof || len(rest)-k > commentView || bytes.IndexByte(rest[k:], '{') >= 0):
		s.pos += k
		s.begin()
		return s.pos, true
	case k >= 0:
		s.pos += k - 1
	case end >= 0:
		s.pos += end + 1
		s.scan.in = s.scan.after
		s.scan.head.reach(s.pos)
	case s.eof:
		s.pos = len(text)
	default:
		// The last lines may belong to the tags of a game.
		s.pos += len(rest) - commentView/2
	}
	return 0, false
}

// tagsInside returns where the tags of a game begin that stand, at the starts
// of lines, in a comment: two or more of them, or [Event behind a blank line.
// Those from suspect on count only behind a result. It returns -1 if there are
// none.
func tagsInside(comment []byte, suspect int) int {
	for from := 0; ; {
		k := bytes.Index(comment[from:], []byte("\n["))
		if k < 0 {
			return -1
		}
		from += k + 1
		if tagsBegin(comment, from) && (from < suspect || endsWithResult(comment[:from])) {
			return from
		}
	}
}

// tagsBegin reports whether the tags of a game begin at i.
func tagsBegin(text []byte, i int) bool {
	name := tagName(text[i:])
	if len(name) == 0 {
		return false
	}
	if string(name) == "Event" && endsBlankLine(text[:i-1]) {
		return true
	}
	_, next, _ := bytes.Cut(text[i:], []byte{'\n'})
	second := tagName(next)
	return len(second) > 0 && (headsGame(name) || headsGame(second))
}

// endsBlankLine reports whether the last line of text is blank.
func endsBlankLine(text []byte) bool {
	k := bytes.LastIndexByte(text, '\n')
	return k >= 0 && isBlankText(text[k:])
}

// isBlankText reports whether there is nothing but blanks.
func isBlankText[T string | []byte](text T) bool {
	for i := range len(text) {
		if !isBlank(text[i]) {
			return false
		}
	}
	return true
}

// heading is what stands in front of the tag with which a game would be known
// to begin, and belongs to that game: a comment behind a result and a blank
// line, tags that every game may have; and more of both.
type heading struct {
	from, to int  // its extent; from is -1 if there is none
	open     bool // its last part goes on
}

// comment takes note of a comment that begins at i.
func (h *heading) comment(text []byte, i int) {
	if h.from < 0 && i > 1 && text[i-1] != '\n' && text[i-2] > ' ' {
		return // it follows a word; most do
	}
	if h.open = h.before(text, i) < i; !h.open {
		h.from = -1
		if blankLineBefore(text, i) && endsWithResult(text[:i]) {
			h.from, h.open = i, true
		}
	}
}

// tag takes note of a tag that begins at i.
func (h *heading) tag(text []byte, i int) { h.from, h.open = h.before(text, i), true }

// reach takes note that the last part ended before i.
func (h *heading) reach(i int) {
	if h.open {
		h.to, h.open = i, false
	}
}

// before returns where the game begins that the tag at i belongs to.
func (h *heading) before(text []byte, i int) int {
	if h.from >= 0 && isBlankText(text[h.to:i]) {
		return h.from
	}
	return i
}

// shift takes note that the text before at is gone.
func (h *heading) shift(at int) {
	if h.from -= at; h.from < 0 {
		h.from = -1
	}
	h.to -= at
}

// blankLineBefore reports whether there is a blank line between text[i] and
// what stands before it.
func blankLineBefore(text []byte, i int) bool {
	lines := 0
	for i > 0 && isBlank(text[i-1]) {
		if i--; text[i] == '\n' {
			lines++
		}
	}
	return lines > 1
}
