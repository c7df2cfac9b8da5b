package pgn

import (
	"errors"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

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
	if r, ok := parseResult(word); ok {
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
	if move := cutCheck(word); move != word {
		if move == "" {
			return nil
		}
		if m, err := p.game.pos.ParseSAN([]byte(move)); err == nil {
			p.play(m)
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

// checkWords are what old books and programs put behind a move for check and
// mate, which the position says better; longer words stand before those that
// they end with.
var checkWords = [...]string{"check", "mate", "disch", "dblch", "dbl", "dis", "ch", "+", "#"}

// cutCheck cuts words for check and mate, and full stops, off the end of a
// move. Of a word that is nothing else it leaves nothing.
func cutCheck(word string) string {
	for {
		before := word
		word = strings.TrimRight(word, ".")
		for _, check := range checkWords {
			word = strings.TrimSuffix(word, check)
		}
		if word == before {
			return word
		}
	}
}

// talk makes a comment of words that are no moves, if no move follows them on
// the line: "White resigns" costs no game. The words begin at p.text[from]; err
// is why they are none.
func (p *parser) talk(from int, err error) bool {
	l := &p.game.line
	if !l.started || !errors.Is(err, board.ErrNotation) && !errors.Is(err, errUnknownSign) {
		return false
	}
	end, moves := p.wordsEnd(from, l.talk)
	if moves {
		return false
	}
	l.talk = true
	p.i = end
	words := normalize(p.decode(p.text[from:end]))
	p.remark(from, "moves", "%q behind the last move became a comment", quote(words))
	if p.annotations {
		p.addText(words)
	}
	return true
}

// wordsEnd returns where the words at i end, which are not moves: at a comment,
// a bracket, a NAG or the result. It reports whether, from there to the end of
// the line, anything is a move; if known is set, there is no such thing.
func (p *parser) wordsEnd(i int, known bool) (end int, moves bool) {
	s, depth, end := p.text, 0, -1
	for i < len(s) {
		if isBlank(s[i]) {
			i++
			continue
		}
		if end < 0 && strings.IndexByte("{;[$", s[i]) >= 0 {
			if end = i; known {
				return end, false
			}
		}
		next := moveEnd(s, i)
		word := s[i:next]
		switch c := s[i]; {
		case c == '{' || c == ';':
			if _, i = scanComment(s, i); i < 0 {
				return end, false
			}
			continue
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 && len(p.game.outer) > 0 {
				if end < 0 {
					end = i
				}
				return end, false
			}
		case c == '[' && startsTag(s[i:]):
			return end, false
		case c == '%' && s[i-1] == '\n':
			i = lineEnd(s, i)
			continue
		case p.isResult(word) || c == '*':
			if depth <= 0 && len(p.game.outer) == 0 {
				if end < 0 {
					end = i
				}
				return end, false
			}
		case !known && p.isMove(word):
			return 0, true
		}
		i = max(next, i+1)
	}
	if end < 0 {
		end = len(s)
	}
	return end, false
}

// isResult reports whether a word ends a game.
func (p *parser) isResult(word string) bool {
	r, ok := parseResult(word)
	return ok && r != model.BothLose
}

// isMove reports whether a word is a move, possible or not, or the number of
// one with dots. A word with letters and digits may be the move of another
// language.
func (p *parser) isMove(word string) bool {
	number := strings.TrimLeft(word, "0123456789")
	if strings.HasPrefix(number, ".") && number != word {
		return true
	}
	letters, digits := false, false
	for i := range len(word) {
		letters = letters || isLetter(word[i])
		digits = digits || isDigit(word[i])
	}
	if letters && digits {
		return true
	}
	move, _ := cutSymbol(word)
	for _, text := range [...]string{word, move} {
		m, err := p.game.pos.ParseSAN([]byte(text))
		isWord := len(text) == 2 && isLetter(text[1]) // "de" is a capture only if there is one
		if err == nil && !m.IsNull() || err != nil && !isWord && !errors.Is(err, board.ErrNotation) {
			return true
		}
	}
	return false
}

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
