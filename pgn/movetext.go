package pgn

import (
	"errors"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// readMoves reads the moves at p.i to the end of the game, with everything
// that stands among them.
func (p *parser) readMoves() *GameError {
	for p.i < len(p.text) {
		if isBlank(p.text[p.i]) {
			p.i++
			continue
		}
		at := p.i
		more, err := p.element()
		if err != nil {
			return p.unreadable(at, err)
		}
		if !more {
			break
		}
	}
	p.endLine()
	for len(p.game.outer) > 0 {
		p.leave()
		p.endLine()
	}
	return nil
}

// element reads one element of the moves. It returns false, and reads nothing,
// where another game begins.
func (p *parser) element() (more bool, err error) {
	s, i := p.text, p.i
	c := s[i]
	if p.game.done && !belongsToResult(c) {
		return false, nil
	}
	switch c {
	case '.', ',', '"', '<', '>', ']', '}':
		p.i++
	case '{', ';':
		body, end := scanComment(s, i)
		if end < 0 {
			return true, errOpenComment
		}
		p.i = end
		p.comment(body)
	case '%':
		if p.i++; i == 0 || s[i-1] == '\n' {
			p.i = lineEnd(s, i)
		}
	case '(':
		return true, p.enter()
	case ')':
		p.i++
		if len(p.game.outer) > 0 {
			p.endLine()
			p.leave()
		}
	case '[':
		return p.bracket()
	case '$':
		p.i++
		p.nag()
	case '!', '?':
		p.suffix()
	case '*':
		p.i++
		p.result(model.NoResult)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true, p.number()
	default:
		return true, p.word()
	}
	return true, nil
}

// belongsToResult reports whether an element that begins with c, and stands
// behind the result, still belongs to the game.
func belongsToResult(c byte) bool { return c == '{' || c == ';' || c == '%' || c == '$' }

// bracket reads what '[' begins among the moves: the tags of the next game, or
// a command that lost its braces.
func (p *parser) bracket() (more bool, err error) {
	if startsTag(p.text[p.i:]) {
		return false, nil
	}
	end := p.i + 1
	for end < len(p.text) && p.text[end] != ']' && p.text[end] != '\n' {
		end++
	}
	if end < len(p.text) && p.text[end] == ']' {
		end++
	}
	body := p.text[p.i:end]
	p.i = end
	p.comment(body)
	return true, nil
}

// word reads a move, or a symbol that stands by itself.
func (p *parser) word() error { return p.wordTo(moveEnd(p.text, p.i)) }

func (p *parser) wordTo(end int) error {
	start := p.i
	p.i = end
	m, err := p.game.pos.ParseSAN(p.raw[start:end])
	if err != nil {
		return p.oddWord(start, end, err)
	}
	p.play(m)
	return nil
}

// oddWord reads a word that is not a move as it stands: a symbol, a move with
// a symbol attached, a remark that belongs to the move before.
func (p *parser) oddWord(start, end int, err error) error {
	switch at, width := separator(p.text[start:end]); {
	case at == 0:
		p.i = start + width
		return nil
	case at > 0:
		p.i = start
		return p.wordTo(start + at)
	}
	word := p.decode(p.text[start:end])
	if n, ok := symbolNAG(word); ok {
		p.symbol(n)
		return nil
	}
	switch word {
	case "e.p.", "ep", "ep.", "-", "\u2013", "\u2014":
		return nil
	}
	if r, ok := model.ParseResult(word); ok {
		p.result(r)
		return nil
	}
	if move, n := cutSymbol(word); n != 0 {
		if m, err := p.game.pos.ParseSAN([]byte(move)); err == nil {
			p.play(m)
			p.symbol(n)
			return nil
		}
	}
	if errors.Is(err, board.ErrNotation) && !isASCIIWord(word) {
		return errUnknownSign
	}
	return err
}

// separators are characters beyond ASCII that separate words as blanks and dots
// do: hard and invisible blanks, the byte order mark, the ellipsis.
var separators = [...]string{"\u00A0", "\u200B", "\uFEFF", "\u2026"}

// separator returns the place of the first separator in a word and its length
// in bytes; the place is -1 if there is none.
func separator(word string) (at, width int) {
	at = -1
	for _, s := range separators {
		if k := strings.Index(word, s); k >= 0 && (at < 0 || k < at) {
			at, width = k, len(s)
		}
	}
	return at, width
}

// isASCIIWord reports whether a word begins like an ordinary one.
func isASCIIWord(word string) bool { return word != "" && (isLetter(word[0]) || isDigit(word[0])) }

// number reads what begins with a digit: the number of a move, a result,
// castling with zeros, a null move.
func (p *parser) number() error {
	s, start := p.text, p.i
	i := start
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i < len(s) && (s[i] == '-' || s[i] == '/') {
		return p.resultOrCastling()
	}
	if s[start:i] == "0000" && (i == len(s) || s[i] != '.') {
		return p.word()
	}
	for i < len(s) && s[i] == '.' {
		i++
	}
	p.i = i
	return nil
}

// resultOrCastling reads "1-0" and the like. "0-0" is the result only at the
// end of a game whose tag says so, or where castling is not possible.
func (p *parser) resultOrCastling() error {
	end := wordEnd(p.text, p.i)
	r, isResult := model.ParseResult(p.text[p.i:end])
	if !isResult {
		return p.word()
	}
	if r == model.BothLose && !p.endsGame(end) {
		if m, err := p.game.pos.ParseSAN(p.raw[p.i:end]); err == nil {
			p.i = end
			p.play(m)
			return nil
		}
	}
	p.i = end
	p.result(r)
	return nil
}

// endsGame reports whether "0-0" before i is the result of the game.
func (p *parser) endsGame(i int) bool {
	return p.head.values[tagResult] == "0-0" && len(p.game.outer) == 0 && trimBlanks(p.text[i:]) == ""
}

// result takes note of the result. Inside a variation it has no meaning.
func (p *parser) result(r model.Result) {
	if len(p.game.outer) == 0 {
		p.game.marker, p.game.done = r, true
	}
}

// play makes a move on the board and adds it to the tree.
func (p *parser) play(m model.Move) {
	g := &p.game
	l := &g.line
	l.move, l.undo = m, g.pos.Make(m)
	l.node = int32(g.tree.Add(int(l.node), m))
	symbols := int32(-1)
	if g.beforeFirstMove() {
		symbols = l.symbols // those before the move and behind it are one
	}
	l.started = true
	g.notes.attach(&l.place, l.node)
	l.symbols = symbols
}

// enter begins a variation.
func (p *parser) enter() error {
	g := &p.game
	l := &g.line
	if !l.started && len(g.outer) == 0 {
		return errNoVariation
	}
	if len(g.outer) == maxDepth {
		return errTooDeep
	}
	p.i++
	g.outer = append(g.outer, frame{line: *l, pos: g.pos})
	before := l.node
	if l.started {
		g.pos.Unmake(l.move, l.undo)
		before = int32(g.tree.Parent(int(l.node)))
	}
	*l = line{node: before, place: newPlace(len(g.notes.waiting))}
	return nil
}

// leave ends a variation and goes on with the line around it.
func (p *parser) leave() {
	g := &p.game
	f := &g.outer[len(g.outer)-1]
	g.line, g.pos = f.line, f.pos
	g.outer = g.outer[:len(g.outer)-1]
}
