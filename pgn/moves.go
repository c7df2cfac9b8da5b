package pgn

import (
	"errors"
	"strconv"

	"cbkit/board"
	"cbkit/model"
)

// readGameMoves reads the moves at p.i from a position, with the letters of
// another language if the game makes sense only with those.
func (p *parser) readGameMoves(pos board.Position) *GameError {
	from, remarks := p.i, len(p.out.remarks)
	p.letters, p.tried = nil, false
	err := p.readMoves(pos)
	if errors.Is(err, errForeign) {
		p.tried, p.out.remarks = true, p.out.remarks[:remarks]
		if p.letters = p.findLetters(pos, from); p.letters != nil {
			p.remark(skipBlanks(p.text, from), "moves", "read with the letters of the pieces in %s", p.letters.languages)
		}
		p.i = from
		err = p.readMoves(pos)
	}
	e, _ := err.(*GameError)
	return e
}

// readMoves reads the moves at p.i to the end of the game, with everything
// that stands among them. The error is a [*GameError], or one that says that
// the game is to be read in another way.
func (p *parser) readMoves(pos board.Position) error {
	p.game.reset(pos)
	p.out.cuts = p.out.cuts[:0]
	if where := p.out.outline; where != nil {
		where.tags, where.result = where.tags[:min(where.heads, len(where.tags))], span{}
	}
	for _, c := range p.early {
		p.readComment(c.token, c.body)
	}
	for strays := -1; ; { // where signs without meaning begin, right in front
		if strays < 0 && !p.game.done && p.letters == nil && !p.careful {
			p.usualMoves()
		}
		t := p.next()
		var err error
		switch {
		case t.kind == tokWord && !p.game.done:
			err = p.word(t)
		case t.kind == tokNumber && !p.game.done && follows(p.text, t.start): // nothing begins here
		case t.kind == tokEnd || p.endsBefore(t):
			goesOn := p.goesOn(t)
			if p.i = t.start; goesOn {
				continue
			}
			if n := len(p.game.outer); n > 0 {
				p.cut(p.game.outer[n-1].at, "", errOpenVariation, "the game ends in it")
			}
			p.endLines()
			return nil
		case t.kind == tokStray:
			if strays < 0 {
				strays = t.start
			}
			continue
		default:
			err = p.element(t)
		}
		if err != nil {
			problem := problem{t, t.start, err}
			if strays >= 0 {
				problem.from = strays
			}
			if done, err := p.recoverFrom(problem); done || err != nil {
				return err
			}
		}
		strays = -1
	}
}

// endsBefore reports whether the game ends in front of a token: another game
// begins with it, or it does not belong to the result behind which it stands.
func (p *parser) endsBefore(t token) bool {
	switch t.kind {
	case tokTag, tokComment, tokQuoting:
		return p.startsNext(&p.lexer, t, len(p.game.outer))
	case tokBracket:
		return p.game.done || isShortcode(p.text, t.start)
	case tokNumber:
		return p.game.done || p.game.line.started && p.startsNext(&p.lexer, t, len(p.game.outer))
	case tokNAG:
		return false
	}
	return p.game.done
}

// goesOn reports whether the moves go on behind a result, which then stands in
// the middle of them, with a token that would end them otherwise: with dots or
// the number of the next move, and that move, or with a move that is possible
// here and is no first move of another game.
//
// A variation that stands behind the result is one of the last move, if it has an end.
func (p *parser) goesOn(t token) bool {
	g := &p.game
	if !g.done || linesBefore(p.text, t.start) > 1 {
		return false
	}
	l := p.lexer
	if t.kind == tokOpen && g.line.started {
		u := p.skipDots(&l, l.next())
		if u.kind == tokNumber {
			u = p.skipDots(&l, l.next())
		}
		word := p.decode(p.part(u))
		g.done = false
		g.behind = (u.kind == tokWord || u.kind == tokScore) && (hasForm(&g.pos, word) || p.letters != nil && isMixed(word)) &&
			p.variationEnd(0) >= 0
		g.done = !g.behind
		return g.behind
	}
	u := p.skipDots(&l, t)
	if u.kind == tokNumber {
		n, _ := strconv.Atoi(p.chunk[u.start:digitsEnd(p.text, u.start)])
		if n != g.pos.FullMove() || n < 2 {
			return false
		}
		u = p.skipDots(&l, l.next())
	} else if startsFirstMove(p.text, u.start, true) {
		return false
	}
	if u.kind != tokWord && u.kind != tokScore {
		return false
	}
	m, err := p.parseMove(plain(p.decode(p.part(u))))
	if err != nil || m.IsNull() {
		return false
	}
	p.remark(t.start, "Result", "the moves go on behind %v", g.marker)
	g.done = false
	return true
}

