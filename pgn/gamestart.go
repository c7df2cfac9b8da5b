package pgn

import (
	"errors"

	"cbkit/board"
)

// Where games begin. The splitter and the parser go by these rules, in this
// order, so that it makes no difference to the games where a text was cut:
//
//  1. At a tag behind a result, and at a tag of the sort that says which game
//     begins, wherever on its line. Other tags among moves belong to the game
//     under way.
//  2. At what stands directly in front of such a tag and is no part of the game
//     before: other tags, with comments and brackets behind them, comments
//     behind a result and a blank line. That is a run.
//  3. At a first move behind a result.
//  4. At a first move with the number 1 behind a blank line, outside of
//     variations.
//
// By itself the splitter looks for the last two only in long text without tags,
// and the parser finds all games that a chunk has.

// headsGame reports whether a tag of that name says which game begins. Others
// may have got between the moves of a game.
func headsGame[T string | []byte](name T) bool {
	switch string(name) {
	case "Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp":
		return true
	}
	return false
}

// run is what stands in front of the tag with which a game would be known to
// begin, and belongs to that game.
type run struct {
	from, to int
	tags     bool // there is one
}

var noRun = run{from: -1}

// goesOn reports whether the run goes on with what begins at i.
func (r *run) goesOn(s []byte, i int) bool { return r.from >= 0 && skipBlanks(s, r.to) >= i }

// tag takes note of a tag among moves.
func (r *run) tag(s []byte, t token) {
	if !r.goesOn(s, t.start) {
		r.from = t.start
	}
	r.to, r.tags = t.end, true
}

// bracket takes note of a bracket among moves that opens no tag.
func (r *run) bracket(s []byte, t token) {
	if r.tags && r.goesOn(s, t.start) {
		r.to = t.end
	}
}

// comment takes note of the comment among moves that l has read.
func (r *run) comment(l *lexer, t token) {
	switch {
	case r.goesOn(l.text, t.start):
		r.to = t.end
	case l.mayLead(t):
		*r = run{from: t.start, to: t.end}
	default:
		*r = noRun
	}
}

// drop takes note that the text before at is gone.
func (r *run) drop(at int) {
	if r.from -= at; r.from < 0 {
		r.from = -1
	}
	r.to -= at
}

// mayLead reports whether the comment that was read belongs to the next game, if
// one follows: it stands behind a result and a blank line.
func (l *lexer) mayLead(t token) bool {
	if i := t.start; i > 1 && l.text[i-1] == ' ' && l.text[i-2] > ' ' && l.text[i-2] < 0x80 {
		return false // it follows a word; most do
	}
	return linesBefore(l.text, t.start) > 1 && l.behindResult(t.start)
}

// behindResult reports whether the last thing in front of i is a result, and
// not one in a comment, in brackets or in an escaped line.
func (l *lexer) behindResult(i int) bool {
	if !resultBefore(l.text, i) {
		return false
	}
	for _, end := range l.ends {
		if end <= i {
			return end == 0 || blanksBefore(l.text, i) > end
		}
	}
	return true
}

// tagsBegin reports whether the tags of a game seem to begin at i, in a
// comment.
func tagsBegin(s []byte, i int) bool {
	name := tagName(s[i:])
	if len(name) == 0 {
		return false
	}
	if string(name) == "Event" && linesBefore(s, i) > 1 {
		return true
	}
	second := tagName(s[min(len(s), lineEnd(s, i)+1):])
	return len(second) > 0 && (headsGame(name) || headsGame(second))
}

// startsUntagged reports whether a game without tags begins at i, as far as the
// text in front of it says.
func (l *lexer) startsUntagged(i int) bool {
	return linesBefore(l.text, i) > 1 && startsNumberOne(l.text, i) || l.behindResult(i) && startsFirstMove(l.text, i, true)
}

// startsNumberOne reports whether the first move of a game stands at i behind
// the number 1; "1..." is Black's.
func startsNumberOne(s []byte, i int) bool {
	if s[i] != '1' || i+2 >= len(s) || !isBlank(s[i+1]) && s[i+1] != '.' || s[i+1] == '.' && s[i+2] == '.' {
		return false
	}
	return startsFirstMove(s, i, true)
}

// startsFirstMove reports whether the first move of a game stands at i, with or
// without a number. The dot behind the number, or the whole of it, may be
// missing if loose is set.
func startsFirstMove(s []byte, i int, loose bool) bool {
	l := lexer{text: s[:min(len(s), i+maxWord)], i: i, complete: true}
	t := l.next()
	isOne := false
	if t.kind == tokNumber {
		number := s[t.start:t.end]
		digits := digitsEnd(number, 0)
		if digits == len(number) && !loose || digits > 4 {
			return false
		}
		isOne = digits < len(number) && string(number[:digits]) == "1"
		for t = l.next(); t.kind == tokStray && s[t.start] == '.'; {
			t = l.next()
		}
	} else if !loose {
		return false
	}
	return t.kind == tokWord && isFirstMove(string(s[t.start:t.end]), isOne)
}

// isFirstMove reports whether a word is a move from the standard starting
// position, with or without a sign attached. Behind the number 1 it may be an
// impossible move, or one with the letters of another language.
func isFirstMove(word string, isOne bool) bool {
	word = plain(word)
	move, _ := cutSymbol(word)
	for _, text := range [...]string{word, move} {
		pos := board.Start()
		m, err := pos.ParseSAN(text)
		if err == nil && !m.IsNull() || isOne && err != nil && !errors.Is(err, board.ErrNotation) {
			return true
		}
	}
	return isOne && isForeignMove(move)
}
