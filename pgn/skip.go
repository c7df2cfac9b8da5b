package pgn

import (
	"strconv"
	"strings"

	"cbkit/model"
)

// unreadable ends the game under way at the element at, which cannot be read:
// with an error or, if that is wanted, by making a comment of the text from
// from on. Of what has neither a tag nor a move nothing is worth keeping.
func (p *parser) unreadable(at, from int, err error) *GameError {
	e := p.errorAt(at, p.moveText(at, err), err)
	depth := len(p.game.outer)
	p.i = at
	end := p.skipGame(depth)
	if !p.keepGoing || !p.sure() {
		return e
	}
	p.out.cut = e
	if p.annotations {
		p.addText(normalize(p.decode(p.text[from:end])))
	}
	p.endLines()
	return nil
}

// sure reports whether the game under way has a tag or a move.
func (p *parser) sure() bool { return p.out.headed || p.out.sure || p.game.tree.Len() > 0 }

// moveText returns the move that could not be read, with its number, if the
// error is about a move.
func (p *parser) moveText(at int, err error) string {
	switch err {
	case errOpenComment, errNoVariation, errTooDeep:
		return ""
	}
	dots := "."
	if p.game.pos.Turn() == model.Black {
		dots = "..."
	}
	word := p.decode(p.text[at:max(moveEnd(p.text, at), at+1)])
	const most = 20
	if len(word) > most {
		word = strings.ToValidUTF8(word[:most], "") + "…"
	}
	return strconv.Itoa(p.game.pos.FullMove()) + dots + word
}

// skipGame goes to the end of the game whose moves go on at p.i, depth
// variations deep, without understanding them. It returns where they end; the
// result behind that is read.
func (p *parser) skipGame(depth int) (end int) {
	s := p.text
	for p.i < len(s) {
		switch c := s[p.i]; c {
		case '{', ';':
			if _, p.i = scanComment(s, p.i); p.i < 0 {
				p.i = len(s)
			}
			continue
		case '(':
			depth++
		case ')':
			depth--
		case '[':
			if startsTag(s[p.i:]) {
				if p.beginsGame() {
					return p.i
				}
				for p.i < len(s) && startsTag(s[p.i:]) {
					p.i = scanTag(s, p.i).end
					p.skipBlanks()
				}
				continue
			}
		case '%':
			if p.atEscape() {
				p.i = lineEnd(s, p.i)
				continue
			}
		}
		end = wordEnd(s, p.i)
		word := s[p.i:end]
		if s[p.i] == '*' {
			word, end = "*", p.i+1
		}
		if r, ok := parseResult(word); ok && depth <= 0 && r != model.BothLose {
			begin := p.i
			p.game.marker, p.game.resultAt, p.i = r, end, end
			return begin
		}
		p.i = max(end, p.i+1)
	}
	return p.i
}
