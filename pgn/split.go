package pgn

import (
	"bytes"
	"io"
)

// splitter cuts the text of a file into batches of whole games. It looks only
// at what it takes to find where a game begins: at a line with a tag that
// follows moves and is not inside a comment.
type splitter struct {
	r    io.Reader
	file string
	// take returns an empty batch, give passes a full one on. When nobody
	// wants more they return nil and false.
	take func() *batch
	give func(*batch) bool

	b   *batch
	eof bool
	err error // what ended the file, other than io.EOF
	// within says that the text begins with a game within the file.
	within bool

	scan  scanState
	pos   int   // everything before pos has been scanned
	start int   // where the chunk under way begins; -1: it is being left out
	line  int   // number of the line of b.text[0]
	at    int64 // its place in the file
	seen  content
	idle  int // reads in a row that gave nothing
}

// maxIdleReads is how often a reader may return nothing and no error.
const maxIdleReads = 100

// content is what a file holds, at the most.
type content uint8

const (
	blanks  content = iota // nothing else
	escapes                // lines that begin with %
	anyText
)

// scanState is where the splitter stands in the text.
type scanState struct {
	in inside
	// after is the state to go on in behind the line or comment under way.
	after inside
	// tags says that the chunk has tags; newlines counts the line breaks
	// since the last thing that was not blank.
	tags     bool
	newlines int
	head     heading
}

func newScan() scanState { return scanState{head: heading{from: -1}} }

type inside uint8

const (
	insideTags inside = iota // between lines, before the first move
	insideMoves
	insideComment
	insideLine // to the end of the line, whatever it holds
)

// run reads the whole file. The last batch it gives has the mark last.
func (s *splitter) run() {
	if s.b, s.line = s.take(), 1; s.b == nil {
		return
	}
	s.b.file, s.b.line, s.b.at, s.b.within, s.scan = s.file, 1, s.at, s.within, newScan()
	for {
		cut, found := s.nextCut()
		switch {
		case found:
			if !s.cut(cut) {
				return
			}
		case s.eof:
			s.finish()
			return
		default:
			if !s.more() {
				return
			}
		}
	}
}

// more reads more text behind what is there. It returns false when nobody
// wants it.
func (s *splitter) more() bool {
	switch {
	case s.start < 0:
		// Of a game that is left out keep only what a pattern may need.
		s.drop(s.pos)
	case len(s.b.text)-s.start > maxGame:
		if !s.leaveOut() {
			return false
		}
	}
	text := s.b.text
	if cap(text)-len(text) < readSize/2 {
		grown := make([]byte, len(text), 2*cap(text))
		copy(grown, text)
		text = grown
	}
	n, err := s.r.Read(text[len(text):cap(text)])
	s.b.text = text[:len(text)+n]
	if n == 0 && err == nil {
		if s.idle++; s.idle > maxIdleReads {
			err = io.ErrNoProgress
		}
	} else {
		s.idle = 0
	}
	if err != nil {
		s.eof = true
		if err != io.EOF {
			s.err = err
		}
	}
	return true
}

// cut ends the chunk under way at the offset at, and the batch if it is large
// enough.
func (s *splitter) cut(at int) bool {
	if s.start >= 0 && at > s.start {
		s.b.cuts = append(s.b.cuts, at)
	}
	left := s.start < 0
	s.start = at
	if left {
		s.drop(at)
		return true
	}
	if at >= batchSize || len(s.b.cuts) >= batchGames {
		return s.pass(at)
	}
	return true
}

// pass gives the text before at away and goes on with the rest in a new batch.
func (s *splitter) pass(at int) bool {
	full, rest := s.b, s.take()
	if rest == nil {
		return false
	}
	rest.text = append(rest.text, full.text[at:]...)
	full.text = full.text[:at]
	s.line += bytes.Count(full.text, []byte{'\n'})
	s.at += int64(at)
	rest.file, rest.line, rest.at, rest.within = s.file, s.line, s.at, s.within
	s.b = rest
	s.pos -= at
	s.scan.head.shift(at)
	if s.start >= 0 {
		s.start -= at
	}
	return s.give(full)
}

// drop forgets the text before at.
func (s *splitter) drop(at int) {
	s.line += bytes.Count(s.b.text[:at], []byte{'\n'})
	s.at += int64(at)
	s.b.line, s.b.at = s.line, s.at
	s.b.text = s.b.text[:copy(s.b.text, s.b.text[at:])]
	s.pos -= at
	s.scan.head.shift(at)
	if s.start > 0 {
		s.start -= at
	}
}

// leaveOut gives up the chunk under way, which is too large.
func (s *splitter) leaveOut() bool {
	s.b.tooLarge = s.line + bytes.Count(s.b.text[:s.start], []byte{'\n'})
	from := s.start
	s.start = -1
	return s.pass(from)
}

func (s *splitter) finish() {
	if n := len(s.b.text); s.start >= 0 && n > s.start {
		s.b.cuts = append(s.b.cuts, n)
	}
	if s.start < 0 {
		s.b.text = s.b.text[:0]
	}
	s.b.last, s.b.err, s.b.content = true, s.err, s.seen
	s.give(s.b)
}

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
