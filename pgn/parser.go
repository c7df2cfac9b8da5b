package pgn

import (
	"bytes"
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
	decodeText  func([]byte) string
	keepGoing   bool
	keepSite    bool
	annotations bool // whether they are wanted
	careful     bool // nothing is read at one look, for tests
	outline     bool // where things stand is wanted

	b      *batch
	offset int // of the chunk in the batch
	lexer
	chunk string // the text of the lexer
	texts textArena
	mixed bool // it is not all UTF-8

	head header
	// early are the comments in front of the tags and between them.
	early []earlyComment
	out   *parsed // the game under way
	game  gameState
	again [64]byte // room for a command that is written again
	// letters are those of the pieces, nil for the English ones; tried says
	// that the game does not read with any others, and trial that this is
	// being tried.
	letters      *pieceLetters
	tried, trial bool
}

// earlyComment is a comment that was read before the board was set up.
type earlyComment struct {
	token
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
	// behind says that the variation under way stands behind the result.
	behind bool
	// resultAt is the place behind it.
	resultAt int
	// foreign says that there is a letter that no English piece has.
	foreign bool
	// comment is the last one that was read.
	comment token

	annotations annotationCollector
}

// line is where the parser stands on one line of the game.
type line struct {
	// node is the last move, or what stands before the line; started says
	// which of them.
	node    int32
	started bool
	// wordsOnly says that no move follows on the line, so that words are a comment.
	wordsOnly bool
	// move and undo are the last move, which an alternative takes back.
	move model.Move
	undo board.Undo
	place
}

// frame is a line that is interrupted by a variation.
type frame struct {
	line
	pos board.Position
	at  int // where the variation begins
}

func newParser(opt *ReaderOptions, want model.Want) *parser {
	p := &parser{
		decodeText: opt.DecodeText, keepGoing: opt.KeepGoing, keepSite: opt.KeepSite,
		annotations: want&model.WantAnnotations != 0, outline: opt.outline,
	}
	if p.decodeText == nil {
		p.decodeText = decodeWindows1252
	}
	return p
}

// batch reads all games of a batch.
func (p *parser) batch(b *batch) {
	p.b = b
	from := 0
	for _, to := range b.cuts { // each ends a chunk, which is one game as a rule
		p.offset = from
		p.lexer = lexer{text: b.text[from:to], complete: true, last: b.ends && to == len(b.text)}
		p.chunk = string(p.lexer.text)
		p.texts.made = strings.Builder{} // texts share no memory with those of games before
		p.mixed = !utf8.ValidString(p.chunk)
		for n := 0; p.findGame(); n++ {
			if n == chunkGames {
				b.games.next().err = p.errorAt(p.i, "", errCrowded)
				break
			}
			p.readGame()
		}
		from = to
	}
	if !b.ends || b.games.len() == 0 {
		return
	}
	// The file may end inside its last game.
	p.out = b.games.at(b.games.len() - 1)
	switch {
	case p.out.err != nil || len(p.out.cuts) > 0:
	case p.out.openTag:
		p.cut(len(p.chunk), "", errOpenTag, "there may have been more")
	case !p.game.done:
		p.remark(len(p.chunk), "end", "the file ends without a result behind its last game; is it complete?")
	}
}

// findGame goes to where the next game of the chunk begins: at a tag, or at
// the moves of a game without tags, or at comments that lead up to them.
// Anything else is passed by.
func (p *parser) findGame() bool {
	p.lexer.head = p.i == 0
	left, front := -1, -1 // where text begins that belongs to no game, and comments in front of one
	isOpen := false       // the text ends inside a comment
	depth := 0            // of round brackets, in which no game begins
	for fresh := true; ; {
		t := p.next()
		beside := t.start
		if !isComment(t.kind) && t.kind != tokTag && t.kind != tokEnd {
			beside = besideTag(p.text, 0, t.start, p.lexer.head, !p.last)
		}
		switch {
		case beside > t.start: // the game that begins reports it if there are comments in front
			if p.i = beside; left < 0 && front < 0 {
				left = t.start
			}
			continue
		case t.kind == tokEnd:
			if front >= 0 && left < 0 {
				left = front
			}
			p.leaveOut(left, t.start, isOpen)
			return false
		case t.kind == tokTag, (t.kind == tokWord || t.kind == tokNumber) && startsFirstMove(p.text, t.start, fresh) && (depth == 0 || linesBefore(p.text, t.start) > 1):
			if p.i = t.start; front >= 0 {
				p.i = front
			}
			p.leaveOut(left, p.i, isOpen)
			return true
		case (t.kind == tokComment || t.kind == tokQuoting) && (front >= 0 || skipBlanks(p.text, 0) == t.start || p.mayLead(t)):
			if front < 0 {
				front = t.start
			}
			continue
		}
		if left < 0 {
			if left = t.start; front >= 0 {
				left = front
			}
		}
		switch {
		case t.kind == tokOpen:
			depth++
		case t.kind == tokClose:
			depth = max(0, depth-1)
		case t.kind == tokBracket && !isCommand(p.text, t.start): // such as [pgn]
			front = -1
			continue
		}
		isOpen = t.kind == tokUnclosed
		fresh, front, p.lexer.head = false, -1, false
	}
}

