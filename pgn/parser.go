package pgn

import (
	"errors"
	"strings"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/model"
)

// maxDepth bounds the nesting of variations.
const maxDepth = 1 << 16

// parser reads the games of one batch after the other. Its memory is used
// again for each game.
type parser struct {
	codePage    func([]byte) string
	keepGoing   bool
	keepSite    bool
	annotations bool // whether they are wanted

	b      *batch
	offset int    // of the chunk in the batch
	raw    []byte // the chunk
	text   string // the same
	mixed  bool   // the chunk is not all UTF-8
	i      int    // place in text

	head header
	// early are the comments in front of the tags and between them.
	early []earlyComment
	out   *parsed // the game under way
	game  gameState
}

// earlyComment is a comment that was read before the board was set up.
type earlyComment struct {
	at   int
	body string
}

// gameState is what is known of the moves of the game under way.
type gameState struct {
	pos    board.Position
	tree   model.TreeBuilder
	line   line
	outer  []frame // the lines around this one
	marker model.Result
	done   bool // the result was read
	// resultAt is the place behind it.
	resultAt int
	// behind says whom comments behind the result belong to.
	behind ownership

	notes notes
}

// line is where the parser stands on one line of the game.
type line struct {
	// node is the last move, or what stands before the line; started says
	// which of them.
	node    int32
	started bool
	// talk says that no move follows on the line, so that words are a comment.
	talk bool
	// move and undo are the last move, which an alternative takes back.
	move model.Move
	undo board.Undo
	place
}

// frame is a line that is interrupted by a variation.
type frame struct {
	line
	pos board.Position
}

func newParser(opt *ReaderOptions, want model.Want) *parser {
	p := &parser{
		codePage: opt.CodePage, keepGoing: opt.KeepGoing, keepSite: opt.KeepSite,
		annotations: want&model.WantAnnotations != 0,
	}
	if p.codePage == nil {
		p.codePage = decodeWindows1252
	}
	return p
}

// batch reads all games of a batch.
func (p *parser) batch(b *batch) {
	p.b = b
	from := 0
	for _, to := range b.cuts {
		p.chunk(from, to)
		from = to
	}
}

// chunk reads the games of a chunk; there is one, as a rule.
func (p *parser) chunk(from, to int) {
	p.offset, p.raw, p.i = from, p.b.text[from:to], 0
	p.text = string(p.raw)
	p.mixed = !utf8.ValidString(p.text)
	for n := 0; p.findGame(); n++ {
		if n == chunkGames {
			p.b.next().err = p.errorAt(p.i, "", errCrowded)
			return
		}
		p.readGame()
	}
}

// readGame reads the game that begins at the tag or move at p.i, or at a
// comment in front of it.
func (p *parser) readGame() {
	p.out = p.b.next()
	p.out.at = p.b.at + int64(p.offset+p.i)
	p.head.reset()
	begin := p.readTags()
	start, err := p.head.start()
	if err == nil {
		err = p.begin(start)
	}
	if err != nil {
		p.out.err = p.errorAt(begin, "", err)
		p.skipGame(0)
		return
	}
	for _, c := range p.early {
		p.readComment(c.at, c.body)
	}
	if e := p.readMoves(); e != nil {
		p.out.err, p.out.sure = e, p.sure()
		return
	}
	p.out.sure = p.sure()
	p.finish(start)
}

// begin sets the board up for a game.
func (p *parser) begin(start *model.Position) error {
	g := &p.game
	pos, err := board.New(start)
	if err != nil {
		return err
	}
	g.pos = pos
	g.tree.Reset()
	g.line = line{node: model.NoNode, place: newPlace(0)}
	g.outer = g.outer[:0]
	g.marker, g.done, g.behind = model.NoResult, false, ownerUnknown
	g.notes.reset()
	return nil
}