// skipDots returns the first token that is no dot, from t on.
func (p *parser) skipDots(l *lexer, t token) token {
	for t.kind == tokStray && p.text[t.start] == '.' {
		t = l.next()
	}
	return t
}

// startsNext reports whether the next game begins with a token that l has read,
// among moves that are depth variations deep.
func (p *parser) startsNext(l *lexer, t token, depth int) bool {
	switch t.kind {
	case tokTag:
		return p.startsWithTag(*l, t)
	case tokComment, tokQuoting:
		if !l.mayLead(t) {
			return false
		}
		ahead := *l // behind it, and the comments behind it
		for t.kind == tokComment || t.kind == tokQuoting {
			t, _ = ahead.nextInRun()
		}
		return t.kind == tokTag || t.kind == tokNumber && (startsNumberOne(p.text, t.start) || p.game.done && startsFirstMove(p.text, t.start, false))
	case tokNumber:
		return depth <= 0 && p.text[t.start] == '1' && linesBefore(p.text, t.start) > 1 && startsNumberOne(p.text, t.start)
	}
	return false
}

// startsWithTag reports whether another game begins with a tag among moves: the
// one before it has its result, or the tag or one of those in its run is one
// that only games begin with, or that this game has already, or a first move
// follows them.
func (p *parser) startsWithTag(l lexer, t token) bool {
	if p.game.done || l.behindResult(t.start) {
		return true
	}
	for ; p.isInRun(t); t, _ = l.nextInRun() {
		if t.kind == tokTag {
			name := p.chunk[l.pair.name.from:l.pair.name.to]
			if headsGame(name) || p.head.has(name) {
				return true
			}
		}
	}
	return p.game.line.started && t.kind == tokNumber && startsNumberOne(p.text, t.start)
}

// isInRun reports whether a run that a tag begins can go on with a token.
func (p *parser) isInRun(t token) bool {
	switch t.kind {
	case tokTag, tokComment, tokQuoting:
		return true
	case tokBracket:
		return !isCommand(p.text, t.start)
	}
	return false
}

// bracket reads brackets among moves, which are comments: commands that lost
// their braces, or words.
func (p *parser) bracket(t token) {
	if !p.pair.closed {
		p.remark(t.start, "moves", "%q is no tag; it became a comment", quote(p.decode(p.part(t))))
	}
	p.comment(p.part(t))
}

// element reads an element of the moves.
func (p *parser) element(t token) error {
	switch t.kind {
	case tokScore:
		r, isResult := parseResult(p.decode(p.part(t)))
		if !isResult {
			return p.word(t)
		}
		// "0-0" is the result only where no move follows, and the tag says so or castling
		// is not possible.
		if ends := p.endsWith(t); r == model.BothLose && !(ends && p.head.values[tagResult] == "0-0") {
			m, err := p.parseMove(plain(p.part(t)))
			if err == nil {
				p.play(m)
				return nil
			}
			l := p.lexer
			if !ends && !errors.Is(err, board.ErrNotation) && !p.isResult(l.next()) {
				return err
			}
		}
		p.result(r, t)
	case tokComment, tokQuoting:
		p.readComment(t, p.bodyOf(t))
	case tokUnclosed:
		return errOpenComment
	case tokBracket:
		p.bracket(t)
	case tokDrawOffer, tokAngles:
		p.comment(p.part(t))
	case tokOpen:
		if p.game.line.wordsOnly {
			return board.ErrNotation
		}
		return p.enter(t)
	case tokClose:
		if len(p.game.outer) > 0 {
			p.closeLine()
		}
	case tokTag: // which belongs to the game under way, as all of its run do
		for beside := 0; p.isInRun(t); {
			switch t.kind {
			case tokTag:
				p.addTag(t)
			case tokBracket:
				p.bracket(t)
			default:
				p.readComment(t, p.bodyOf(t))
			}
			if t, beside = p.nextInRun(); beside < t.start {
				p.remarkBeside(beside, t.start)
			}
		}
		p.i = t.start
	case tokNAG:
		p.nag(t)
	case tokMark:
		p.symbol(markNAG(p.part(t)))
	case tokStar:
		p.result(model.NoResult, t)
	}
	return nil
}

