package pgn

import "bytes"

// skimming is what a lexer knows of text that it only skims, which comes in
// pieces.
type skimming struct {
	// inside says of what the place is in the middle, and begun where that
	// began.
	inside inside
	begun  int
	// lineBreaks asks for line breaks, too.
	lineBreaks bool
	// escaped says that there was a line that begins with %.
	escaped bool
}

// inside is what may go on beyond the text that is there.
type inside uint8

const (
	insideNothing inside = iota
	insideComment
	insideLineComment
	insideRest // a line of which the rest says nothing
)

// skim goes on to the next token that is a comment, a tag or another bracket;
// in the head to anything that is none, a tokWord or tokStray; if line breaks are
// asked for, to those. It returns false where it needs more text.
func (l *lexer) skim() (t token, found bool) {
	if l.inside != insideNothing {
		if t, found = l.skimRest(); found || l.inside != insideNothing {
			return t, found
		}
	}
	s, i := l.text, l.i
	for {
		if l.head {
			i = blanksEnd(s, i)
		} else {
			least := classPercent
			if l.lineBreaks {
				least = classLineBreak
			}
			for i < len(s) && classes[s[i]] < least {
				i++
			}
		}
		if l.i = i; len(s)-i < lookAhead && !l.complete || i == len(s) {
			return token{}, false
		}
		switch classes[s[i]] {
		case classBrace:
			return l.skimComment(i)
		case classSemicolon:
			l.inside, l.begun = insideLineComment, i
			return l.skimRest()
		case classPercent:
			if !isEscape(s, i) {
				if i++; l.head {
					return l.token(tokStray, i-1, i), true
				}
				break
			}
			l.inside, l.escaped = insideRest, true
			if l.skimRest(); l.inside != insideNothing {
				return token{}, false
			}
			i = l.i
		case classBracket:
			if t, found = l.skimBracket(i); found || l.i == i {
				return t, found
			}
			i = l.i
		case classLineBreak:
			return l.token(tokLineBreak, i, i+1), true
		default:
			return token{tokWord, i, i}, true
		}
	}
}

// skimComment goes to the end of the comment that the brace at i opens.
func (l *lexer) skimComment(i int) (t token, found bool) {
	end, how := commentEnd(l.text, i+1, l.complete)
	if how != tokEnd {
		return l.close(how, i, end), true
	}
	l.inside, l.begun, l.i = insideComment, i, end
	return token{}, false
}

// blanksEnd returns the end of the blanks at i.
func blanksEnd(s []byte, i int) int {
	for width := 1; i < len(s) && width > 0; i += width {
		width = blankAt(s, i)
	}
	return i
}

// skimRest goes to the end of what the place is inside of. It finds nothing
// where that is nothing to tell of.
func (l *lexer) skimRest() (t token, found bool) {
	if l.inside == insideComment {
		end, how := commentEnd(l.text, l.i, l.complete)
		if l.i = end; how == tokEnd {
			return token{}, false
		}
		l.inside = insideNothing
		return l.close(how, l.begun, end), true
	}
	k := bytes.IndexByte(l.text[l.i:], '\n')
	if k < 0 {
		l.i = len(l.text)
		if !l.complete {
			return token{}, false
		}
	} else {
		l.i += k
	}
	isComment := l.inside == insideLineComment
	l.inside = insideNothing
	if !isComment {
		l.note(l.i)
		return token{}, false
	}
	return l.close(tokComment, l.begun, l.i), true
}

// longBracket is how far the end of a tag is looked for before its line is
// passed by as it is.
const longBracket = 64 << 10

// skimBracket reads what the bracket at i opens. It finds nothing where that is
// a stray sign, or where more text is needed; then it stays there.
func (l *lexer) skimBracket(i int) (t token, found bool) {
	t = l.bracket(i)
	switch {
	case t.kind == tokStray:
		return t, l.head
	case t.kind != tokEnd:
		return t, true
	case len(l.text)-i <= longBracket:
		l.i = i
		return t, false
	case l.pair.name.from == 0:
		return l.token(tokStray, i, i+1), l.head
	}
	l.inside = insideRest
	return l.close(tokTag, i, len(l.text)), true
}

// drop takes note that the text before at is gone.
func (l *lexer) drop(at int) {
	l.i -= at
	l.begun = max(0, l.begun-at)
	for i := range l.ends {
		l.ends[i] = max(0, l.ends[i]-at)
	}
}