// finish makes the game of what was read.
func (p *parser) finish(start *model.Position) {
	out := &p.out.game
	tags := out.Tags
	moves, list := out.Moves, out.Annotations[:0]
	*out = model.Game{Header: model.NewHeader(), Start: start}
	out.Tags = tags
	var conflict bool
	if out.Result, conflict = p.head.result(p.game.marker); conflict {
		p.remark(p.game.resultAt, "Result", "the tag says %v, the end of the moves %v; the tag counts", out.Result, p.game.marker)
	}
	p.head.fill(&out.Header, &p.out.names, p.keepSite)
	order := p.game.tree.Build(&moves)
	out.Moves = moves
	out.Annotations = p.game.notes.collect(list, order, moves.Len())
}

// errorAt returns an error at a place of the chunk.
func (p *parser) errorAt(i int, move string, err error) *GameError {
	return &GameError{File: p.b.file, Line: p.b.lineAt(p.offset + i), Move: move, Err: err}
}

// newlinesBefore counts the line breaks between i and what stands before it.
func (p *parser) newlinesBefore(i int) (n int) {
	for i > 0 && isBlank(p.text[i-1]) {
		i--
		if p.text[i] == '\n' {
			n++
		}
	}
	return n
}

// skipBlanks skips blanks and escaped lines.
func (p *parser) skipBlanks() {
	for p.i < len(p.text) && (isBlank(p.text[p.i]) || p.atEscape()) {
		if p.text[p.i] == '%' {
			p.i = lineEnd(p.text, p.i)
		} else {
			p.i++
		}
	}
}

// atEscape reports whether a line begins here that is to be skipped.
func (p *parser) atEscape() bool {
	return p.text[p.i] == '%' && (p.i == 0 || p.text[p.i-1] == '\n')
}

// findGame goes to where the next game of the chunk begins: at a tag, or at
// the moves of a game without tags, or at a comment right before them. Anything
// else is passed by.
func (p *parser) findGame() bool {
	s := p.text
	atStart := p.i == 0
	left := -1 // where text begins that belongs to no game
	for comment := -1; ; {
		p.skipBlanks()
		if p.i == len(s) {
			if comment >= 0 && left < 0 {
				left = comment
			}
			p.passBy(left, p.i)
			return false
		}
		c := s[p.i]
		switch {
		case c == '[' && (atStart && mayBeTag(s[p.i:]) || startsTag(s[p.i:])),
			atStart && isFirstMove(p.raw[p.i:wordEnd(s, p.i)], false), isDigit(c) && startsFirstMove(s[p.i:], atStart):
			if comment >= 0 {
				p.i = comment
			}
			p.passBy(left, p.i)
			return true
		case c == '{' || c == ';':
			if comment < 0 {
				comment = p.i
			}
			if _, p.i = scanComment(s, p.i); p.i < 0 {
				p.i = len(s)
			}
			continue
		}
		if left < 0 {
			left = p.i
			if comment >= 0 {
				left = comment
			}
		}
		p.i = max(wordEnd(s, p.i), p.i+1)
		atStart, comment = false, -1
	}
}

// passBy takes note of the text from left on, if that is a place.
func (p *parser) passBy(left, to int) {
	if left >= 0 {
		p.leaveOut(left, to)
	}
}

// isFirstMove reports whether a word is a move from the standard starting
// position, with or without a sign attached; an impossible move will do if
// loose is set.
func isFirstMove(word []byte, loose bool) bool {
	if at, _ := separator(string(word)); at >= 0 {
		word = word[:at]
	}
	move, _ := cutSymbol(string(word))
	for _, text := range [...][]byte{word, []byte(move)} {
		pos := board.Start()
		m, err := pos.ParseSAN(text)
		if err == nil && !m.IsNull() || loose && err != nil && !errors.Is(err, board.ErrNotation) {
			return true
		}
	}
	return false
}