// word reads a move, or a sign that stands by itself.
func (p *parser) word(t token) error {
	var m model.Move
	var err error
	if p.letters == nil {
		m, err = p.game.pos.ParseSANBytes(p.text[t.start:t.end])
	} else {
		m, err = p.parseMove(p.decode(p.part(t)))
	}
	if err != nil {
		return p.oddWord(t, err)
	}
	p.play(m)
	return nil
}

// parseMove reads a move with the letters of the game.
func (p *parser) parseMove(word string) (model.Move, error) {
	if p.letters == nil {
		return p.game.pos.ParseSAN(word)
	}
	word, foreign, ok := p.letters.english(word)
	if !ok {
		return model.NullMove, board.ErrNotation
	}
	m, err := p.game.pos.ParseSAN(word)
	p.game.foreign = p.game.foreign || foreign && err == nil
	return m, err
}

// play makes a move on the board and adds it to the tree. It is the new place of its
// line; what waited for it is now annotated.
func (p *parser) play(m model.Move) {
	g := &p.game
	g.line.move, g.line.undo = m, g.pos.Make(m)
	g.play(m)
}

// play adds a move to the tree: see parser.play.
func (g *gameState) play(m model.Move) {
	l := &g.line
	l.node = int32(g.tree.Add(int(l.node), m))
	symbols := int32(-1)
	if g.beforeFirstMove() {
		symbols = l.symbols // those before the move and behind it are one
	}
	l.started, l.wordsOnly = true, false
	if n := &g.annotations; len(n.waiting) > int(l.waiting) {
		for _, at := range n.waiting[l.waiting:] {
			n.list[at].Node = l.node
		}
		n.waiting = n.waiting[:l.waiting]
	}
	l.text, l.symbols, l.squares, l.arrows = -1, symbols, -1, -1
}

// enter begins a variation.
func (p *parser) enter(t token) error {
	g := &p.game
	l := &g.line
	if !l.started && len(g.outer) == 0 {
		return errNoVariation
	}
	if len(g.outer) == maxDepth {
		return errTooDeep
	}
	last := *l
	g.enter(t.start)
	if last.started {
		g.pos.Unmake(last.move, last.undo)
	}
	return nil
}

// enter begins a variation, all but the board.
func (g *gameState) enter(at int) {
	l := &g.line
	g.outer = append(g.outer, frame{line: *l, pos: g.pos, at: at})
	before := l.node
	if l.started {
		before = int32(g.tree.Parent(int(l.node)))
	}
	*l = line{node: before, place: newPlace(len(g.annotations.waiting))}
}

// closeLine ends a variation and goes on with the line around it.
func (p *parser) closeLine() {
	p.endLine()
	g := &p.game
	f := &g.outer[len(g.outer)-1]
	g.line, g.pos = f.line, f.pos
	if g.outer = g.outer[:len(g.outer)-1]; g.behind && len(g.outer) == 0 {
		g.done, g.behind = true, false
	}
}

// endLines ends all lines of the game.
func (p *parser) endLines() {
	for len(p.game.outer) > 0 {
		p.closeLine()
	}
	p.endLine()
}

// endsWith reports whether a token is the last one of its game, but for comments.
func (p *parser) endsWith(t token) bool {
	if len(p.game.outer) > 0 {
		return false
	}
	l := p.lexer
	l.i = t.end
	for t = l.next(); t.kind == tokComment || t.kind == tokQuoting; {
		t = l.next()
	}
	return t.kind == tokEnd || t.kind == tokTag || t.kind == tokNumber && p.startsNext(&l, t, 0)
}

// result takes note of the result, the token t. Inside a variation it has no meaning.
// Of the points of a bye the game has no result.
func (p *parser) result(r model.Result, t token) {
	if len(p.game.outer) == 0 {
		p.game.marker, p.game.done, p.game.resultAt = r, true, p.i
		if p.out.outline != nil {
			p.out.outline.result = span{t.start, t.end}
		}
		if word := p.part(t); r == model.NoResult && word != "*" {
			p.remark(t.start, "Result", "%q is not the result of a game", p.decode(word))
		}
	}
}
