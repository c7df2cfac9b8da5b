package pgn

import (
	"errors"

	"cbkit/board"
)

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