// startsFirstMove reports whether s begins with the number of a move and a
// first move of a game. The dot behind the number may be missing if loose is
// set.
func startsFirstMove(s string, loose bool) bool {
	i := 0
	for i < len(s) && i < 4 && isDigit(s[i]) {
		i++
	}
	dots := i
	for i < len(s) && s[i] == '.' {
		i++
	}
	if i == dots && !loose {
		return false
	}
	isOne := s[:dots] == "1" && i > dots
	for i < len(s) {
		word := s[i:wordEnd(s, i)]
		at, width := separator(word)
		switch {
		case isBlank(s[i]):
			i++
		case at == 0:
			i += width
		default:
			return isFirstMove([]byte(word), isOne)
		}
	}
	return false
}

// mayBeTag reports whether a bracket that opens s, among tags or where they
// may begin, is that of a tag; its value may lack the quotes.
func mayBeTag(s string) bool { return len(s) > 1 && isLetter(s[1]) || startsTag(s) }

// readTags reads the tags at p.i and the comments among them, up to the moves
// or to the next game. It returns the place of the first tag, or where it
// began.
func (p *parser) readTags() (first int) {
	s := p.text
	first = p.i
	p.early = p.early[:0]
	for p.skipBlanks(); p.i < len(s); p.skipBlanks() {
		switch c := s[p.i]; {
		case c == '{' || c == ';':
			body, end := scanComment(s, p.i)
			if end < 0 {
				return first
			}
			p.early = append(p.early, earlyComment{p.i, body})
			p.i = end
		case c != '[':
			return first
		case mayBeTag(s[p.i:]):
			t := scanTag(s, p.i)
			if !p.head.empty() && p.newlinesBefore(p.i) > 1 && (t.name == "Event" || p.head.has(t.name)) {
				return first
			}
			if p.head.empty() {
				first = p.i
			}
			p.out.headed = p.out.headed || headsGame(t.name)
			p.out.sure = p.out.sure || startsTag(s[p.i:]) && isPlainName(t.name) && s[t.end-1] == ']'
			p.addTag(t)
		case !p.skipBracket():
			return first
		}
	}
	return first
}

// addTag takes a tag that was scanned.
func (p *parser) addTag(t tagPair) {
	p.head.add(p.decode(t.name), unescape(p.decode(t.value)))
	p.i = t.end
}

// skipBracket passes lines by that begin with a bracket but not with a tag, if
// another tag follows.
func (p *parser) skipBracket() bool {
	s, from, end := p.text, p.i, p.i
	for !startsTag(s[p.i:]) {
		if p.head.empty() || s[p.i] != '[' || strings.HasPrefix(s[p.i:], "[%") || strings.HasPrefix(s[p.i:], diagramMark) {
			p.i = from
			return false
		}
		p.i = lineEnd(s, p.i)
		end = p.i
		if p.skipBlanks(); p.i == len(s) {
			p.i = from
			return false
		}
	}
	p.remark(from, "tag", "%q is no tag; left out", quote(p.decode(s[from:end])))
	return true
}

// tagAmongMoves reads the tag at p.i, which stands among moves, and those that
// follow it, if they belong to the game under way.
func (p *parser) tagAmongMoves() bool {
	if p.beginsGame() {
		return false
	}
	for p.i < len(p.text) && startsTag(p.text[p.i:]) {
		p.addTag(scanTag(p.text, p.i))
		p.skipBlanks()
	}
	return true
}

// beginsGame reports whether another game begins with the tag at p.i, which
// stands among moves: the one before it has its result, or the tag or one of
// those behind it is one that only games begin with, or that this game has
// already, or a first move follows them.
func (p *parser) beginsGame() bool {
	if p.game.done {
		return true
	}
	defer func(i int) { p.i = i }(p.i)
	for p.i < len(p.text) && startsTag(p.text[p.i:]) {
		t := scanTag(p.text, p.i)
		if headsGame(t.name) || p.head.has(t.name) {
			return true
		}
		p.i = t.end
		p.skipBlanks()
	}
	if !p.game.line.started {
		return false
	}
	dots, ok := strings.CutPrefix(p.text[p.i:], "1")
	return ok && dots != "" && (dots[0] == '.' || isBlank(dots[0])) && !strings.HasPrefix(dots, "..")
}