// isComment reports whether a token is a comment.
func isComment(k kind) bool { return k == tokComment || k == tokQuoting || k == tokUnclosed }

// readGame reads the game that begins at the tag or move at p.i, or at a
// comment in front of it.
func (p *parser) readGame() {
	p.out = p.b.games.next()
	p.out.at = p.b.at + int64(p.offset+p.i)
	if p.outline {
		if p.out.outline == nil {
			p.out.outline = &outline{}
		}
		*p.out.outline = outline{from: p.i, tags: p.out.outline.tags[:0]}
	}
	p.head = header{rest: p.head.rest[:0], kept: p.head.kept[:0]}
	first := p.readTags()
	start, err := p.head.start()
	var pos board.Position
	if err == nil {
		pos, err = board.New(start)
	}
	if loose := p.head.values[tagFEN]; p.head.looseFEN && (err != nil || !p.fits(pos)) && p.fits(board.Start()) {
		p.remark(first, "Fen", "the moves do not fit %q; they begin where games begin", quote(loose))
		p.head.seen[tagFEN], p.head.kept = false, p.head.kept[:0]
		p.head.rest = append(p.head.rest, model.Tag{Name: "Fen", Value: loose})
		start, err = p.head.start()
		pos = board.Start()
	}
	if err != nil {
		p.game.reset(pos)
		p.out.err = p.errorAt(first, "", err)
		p.skipGame(0)
		return
	}
	if where := p.out.outline; where != nil {
		where.heads, where.moves = len(where.tags), p.i-where.from
		where.early = where.heads > 0 && len(p.early) > 0 && p.early[0].start-where.from < where.tags[where.heads-1].from
	}
	p.out.err = p.readGameMoves(pos)
	if p.out.isGame = p.isGame(); p.out.err != nil {
		return
	}
	g := &p.out.game
	tags, moves, list := g.Tags, g.Moves, g.Annotations[:0]
	*g = model.Game{Header: model.NewHeader(), Start: start}
	g.Tags = tags
	var conflict bool
	if g.Result, conflict = p.head.result(p.game.marker); conflict {
		p.remark(p.game.resultAt, "Result", "the tag says %v, the end of the moves %v; the tag counts", g.Result, p.game.marker)
	}
	g.Leftovers.Header = p.head.fill(&g.Header, &p.out.names, p.keepSite)
	order := p.game.tree.Build(&moves)
	g.Moves = moves
	g.Annotations = p.game.annotations.collect(list, order, moves.Len(), &p.texts)
	p.out.outline.finish(p.text, p.i)
}

// fits reports whether the moves at p.i can be played from a position.
func (p *parser) fits(pos board.Position) bool {
	lexer, head, out := p.lexer, p.head, *p.out
	annotations, keepGoing := p.annotations, p.keepGoing
	p.annotations, p.keepGoing, p.out.outline = false, false, nil
	err := p.readGameMoves(pos)
	p.lexer, p.head, *p.out = lexer, head, out
	p.annotations, p.keepGoing = annotations, keepGoing
	return err == nil
}

// reset makes ready for the moves from a position.
func (g *gameState) reset(pos board.Position) {
	g.pos = pos
	g.tree.Reset()
	g.line = line{node: model.NoNode, place: newPlace(0)}
	g.outer = g.outer[:0]
	g.marker, g.done, g.behind, g.foreign, g.comment = model.NoResult, false, false, false, token{}
	g.annotations.reset()
}

// part returns the text of a token as it stands there.
func (p *parser) part(t token) string { return p.chunk[t.start:t.end] }

// bodyOf returns the text in a comment.
func (p *parser) bodyOf(t token) string {
	if t.kind == tokUnclosed || p.text[t.start] == ';' {
		return p.chunk[t.start+1 : t.end]
	}
	return p.chunk[t.start+1 : t.end-1]
}

