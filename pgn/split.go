package pgn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// splitter cuts the text of a file into batches of whole games. It only skims
// the text, and cuts it where games with tags begin. Of games without tags it
// leaves many in one piece.
type splitter struct {
	r    io.Reader
	file string
	// take returns an empty batch, give passes a full one on. When the
	// work is to end they return nil and false.
	take func() *batch
	give func(*batch) bool

	b    *batch
	eof  bool
	err  error // what ended the file, other than io.EOF
	idle int   // reads in a row that gave nothing
	// within says that the text begins with a game within the file, goesOn that
	// the file goes on behind it.
	within, goesOn bool

	// every says that every cut is wanted: nothing is found at one look.
	every bool

	lex    lexer
	start  int   // where the chunk under way begins; -1: it is being left out
	looked int   // up to here no game begins that one look can find
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

// run reads the whole file. The last batch it gives has the mark last.
func (s *splitter) run() {
	if s.b = s.take(); s.b == nil {
		return
	}
	s.b.file, s.b.line, s.line = s.file, 1, 1
	s.b.at, s.b.within = s.at, s.within
	s.lex.head, s.front = true, noRun
	for {
		at, found := s.nextCut()
		if !found && s.eof {
			break
		}
		if !found {
			if !s.more() {
				return
			}
			continue
		}
		// The chunk under way ends here, and the batch if it is large enough.
		if s.start >= 0 && at > s.start {
			s.b.cuts = append(s.b.cuts, at)
		}
		left := s.start < 0
		s.start, s.lex.lineBreaks, s.looked = at, false, max(s.looked, at)
		switch {
		case left:
			s.drop(at)
		case at >= batchSize || len(s.b.cuts) >= batchGames:
			if !s.pass(at) {
				return
			}
		}
	}
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

// nextCut goes on to where the next game begins. It returns false when it needs
// more text, or at the end of the file.
func (s *splitter) nextCut() (at int, found bool) {
	if s.start >= 0 && !s.every {
		if at, found = s.usualCut(); found || !s.eof && len(s.b.text)-s.start < longGame {
			return at, found
		}
	}
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
			if !s.eof && len(s.lex.text)-t.start < besideView {
				s.lex.i = t.start
				return 0, false
			}
			end := besideTag(s.lex.text, s.lex.tag, t.start, true, false)
			if s.lex.head = end > t.start; s.lex.head {
				s.lex.i = end
			}
		case tokBracket:
			switch text := s.lex.text; {
			case isCommand(text, t.start):
				s.lex.head = false
			case s.front.tag > 0 && s.front.goesOn(text, t.start, false):
				s.front.to = t.end
			}
		}
		if found {
			s.front = noRun
			return at, true
		}
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
	unsure := false // in a head a result in between would say nothing
	if f := &s.front; !f.goesOn(s.lex.text, t.start, false) {
		unsure = f.tag > 0 && (f.goesOn(s.lex.text, t.start, true) || bytes.Count(s.lex.text[f.to:t.start], []byte{'\n'}) < 2)
		f.from = t.start
	}
	s.front.to, s.front.tag = t.end, t.end
	long := s.lex.lineBreaks && linesBefore(s.lex.text, t.start) > 1
	if !headsGame(name) && !long && !s.lex.behindResult(t.start) {
		return 0, false
	}
	s.lex.head, s.tags = true, true
	if unsure {
		s.front = noRun
	}
	return s.front.from, !unsure
}

// blankRun is the last run of blanks behind a line break at which no game began, so
// that the other line breaks in it need not be looked at.
type blankRun struct {
	text     []byte
	from, to int
}

// lineBreak looks for the next game of long text without tags.
func (s *splitter) lineBreak(t token) (at int, found bool) {
	text := s.lex.text
	r := &s.blanks
	if len(text) > 0 && len(text) == len(r.text) && &text[0] == &r.text[0] && r.from <= t.end && t.end <= r.to {
		return 0, false
	}
	i := skipBlanks(text, t.end)
	last, _ := lastResult(text, i)
	if i == len(text) || !(linesBefore(text, i) > 1 && startsNumberOne(text, i)) &&
		!(last != model.BothLose && s.lex.behindResult(i) && startsFirstMove(text, i, true)) { // 0-0 is castling there
		s.blanks = blankRun{text, t.end, i}
		return 0, false
	}
	s.lex.i = i
	if s.front.goesOn(text, i, false) {
		i = s.front.from
	}
	return i, true
}

// more reads more text behind what is there. It returns false when the work is
// to end.
func (s *splitter) more() bool {
	switch {
	case s.start < 0:
		// Of a game that is left out keep only what a pattern may need.
		s.drop(s.lex.i)
	case len(s.b.text)-s.start > maxGame: // the chunk under way is given up
		s.b.tooLarge = s.line + bytes.Count(s.b.text[:s.start], []byte{'\n'})
		from := s.start
		s.start = -1
		if !s.pass(from) {
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
	for {
		n, err := s.r.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if n > 0 || err != nil {
			s.idle = 0
		} else if s.idle++; s.idle > maxIdleReads {
			err = io.ErrNoProgress
		}
		if err != nil {
			s.eof = true
			if err != io.EOF {
				s.err = err
			}
		}
		if len(text) >= least || s.eof {
			break
		}
	}
	s.b.text = text
	s.lex.lineBreaks = s.start >= 0 && len(text)-s.start > looseChunk
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
	l := &s.lex
	l.i, l.begun = l.i-at, max(0, l.begun-at)
	for i := range l.ends {
		l.ends[i] = max(0, l.ends[i]-at)
	}
	l.tag = max(0, l.tag-at)
	s.front.from, s.front.to, s.front.tag = max(-1, s.front.from-at), s.front.to-at, max(0, s.front.tag-at)
	if s.start >= 0 {
		s.start -= at
	}
	s.looked = max(0, s.looked-at)
}

// Where games begin. The splitter and the parser go by these rules, in this
// order, so that it makes no difference to the games where a text was cut:
//
//  1. At a tag behind a result, and at a tag of the sort that says which game
//     begins, wherever on its line. Other tags among moves belong to the game
//     under way.
//  2. At what stands directly in front of such a tag and is no part of the game
//     before: other tags, with comments and brackets behind them, comments
//     behind a result and a blank line. That is a run.
//  3. At a first move behind a result.
//  4. At a first move with the number 1 behind a blank line, outside of
//     variations.
//
// By itself the splitter looks for the last two only in long text without tags,
// and the parser finds all games that a chunk has.

// headsGame reports whether a tag of that name says which game begins. Others
// may have got between the moves of a game.
func headsGame[T string | []byte](name T) bool {
	switch string(name) {
	case "Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp":
		return true
	}
	return false
}

// run is what stands in front of the tag with which a game would be known to
// begin, and belongs to that game.
type run struct {
	from, to int
	tag      int // where the last one ends, 0 if there is none
}

var noRun = run{from: -1}

// goesOn reports whether the run goes on with what begins at i; head, that it is known for
// the head of a game.
func (r *run) goesOn(s []byte, i int, head bool) bool {
	if r.from < 0 {
		return false
	}
	for k := skipBlanks(s, r.to); k < i; {
		end := besideTag(s, r.tag, k, head, false)
		if end == k {
			return false
		}
		k = skipBlanks(s, end)
	}
	return true
}

// comment takes note of the comment among moves that l has read.
func (r *run) comment(l *lexer, t token) {
	switch {
	case r.goesOn(l.text, t.start, false):
		r.to = t.end
	case l.mayLead(t):
		*r = run{from: t.start, to: t.end}
	default:
		*r = noRun
	}
}

// mayLead reports whether the comment that was read belongs to the next game, if
// one follows: it stands behind a result and a blank line.
func (l *lexer) mayLead(t token) bool {
	if i := t.start; i > 1 && l.text[i-1] == ' ' && l.text[i-2] > ' ' && l.text[i-2] < 0x80 {
		return false // it follows a word; most do
	}
	return linesBefore(l.text, t.start) > 1 && l.behindResult(t.start)
}

// behindResult reports whether the last thing in front of i is a result, and
// not one in a comment, in brackets or in an escaped line.
func (l *lexer) behindResult(i int) bool {
	if !resultBefore(l.text, i) {
		return false
	}
	for _, end := range l.ends {
		if end <= i {
			return end == 0 || blanksBefore(l.text, i) > end
		}
	}
	return true
}

// tagsBegin reports whether the tags of a game seem to begin at i, in a
// comment.
func tagsBegin(s []byte, i int) bool {
	name := tagName(s[i:])
	if len(name) == 0 {
		return false
	}
	if string(name) == "Event" && linesBefore(s, i) > 1 {
		return true
	}
	second := tagName(s[min(len(s), lineEnd(s, i)+1):])
	return len(second) > 0 && (headsGame(name) || headsGame(second))
}

// startsNumberOne reports whether the first move of a game stands at i behind
// the number 1; "1..." is Black's.
func startsNumberOne(s []byte, i int) bool {
	if s[i] != '1' || i+2 >= len(s) || !isBlank(s[i+1]) && s[i+1] != '.' || s[i+1] == '.' && s[i+2] == '.' {
		return false
	}
	return startsFirstMove(s, i, true)
}

// startsFirstMove reports whether the first move of a game stands at i, with or
// without a number. The dot behind the number, or the whole of it, may be
// missing if loose is set. The move may have a sign attached; behind the number 1
// it may be an impossible one, or one with the letters of another language.
func startsFirstMove(s []byte, i int, loose bool) bool {
	l := lexer{text: s[:min(len(s), i+maxWord)], i: i, complete: true}
	t := l.next()
	isOne := false
	if t.kind == tokNumber {
		number := s[t.start:t.end]
		digits := digitsEnd(number, 0)
		if digits == len(number) && !loose || digits > 4 {
			return false
		}
		isOne = digits < len(number) && string(number[:digits]) == "1"
		for t = l.next(); t.kind == tokStray && s[t.start] == '.'; {
			t = l.next()
		}
	} else if !loose {
		return false
	}
	if t.kind != tokWord {
		return false
	}
	word := typography.Replace(decodeWord(string(s[t.start:t.end])))
	if at, _ := cutResult(word, strings.Clone); at > 0 {
		word = word[:at]
	}
	for move := range unsigned(word) {
		move = figurines.Replace(move)
		pos := board.Start()
		m, err := pos.ParseSAN(move)
		if err == nil && !m.IsNull() || isOne && (err != nil && !errors.Is(err, board.ErrNotation) || isForeignMove(move)) {
			return true
		}
	}
	return false
}

// skimming is what a lexer knows of text that it only skims, which comes in
// pieces.
type skimming struct {
	// inside says of what the place is in the middle, and begun where that
	// began.
	inside inside
	begun  int
	// lineBreaks asks for line breaks, too.
	lineBreaks bool
	// escaped says that there was a line that begins with %.
	escaped bool
}

// inside is what may go on beyond the text that is there.
type inside uint8

const (
	insideNothing inside = iota
	insideComment
	insideLineComment
	insideRest // a line of which the rest says nothing
)

// skim goes on to the next token that is a comment, a tag or another bracket;
// in the head to anything that is none, a tokWord or tokStray; if line breaks are
// asked for, to those. It returns false where it needs more text.
func (l *lexer) skim() (t token, found bool) {
	if l.inside != insideNothing {
		if t, found = l.skimRest(); found || l.inside != insideNothing {
			return t, found
		}
	}
	s, i := l.text, l.i
	for {
		if l.head {
			for width := 1; i < len(s) && width > 0; i += width {
				width = blankAt(s, i)
			}
		} else {
			least := classPercent
			if l.lineBreaks {
				least = classLineBreak
			}
			if !l.lineBreaks {
				i = structureAt(s, i)
			}
			for i < len(s) && classes[s[i]] < least {
				i++
			}
		}
		if l.i = i; len(s)-i < lookAhead && !l.complete || i == len(s) {
			return token{}, false
		}
		switch classes[s[i]] {
		case classBrace:
			end, how := commentEnd(s, i+1, l.complete)
			if how != tokEnd {
				return l.close(how, i, end), true
			}
			l.inside, l.begun, l.i = insideComment, i, end
			return token{}, false
		case classSemicolon:
			l.inside, l.begun = insideLineComment, i
			return l.skimRest()
		case classPercent:
			if !isEscape(s, i) {
				if i++; l.head {
					return l.token(tokStray, i-1, i), true
				}
				break
			}
			l.inside, l.escaped = insideRest, true
			if l.skimRest(); l.inside != insideNothing {
				return token{}, false
			}
			i = l.i
		case classBracket:
			if t, found = l.skimBracket(i); found || l.i == i {
				return t, found
			}
			i = l.i
		case classLineBreak:
			return l.token(tokLineBreak, i, i+1), true
		default:
			return token{tokWord, i, i}, true
		}
	}
}

// structureAt returns a place at or behind i, in front of which nothing makes
// structure: no percent sign, brace, semicolon or opening bracket. It looks at
// eight bytes at a time; but for the percent sign, and the escape character,
// those have the lower five bits of a brace.
func structureAt(s []byte, i int) int {
	const (
		each  = 0x0101010101010101
		high  = each << 7
		like  = each * (0x9F & '{')
		marks = each * 0x9F
	)
	for ; i+8 <= len(s); i += 8 {
		v := binary.LittleEndian.Uint64(s[i:])
		brace, percent := v&marks^like, v^each*'%'
		if found := ((brace-each)&^brace | (percent-each)&^percent) & high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	return i
}

// skimRest goes to the end of what the place is inside of. It finds nothing
// where that is no comment.
func (l *lexer) skimRest() (t token, found bool) {
	if l.inside == insideComment {
		end, how := commentEnd(l.text, l.i, l.complete)
		if l.i = end; how == tokEnd {
			return token{}, false
		}
		l.inside = insideNothing
		return l.close(how, l.begun, end), true
	}
	if l.i = lineEnd(l.text, l.i); l.i == len(l.text) && !l.complete {
		return token{}, false
	}
	isComment := l.inside == insideLineComment
	l.inside = insideNothing
	if !isComment {
		l.note(l.i)
		return token{}, false
	}
	return l.close(tokComment, l.begun, l.i), true
}

// longBracket is how far the end of a tag is looked for before its line is
// passed by as it is.
const longBracket = 64 << 10

// skimBracket reads what the bracket at i opens. It finds nothing where that is
// a stray sign, or where more text is needed; then it stays there.
func (l *lexer) skimBracket(i int) (t token, found bool) {
	t = l.bracket(i)
	switch {
	case t.kind == tokStray:
		return t, l.head
	case t.kind != tokEnd:
		return t, true
	case len(l.text)-i <= longBracket:
		l.i = i
		return t, false
	case l.pair.name.from == 0:
		return l.token(tokStray, i, i+1), l.head
	}
	l.inside = insideRest
	return l.close(tokTag, i, len(l.text)), true
}

// longGame is how much text without a cut is looked at once before it is
// skimmed, in bytes.
const longGame = 64 << 10

// eventTag is how the tags of most games begin.
const eventTag = `[Event "`

// usualCut goes on to where the next game begins as nearly all do: with the tag
// Event, behind a result and a blank line. Skimming would find a game there
// too, since even a comment without end, or a bracket, ends there at the latest;
// games that it would find before are left to the parser, to which the cuts make
// no difference.
func (s *splitter) usualCut() (at int, found bool) {
	text := s.b.text
	from, to := s.looked, s.looked // the last line with anything on it, its end included
	for i := max(s.looked, s.start); ; {
		k := bytes.IndexByte(text[i:], '\n')
		if k < 0 || i+k+len(eventTag) >= len(text) {
			return 0, false
		}
		if k > 1 || k == 1 && text[i] != '\r' {
			from, to = i, i+k
			s.looked = i
		}
		i += k + 1
		if text[i] != '[' || i == to+1 || string(text[i:i+len(eventTag)]) != eventTag || !endsInResult(text[from:to]) {
			continue
		}
		s.lex.skimming, s.lex.ends, s.lex.tag, s.lex.i = skimming{escaped: s.lex.escaped}, [2]int{}, 0, i
		s.lex.head, s.tags, s.front, s.seen = true, false, noRun, anyText
		return i, true
	}
}

// endsInResult reports whether a line ends in a result, and nothing in it goes on
// to its end: no line comment, escape or bracket.
func endsInResult(line []byte) bool {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	rest := line
	for _, word := range [...]string{"1-0", "0-1", "1/2-1/2", "*"} {
		if bytes.HasSuffix(line, []byte(word)) {
			rest = line[:len(line)-len(word)]
			break
		}
	}
	if len(rest) == len(line) || len(rest) > 0 && rest[len(rest)-1] != ' ' {
		return false
	}
	if len(rest) > 0 && rest[0] == '%' || bytes.IndexByte(rest, ';') >= 0 {
		return false
	}
	return bytes.LastIndexByte(rest, '[') <= bytes.LastIndexByte(rest, ']')
}
