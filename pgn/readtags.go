package pgn

import "strings"

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