// readTags reads the tags at p.i and the comments among them, up to the moves
// or to the next game. It returns the place of the first tag, or where it
// began.
func (p *parser) readTags() (first int) {
	first = p.i
	p.early = p.early[:0]
	p.lexer.head = true
	odd := -1 // where brackets begin that are no tags
	for {
		at := p.i
		t := p.next()
		switch {
		case isComment(t.kind) && t.kind != tokUnclosed:
			p.early = append(p.early, earlyComment{t, p.bodyOf(t)})
			continue
		case t.kind == tokBracket && p.head.count > 0 && !isCommand(p.text, t.start) && !isShortcode(p.text, t.start):
			if odd < 0 {
				odd = t.start
			}
			continue
		case t.kind == tokTag:
			name := p.tagName()
			isEvent := name == "Event"
			if p.head.count > 0 && (isEvent || t.start-p.ends[1] > 1) { // else only a line break is between
				behindBlank := bytes.Count(p.text[p.ends[1]:t.start], []byte{'\n'}) > 1
				if has := p.head.has(name); has && (isEvent || behindBlank) || isEvent && behindBlank {
					break // this game has no moves, and another one begins
				}
			}
			if odd >= 0 {
				p.remark(odd, "tag", "%q is no tag; left out", quote(p.decode(p.chunk[odd:t.start])))
				odd = -1
			}
			if p.head.count == 0 {
				first = t.start
			}
			p.out.headed = p.out.headed || headsGame(name)
			p.out.isGame = p.out.isGame || p.pair.quoted && isPlainName(name) && p.pair.closed
			p.addTag(t)
			continue
		case t.kind != tokEnd && t.kind != tokUnclosed:
			if end := besideTag(p.text, p.lexer.tag, t.start, true, false); end > t.start {
				if odd < 0 {
					odd = t.start
				}
				p.remarkBeside(odd, end)
				p.i, odd = end, -1
				continue
			}
		}
		if p.i = at; odd >= 0 {
			p.i = odd
		}
		p.lexer.head = false
		return first
	}
}

// remarkBeside takes note of what stands beside a tag.
func (p *parser) remarkBeside(from, to int) {
	p.remark(from, "tag", "%q stands beside a tag; left out", quote(p.decode(p.chunk[from:to])))
}

// tagName returns the name of the tag that was read last.
func (p *parser) tagName() string { return p.chunk[p.pair.name.from:p.pair.name.to] }

// addTag takes the tag that was read last.
func (p *parser) addTag(t token) {
	if where := p.out.outline; where != nil {
		pair, from := p.pair, where.from
		if pair.name.to > 0 { // else the text ends behind its bracket
			pair.name = span{pair.name.from - from, pair.name.to - from}
			pair.value = span{pair.value.from - from, pair.value.to - from}
		}
		where.tags = append(where.tags, tagSpan{span{t.start - from, t.end - from}, pair})
	}
	value := p.decode(p.chunk[p.pair.value.from:p.pair.value.to])
	if !p.pair.quoted {
		value = strings.Trim(trimBlanks(value), `"`)
	}
	if strings.IndexByte(value, '\n') >= 0 {
		value = normalize(value)
	}
	p.out.openTag = p.last && !p.pair.closed && trimBlanks(p.chunk[p.i:]) == ""
	if name := p.tagName(); name != "" {
		p.head.add(p.decode(name), unescape(value))
	}
}

// errorAt returns an error at a place of the chunk.
func (p *parser) errorAt(i int, move string, err error) *GameError {
	return &GameError{File: p.b.file, Line: p.b.lineAt(p.offset + i), Move: move, Err: err}
}

// outline says where things stand in the text of a game, in bytes from where it begins.
// Who changes a game there needs them.
type outline struct {
	from  int // the place in the chunk of where the game begins
	tags  []tagSpan
	heads int // how many of them stand in front of the moves
	// early says that there are comments in front of the tags or between them.
	early bool
	// moves is where the moves begin; result, what was taken for the result, if
	// anything; end, where the last thing ends that belongs to the game.
	moves  int
	result span
	end    int
}

// tagSpan is a tag where it stands, from bracket to bracket.
type tagSpan struct {
	span
	tagPair
}

// finish finds the end of the game, behind which text goes on at next.
func (p *outline) finish(text []byte, next int) {
	if p == nil {
		return
	}
	p.end = p.moves
	if p.heads > 0 {
		p.end = p.tags[p.heads-1].to // what stands beside it belongs to the game, too
	}
	if p.result.to > 0 {
		p.result.from, p.result.to = p.result.from-p.from, p.result.to-p.from
		p.end = p.result.to
	}
	l := lexer{text: text, complete: true, last: true, i: p.from + p.end}
	for t := l.next(); t.kind != tokEnd && t.start < next; t = l.next() {
		p.end = max(p.end, t.end-p.from)
	}
}
