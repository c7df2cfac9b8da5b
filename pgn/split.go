package pgn

import (
	"bytes"
	"io"
)

// splitter cuts the text of a file into batches of whole games. It only skims
// the text, and cuts it where games with tags begin, see gamestart.go. Of games
// without tags it leaves many in one piece.
type splitter struct {
	r    io.Reader
	file string
	// take returns an empty batch, give passes a full one on. When nobody
	// wants more they return nil and false.
	take func() *batch
	give func(*batch) bool

	b    *batch
	eof  bool
	err  error // what ended the file, other than io.EOF
	idle int   // reads in a row that gave nothing
	// within says that the text begins with a game within the file, goesOn that
	// the file goes on behind it.
	within, goesOn bool

	lex    lexer
	start  int   // where the chunk under way begins; -1: it is being left out
	line   int   // number of the line of b.text[0]
	at     int64 // its place in the file
	tags   bool  // the chunk has tags
	front  run   // what may belong to the next game
	blanks blankRun
	seen   content
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

// begin makes ready for a file.
func (s *splitter) begin() bool {
	if s.b = s.take(); s.b == nil {
		return false
	}
	s.b.file, s.b.line, s.line = s.file, 1, 1
	s.b.at, s.b.within = s.at, s.within
	s.lex.head, s.front = true, noRun
	return true
}

// run reads the whole file. The last batch it gives has the mark last.
func (s *splitter) run() {
	if !s.begin() {
		return
	}
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

// nextCut goes on to where the next game begins. It returns false when it needs
// more text, or at the end of the file.
func (s *splitter) nextCut() (at int, found bool) {
	s.blanks = blankRun{}
	s.lex.text, s.lex.complete, s.lex.last = s.b.text, s.eof, s.eof
	for {
		t, ok := s.lex.skim()
		if !ok {
			return 0, false
		}
		s.seen = anyText
		switch t.kind {
		case tokTag:
			at, found = s.tag(t)
		case tokComment, tokQuoting:
			if !s.lex.head {
				s.front.comment(&s.lex, t)
			}
		case tokUnclosed:
			if at, found = t.end, t.end < len(s.lex.text); found {
				s.lex.head, s.tags = true, false
			}
		case tokLineBreak:
			at, found = s.lineBreak(t)
		case tokWord, tokStray:
			s.lex.head = false
		case tokBracket:
			s.bracket(t)
		}
		if found {
			s.front = noRun
			return at, true
		}
	}
}

// bracket looks at a bracket that opens no tag.
func (s *splitter) bracket(t token) {
	if isCommand(s.lex.text, t.start) {
		s.lex.head = false
	} else {
		s.front.bracket(s.lex.text, t)
	}
}

// isCommand reports whether the bracket at i opens a command that lost its
// braces, which is no tag.
func isCommand(s []byte, i int) bool { return i+1 < len(s) && (s[i+1] == '%' || s[i+1] == '#') }

// tag looks at a tag and returns where the game begins that it begins.
func (s *splitter) tag(t token) (at int, found bool) {
	name := s.lex.text[s.lex.pair.name.from:s.lex.pair.name.to]
	if s.lex.head {
		// Behind a blank line: a game without moves, and the next one.
		found = s.tags && string(name) == "Event" && linesBefore(s.lex.text, t.start) > 1
		s.tags = true
		return t.start, found
	}
	s.front.tag(s.lex.text, t)
	long := s.lex.lineBreaks && linesBefore(s.lex.text, t.start) > 1
	if !headsGame(name) && !long && !s.lex.behindResult(t.start) {
		return 0, false
	}
	s.lex.head, s.tags = true, true
	return s.front.from, true
}

// blankRun is the last run of blanks behind a line break at which no game began, so
// that the other line breaks in it need not be looked at.
type blankRun struct {
	text     []byte
	from, to int
}

// has reports whether a place is in the run.
func (r *blankRun) has(text []byte, i int) bool {
	same := len(text) > 0 && len(text) == len(r.text) && &text[0] == &r.text[0]
	return same && r.from <= i && i <= r.to
}

// lineBreak looks for the next game of long text without tags.
func (s *splitter) lineBreak(t token) (at int, found bool) {
	text := s.lex.text
	if s.blanks.has(text, t.end) {
		return 0, false
	}
	i := skipBlanks(text, t.end)
	if i == len(text) || !s.lex.startsUntagged(i) {
		s.blanks = blankRun{text, t.end, i}
		return 0, false
	}
	s.lex.i = i
	if s.front.goesOn(text, i) {
		i = s.front.from
	}
	return i, true
}

// more reads more text behind what is there. It returns false when nobody
// wants it.
func (s *splitter) more() bool {
	switch {
	case s.start < 0:
		// Of a game that is left out keep only what a pattern may need.
		s.drop(s.lex.i)
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
	// What is looked at again is so much less than what is new that the whole
	// takes no more than a few looks.
	least := min(2*len(text)-s.lex.i, cap(text))
	for more := true; more; more = len(text) < least && !s.eof {
		text = s.read(text)
	}
	s.b.text = text
	s.lex.lineBreaks = s.start >= 0 && len(text)-s.start > looseChunk
	return true
}

// read appends what the reader has.
func (s *splitter) read(text []byte) []byte {
	n, err := s.r.Read(text[len(text):cap(text)])
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
	return text[:len(text)+n]
}

// cut ends the chunk under way at the offset at, and the batch if it is large
// enough.
func (s *splitter) cut(at int) bool {
	if s.start >= 0 && at > s.start {
		s.b.cuts = append(s.b.cuts, at)
	}
	left := s.start < 0
	s.start, s.lex.lineBreaks = at, false
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
	s.forget(at)
	return s.give(full)
}

// drop forgets the text before at.
func (s *splitter) drop(at int) {
	s.line += bytes.Count(s.b.text[:at], []byte{'\n'})
	s.at += int64(at)
	s.b.line, s.b.at = s.line, s.at
	s.b.text = s.b.text[:copy(s.b.text, s.b.text[at:])]
	s.forget(at)
}

// forget takes note that the text before at is gone.
func (s *splitter) forget(at int) {
	s.lex.drop(at)
	s.front.drop(at)
	if s.start >= 0 {
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
	if s.lex.escaped {
		s.seen = max(s.seen, escapes)
	}
	s.b.last, s.b.ends = true, s.err == nil && !s.goesOn
	s.b.err, s.b.content = s.err, s.seen
	s.give(s.b)
}
