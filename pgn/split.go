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

	scan  scanState
	pos   int // everything before pos has been scanned
	start int // where the chunk under way begins; -1: it is being left out
	line  int // number of the line of b.text[0]
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
	s.b.file, s.b.line, s.scan = s.file, 1, newScan()
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
	rest.file, rest.line = s.file, s.line
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
	s.b.line = s.line
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
