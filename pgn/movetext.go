package pgn

import (
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// readMoves reads the moves at p.i to the end of the game, with everything
// that stands among them.
func (p *parser) readMoves() *GameError {
	from := -1 // where signs without meaning begin, if they stand in front of p.i
	for p.i < len(p.text) {
		if isBlank(p.text[p.i]) {
			p.i++
			continue
		}
		at := p.i
		more, err := p.element()
		switch {
		case err != nil:
			if from < 0 {
				from = at
			}
			if !p.talk(from, err) {
				return p.unreadable(at, from, err)
			}
			from = -1
		case !more:
			p.endLines()
			return nil
		case p.i > at+1 || !isStray(p.text[at]):
			from = -1
		case from < 0:
			from = at
		}
	}
	p.endLines()
	return nil
}

// isStray reports whether a sign is passed by among moves.
func isStray(c byte) bool {
	switch c {
	case '.', ',', '"', '<', '>', ']', '}':
		return true
	}
	return false
}

// endLines ends all lines of the game.
func (p *parser) endLines() {
	p.endLine()
	for len(p.game.outer) > 0 {
		p.leave()
		p.endLine()
	}
}

// element reads one element of the moves. It returns false, and reads nothing,
// where another game begins.
func (p *parser) element() (more bool, err error) {
	s, i := p.text, p.i
	c := s[i]
	if p.game.done && !p.belongsToResult(c) {
		return false, nil
	}
	switch c {
	case '<':
		p.reserved()
	case '.', ',', '"', '>', ']', '}':
		p.i++
	case '{', ';':
		body, end := scanComment(s, i)
		if end < 0 {
			return true, errOpenComment
		}
		p.i = end
		p.readComment(i, body)
	case '%':
		if p.i++; i == 0 || s[i-1] == '\n' {
			p.i = lineEnd(s, i)
		}
	case '(':
		if strings.HasPrefix(s[i:], drawOffer) {
			p.i += len(drawOffer)
			p.comment(drawOffer)
			break
		}
		if p.game.line.talk {
			return true, board.ErrNotation
		}
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

// drawOffer is how tournament bulletins mark a draw offer.
const drawOffer = "(=)"

// bracket reads what '[' begins among the moves: the tags of the next game, or
// a command that lost its braces.
func (p *parser) bracket() (more bool, err error) {
	if startsTag(p.text[p.i:]) {
		return p.tagAmongMoves(), nil
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

// reserved reads what stands in angle brackets, which the PGN standard keeps
// for later and some programs use for diagrams: it becomes a comment. A bracket
// alone is passed by.
func (p *parser) reserved() {
	s := p.text[p.i:min(len(p.text), p.i+maxWord)]
	end := strings.IndexAny(s, ">\n{}();")
	if end < 2 || s[end] != '>' || !isLetter(s[1]) {
		p.i++
		return
	}
	p.i += end + 1
	p.comment(s[:end+1])
}

// number reads what begins with a digit: the number of a move, a result,
// castling with zeros, a null move.
func (p *parser) number() error {
	s, start := p.text, p.i
	i := start
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i < len(s) && (s[i] == '-' || s[i] == '/' || s[i] == ':') {
		return p.resultOrCastling()
	}
	if strings.HasPrefix(s[i:], " - ") {
		if r, width := spacedResult(s[start:]); width > 0 {
			p.i += width
			p.result(r)
			return nil
		}
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
	l.started, l.talk = true, false
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
