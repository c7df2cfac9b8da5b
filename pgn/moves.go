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

// parseResult reads a result as people write it.
func parseResult(word string) (model.Result, bool) {
	switch word {
	case "1:0", "1\u20130", "1\u22120":
		return model.WhiteWins, true
	case "0:1", "0\u20131", "0\u22121":
		return model.BlackWins, true
	case "1/2:1/2", "1/2\u20131/2", "1/2\u22121/2", "\u00BD", "\u00BD:\u00BD", "\u00BD\u2013\u00BD":
		return model.Draw, true
	}
	return model.ParseResult(word)
}

// resultOrCastling reads "1-0" and the like. "0-0" is the result only at the
// end of a game whose tag says so, or where castling is not possible.
func (p *parser) resultOrCastling() error {
	end := wordEnd(p.text, p.i)
	r, isResult := parseResult(p.text[p.i:end])
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

// spacedResult reads a result with blanks around its hyphen.
func spacedResult(s string) (r model.Result, width int) {
	switch {
	case strings.HasPrefix(s, "1 - 0"):
		return model.WhiteWins, len("1 - 0")
	case strings.HasPrefix(s, "0 - 1"):
		return model.BlackWins, len("0 - 1")
	}
	return model.NoResult, 0
}

// result takes note of the result. Inside a variation it has no meaning.
func (p *parser) result(r model.Result) {
	if len(p.game.outer) == 0 {
		p.game.marker, p.game.done, p.game.resultAt = r, true, p.i
	}
}

// ownership says whose the comments behind a result are.
type ownership uint8

const (
	ownerUnknown ownership = iota
	thisGame
	nextGame
)

// belongsToResult reports whether an element that begins with c, and stands
// behind the result, still belongs to the game. A comment behind a blank line
// does not if another game follows it.
func (p *parser) belongsToResult(c byte) bool {
	switch c {
	case '%', '$':
		return true
	case '{', ';':
		return p.newlinesBefore(p.i) < 2 || !p.gameFollows()
	}
	return false
}

// gameFollows reports whether, behind the comment at p.i and those behind it,
// another game begins.
func (p *parser) gameFollows() bool {
	g := &p.game
	if g.behind == ownerUnknown {
		i := p.i
		for p.i < len(p.text) && (p.text[p.i] == '{' || p.text[p.i] == ';') {
			if _, p.i = scanComment(p.text, p.i); p.i < 0 {
				p.i = len(p.text)
			}
			p.skipBlanks()
		}
		rest := p.text[p.i:]
		p.i = i
		g.behind = thisGame
		if startsTag(rest) || rest != "" && isDigit(rest[0]) && startsFirstMove(rest, false) {
			g.behind = nextGame
		}
	}
	return g.behind == nextGame
}

// symbolTable has the signs that people write instead of a NAG. Where several
// NAGs are possible it is the one that ChessBase uses (spec/cba.md 6, type 03).
var symbolTable = [...]struct {
	sign string
	nag  model.NAG
}{
	// Longer signs stand before those that they end with.
	{"=/\u221E", 44},
	{"+/=", 14}, {"=/+", 15}, {"+/-", 16}, {"-/+", 17},
	{"+=", 14}, {"=+", 15}, {"+-", 18}, {"+\u2212", 18}, {"-+", 19}, {"\u2212+", 19},
	{"\u2A72", 14}, {"\u2A71", 15}, {"\u00B1", 16}, {"\u2213", 17},
	{"=", 11}, {"\u221E", 13},
	{"\u25A1", 8}, {"\u2299", 22}, {"\u25CB", 26}, {"\u21BB", 32}, {"\u27F3", 32},
	{"\u2191", 36}, {"\u2192", 40}, {"\u21C6", 132}, {"\u2295", 138}, {"N", 146},
	{"\u2206", 140}, {"\u0394", 140}, {"\u2207", 141}, {"\u2313", 142}, {"\u2264", 143}, {"RR", 145},
	{"D", nagDiagram},
}

// NAGs that ask for a diagram, seen from White's and from Black's side. They
// become a character of the comment, see spec/cba.md 6.
const (
	nagDiagram      model.NAG = 220
	nagDiagramBlack model.NAG = 221
)

// diagram is the character for a diagram in a comment, and diagramMark what
// PGN has for it.
const (
	diagramRune = '\uE005'
	diagram     = string(diagramRune)
	diagramMark = "[#]"
)

// symbolNAG returns the NAG of a sign.
func symbolNAG(word string) (model.NAG, bool) {
	for i := range symbolTable {
		if symbolTable[i].sign == word {
			return symbolTable[i].nag, true
		}
	}
	return 0, false
}

// cutSymbol cuts a sign off the end of a move.
func cutSymbol(word string) (move string, n model.NAG) {
	for i := range symbolTable {
		if move, found := strings.CutSuffix(word, symbolTable[i].sign); found && move != "" {
			return move, symbolTable[i].nag
		}
	}
	return word, 0
}

// nag reads the number of a NAG. Numbers above 255 have no place but the
// comment.
func (p *parser) nag() {
	start, n := p.i, 0
	for p.i < len(p.text) && isDigit(p.text[p.i]) {
		n = min(n*10+int(p.text[p.i]-'0'), 256)
		p.i++
	}
	switch {
	case start == p.i || n == 0:
		p.remark(start-1, "symbols", "%q says nothing; left out", p.text[start-1:p.i])
	case n < 256:
		p.symbol(model.NAG(n))
	case p.annotations:
		p.addText(p.text[start-1 : p.i])
	}
}

// suffix reads one or two of the signs ! and ?.
func (p *parser) suffix() {
	first := p.text[p.i]
	p.i++
	var second byte
	if p.i < len(p.text) && (p.text[p.i] == '!' || p.text[p.i] == '?') {
		second = p.text[p.i]
		p.i++
	}
	var n model.NAG
	switch {
	case first == '!' && second == 0:
		n = 1
	case first == '?' && second == 0:
		n = 2
	case first == '!' && second == '!':
		n = 3
	case first == '?' && second == '?':
		n = 4
	case first == '!':
		n = 5
	default:
		n = 6
	}
	p.symbol(n)
}

// symbol adds a NAG to the place.
func (p *parser) symbol(n model.NAG) {
	switch {
	case !p.annotations || n == 0:
	case n == nagDiagram || n == nagDiagramBlack:
		p.addText(diagram)
	case p.game.line.symbols >= 0:
		a := &p.game.notes.list[p.game.line.symbols]
		s := a.Value.(model.Symbols)
		s.Add(n)
		a.Value = s
	default:
		var s model.Symbols
		s.Add(n)
		p.game.line.symbols = p.annotate(s)
	}
}
