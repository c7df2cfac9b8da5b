package pgn

import (
	"strings"

	"cbkit/model"
)

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
