package pgn

import (
	"errors"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// recoveries read a word that is no move as it stands, or say that it is not their kind. The
// word has plain signs instead of typographic ones. They are tried in this order; the first
// that fits is right. The order has reasons:
var recoveries = [...]func(p *parser, t token, word string) bool{
	// What is a move but for its signs must not be taken apart any further.
	(*parser).typographicMove,
	// "=" and "+-" are judgements, and so is "+/-", which tables have for a
	// result: that only where there is nothing to judge.
	(*parser).signAlone,
	// "e.p." says nothing more, and neither does a dash; before results,
	// because no result is a dash.
	(*parser).emptyWord,
	(*parser).resultWord,
	// Signs are cut off before words for check, because "+-" ends with none
	// of them and "+=" with none that a move has.
	(*parser).signsAttached,
	(*parser).checkAttached,
	(*parser).resultAttached,
}

// oddWord reads a word that is not a move as it stands; err is why.
func (p *parser) oddWord(t token, err error) error {
	word := plain(p.decode(p.part(t)))
	for _, read := range recoveries {
		if read(p, t, word) {
			return nil
		}
	}
	if errors.Is(err, board.ErrNotation) && (word == "" || !isLetter(word[0]) && !isDigit(word[0])) {
		return errUnknownSign
	}
	return err
}

// try plays a word if it is a move.
func (p *parser) try(word string) bool {
	m, err := p.parseMove(word)
	if err == nil {
		p.play(m)
	}
	return err == nil
}

func (p *parser) typographicMove(t token, word string) bool {
	return word != p.part(t) && p.try(word)
}

func (p *parser) signAlone(t token, word string) bool {
	signs := typography.Replace(p.decode(p.part(t))) // a figurine is none
	if !areSymbols(signs) {
		return false
	}
	if r, isResult := parseResult(word); isResult && p.endsWith(t) {
		// "+/-" is the result of a game without play where there are no moves, or where
		// the tag says the same.
		tag, _ := parseResult(p.head.values[tagResult])
		if p.game.tree.Len() == 0 || tag.Forfeit() == r {
			return false
		}
	}
	p.signs(t, signs)
	return true
}

func (p *parser) emptyWord(_ token, word string) bool {
	switch strings.Trim(word, ".+") {
	case "e.p", "ep", "-":
		return true
	}
	return false
}

func (p *parser) resultWord(t token, word string) bool {
	r, ok := parseResult(word)
	if ok {
		p.result(r, t)
	}
	return ok
}

// signsAttached reads a move and the signs at its end.
func (p *parser) signsAttached(t token, _ string) bool {
	word := typography.Replace(p.decode(p.part(t)))
	for move := range unsigned(word) {
		if p.try(figurines.Replace(move)) {
			p.signs(t, word[len(move):])
			return true
		}
	}
	return false
}

func (p *parser) checkAttached(_ token, word string) bool {
	move := word
	for before := ""; move != before; {
		before = move
		move = strings.TrimRight(move, ".")
		for _, check := range checkWords {
			move = strings.TrimSuffix(move, check)
		}
	}
	return move == "" || move != word && p.try(move)
}

// resultAttached reads a move and the result, which may lack the blank in front of it.
func (p *parser) resultAttached(t token, _ string) bool {
	at, r := cutResult(p.part(t), p.decode)
	move := token{tokWord, t.start, t.start + at}
	if move.end == t.end || r == model.BothLose && !p.endsWith(t) {
		return false
	}
	word := plain(p.decode(p.part(move)))
	if !p.try(word) && !p.signsAttached(move, word) && !p.checkAttached(move, word) {
		return false
	}
	p.result(r, token{tokScore, move.end, t.end})
	return true
}

// checkWords are what old books and programs put behind a move for check and
// mate, which the position says better; longer words stand before those that
// they end with.
var checkWords = [...]string{"check", "mate", "disch", "dblch", "dbl", "dis", "ch", "+", "#"}

// problem is an element of the moves that cannot be read.
type problem struct {
	token
	from int // where signs without meaning in front of it begin
	err  error
}

// errForeign says that the game may be one with the letters of another
// language, errNotThese that it is none with those that are tried.
var (
	errForeign  = errors.New("the pieces have other letters")
	errNotThese = errors.New("these are not the letters")
)

// fallbacks are what can be done about a problem. Each says whether it was, and ends the
// reading of the moves with an error or without. They are tried in this order, from what costs
// nothing to what costs the game.
var fallbacks = [...]func(p *parser, x problem) (applied, ends bool, err error){
	// No move follows on the line, so that none is lost.
	(*parser).trailingWords,
	// Nor does a sign say which move was played.
	(*parser).unknownSigns,
	// A comment that goes on costs no move; before languages, because its
	// words are in one.
	(*parser).nestedBraces,
	// The whole game may read well in another language; only if it does not
	// a part of it has to go.
	(*parser).foreign,
	(*parser).cutVariation,
	(*parser).cutGame,
}

// recoverFrom does about a problem what can be done. It reports whether that ends
// the moves.
func (p *parser) recoverFrom(x problem) (ends bool, err error) {
	for _, apply := range fallbacks {
		if applied, ends, err := apply(p, x); applied {
			return ends, err
		}
	}
	return false, nil
}

// trailingWords makes a comment of words that are no moves, if no move follows them on
// the line: "White resigns" costs no game.
func (p *parser) trailingWords(x problem) (applied, ends bool, err error) {
	l := &p.game.line
	if !l.started || !errors.Is(x.err, board.ErrNotation) && !errors.Is(x.err, errUnknownSign) {
		return false, false, nil
	}
	end, moves := p.wordsEnd(x, l.wordsOnly)
	if moves {
		return false, false, nil
	}
	l.wordsOnly = true
	p.i = end
	words := normalize(p.decode(p.chunk[x.from:end]))
	p.remark(x.from, "moves", "%q behind the last move became a comment", quote(words))
	if p.annotations {
		p.addText(words)
	}
	return true, false, nil
}

// wordsEnd returns where words end that are not moves: at a comment, a bracket,
// a NAG or the result. It reports whether, from there to the end of the line,
// anything is a move; if known is set, there is no such thing.
func (p *parser) wordsEnd(x problem, known bool) (end int, moves bool) {
	end = -1
	l := p.lexer
	l.i = x.start
	outside := -len(p.game.outer)
	for depth := 0; ; {
		t := l.next()
		ends := t.kind == tokEnd || t.kind == tokUnclosed || p.startsNext(&l, t, depth-outside)
		switch t.kind {
		case tokComment, tokQuoting, tokBracket, tokNAG, tokTag:
			if end < 0 {
				end = t.start
			}
			ends = ends || known
		case tokOpen:
			depth++
		case tokClose:
			depth--
			ends = depth < 0 && outside < 0
		case tokNumber:
			moves = !ends && !known && p.text[t.end-1] == '.'
		case tokStar, tokScore, tokWord:
			ends = depth <= 0 && outside == 0 && p.isResult(t)
			moves = !ends && !known && t.kind != tokStar && p.mayBeMove(p.decode(p.part(t)))
		}
		switch {
		case moves:
			return 0, true
		case ends && end < 0:
			return t.start, false
		case ends:
			return end, false
		}
	}
}

// isResult reports whether a token ends a game.
func (p *parser) isResult(t token) bool {
	if t.kind == tokStar {
		return true
	}
	r, ok := parseResult(p.decode(p.part(t)))
	return ok && r != model.BothLose
}

// mayBeMove reports whether a word is a move, possible or not. A word with
// letters and digits may be the move of another language.
func (p *parser) mayBeMove(word string) bool {
	return isMixed(word) || plain(word) != word && strings.ContainsAny(plain(word), englishLetters) || hasForm(&p.game.pos, word)
}

// hasForm reports whether a word has the form of a move, with or without signs: one that is
// possible or not.
func hasForm(pos *board.Position, word string) bool {
	for text := range unsigned(typography.Replace(word)) {
		text = figurines.Replace(text)
		m, err := pos.ParseSAN(text)
		isWord := len(text) == 2 && isLetter(text[1]) // "de" is a capture only if there is one
		if err == nil && !m.IsNull() || err != nil && !isWord && !errors.Is(err, board.ErrNotation) {
			return true
		}
	}
	return false
}

// isMixed reports whether a word has letters and digits.
func isMixed(word string) bool {
	letters, digits := false, false
	for i := range len(word) {
		letters = letters || isLetter(word[i]) || word[i] >= 0x80
		digits = digits || isDigit(word[i])
	}
	return letters && digits
}

// unknownSigns leaves out signs by themselves that are not known. Behind the number of a
// move they may stand for a piece.
func (p *parser) unknownSigns(x problem) (applied, ends bool, err error) {
	word := typography.Replace(p.decode(p.part(x.token)))
	if x.kind != tokWord || strings.ContainsFunc(word, func(r rune) bool { return !isSign(r) }) {
		return false, false, nil
	}
	i := blanksBefore(p.text, x.from)
	before := p.chunk[wordBefore(p.text, i):i]
	castles := strings.Trim(before[strings.LastIndexByte(before, '.')+1:], "0") == "" && !strings.HasSuffix(before, ".")
	if !castles && strings.Trim(before, "0123456789.") == "" {
		return false, false, nil
	}
	p.signs(x.token, word)
	return true, false, nil
}

// nestedBraces makes the words behind a comment a part of it if it has an
// opening brace in it for which a closing one follows.
func (p *parser) nestedBraces(x problem) (applied, ends bool, err error) {
	c := p.game.comment
	if c.end == 0 || skipBlanks(p.text, c.end) != x.from || strings.IndexByte(p.chunk[c.start+1:c.end], '{') < 0 {
		return false, false, nil
	}
	end := -1
	l := p.lexer
	for l.i = x.start; end < 0; {
		t := l.next()
		switch {
		case t.kind == tokEnd, isComment(t.kind), p.startsNext(&l, t, len(p.game.outer)):
			return false, false, nil
		case t.kind == tokStray && p.text[t.start] == '}':
			end = t.start
		}
	}
	text := normalize(p.decode(p.chunk[x.from:end]))
	p.remark(x.from, "comment", "%q belongs to it, because it has two opening braces", quote(text))
	p.i = end + 1
	p.game.comment = token{tokComment, c.start, p.i}
	if p.annotations {
		p.addText(text)
	}
	return true, false, nil
}

// foreign ends the reading of a game that may have the letters of another
// language, so that it begins again.
func (p *parser) foreign(x problem) (applied, ends bool, err error) {
	switch {
	case p.trial:
		return true, true, errNotThese
	case p.tried || x.kind != tokWord || !isMixed(p.part(x.token)):
		return false, false, nil
	}
	return true, true, errForeign
}

// cutVariation makes a comment of the rest of a variation that cannot be read,
// or of all of one that stands where none can. Where nothing of it was read the
// comment belongs to the line around it.
func (p *parser) cutVariation(x problem) (applied, ends bool, err error) {
	isWhole := x.kind == tokOpen
	if len(p.game.outer) == 0 && !isWhole {
		return false, false, nil
	}
	p.i = x.end
	end := p.variationEnd(1)
	if end < 0 {
		return false, false, nil
	}
	p.cut(x.start, p.moveText(x), x.err, "the rest of the variation became a comment")
	p.i = end + 1
	text := p.chunk[x.from:end]
	if isWhole {
		text = p.chunk[x.from:p.i]
	}
	isEmpty := !p.game.line.started
	if !isWhole && isEmpty {
		p.closeLine()
	}
	if p.annotations {
		p.addText(normalize(p.decode(text)))
	}
	if !isWhole && !isEmpty {
		p.closeLine()
	}
	return true, false, nil
}

// variationEnd returns the place of the bracket that closes the variation that goes on at p.i,
// depth variations deep, -1 if the game ends before.
func (p *parser) variationEnd(depth int) int {
	l := p.lexer
	for inner := 0; ; {
		t := l.next()
		switch {
		case t.kind == tokEnd, t.kind == tokUnclosed, p.startsNext(&l, t, depth+inner):
			return -1
		case t.kind == tokOpen:
			inner++
		case t.kind == tokClose && inner == 0:
			return t.start
		case t.kind == tokClose:
			inner--
		}
	}
}

// cutGame ends the game under way in front of what cannot be read: with an
// error or, if that is wanted, by making a comment of the rest. Of what has
// neither a tag nor a move nothing is worth keeping.
func (p *parser) cutGame(x problem) (applied, ends bool, err error) {
	move := p.moveText(x)
	p.i = x.start
	end := p.skipGame(len(p.game.outer))
	if !p.keepGoing || !p.isGame() {
		return true, true, p.errorAt(x.start, move, x.err)
	}
	p.cut(x.start, move, x.err, "the rest of the game became a comment")
	if p.annotations {
		p.addText(normalize(p.decode(p.chunk[x.from:end])))
	}
	p.endLines()
	return true, true, nil
}

// isGame reports whether the game under way has a tag or a move.
func (p *parser) isGame() bool { return p.out.headed || p.out.isGame || p.game.tree.Len() > 0 }

// moveText returns the move that could not be read, with its number, if the
// problem is a move.
func (p *parser) moveText(x problem) string {
	switch x.err {
	case errOpenComment, errNoVariation, errTooDeep:
		return ""
	}
	dots := "."
	if p.game.pos.Turn() == model.Black {
		dots = "..."
	}
	word := p.decode(p.part(x.token))
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
	for first := true; ; first = false {
		t := p.next()
		isNumber := first && t.kind == tokNumber // this game's own
		if t.kind == tokEnd || !isNumber && p.startsNext(&p.lexer, t, depth) {
			p.i = t.start
			return t.start
		}
		switch t.kind {
		case tokUnclosed:
			return t.end
		case tokOpen:
			depth++
		case tokClose:
			depth--
		case tokTag:
			for p.isInRun(t) {
				t, _ = p.nextInRun()
			}
			p.i = t.start
		case tokStar, tokScore, tokWord:
			if depth <= 0 {
				at, r := 0, model.NoResult
				if t.kind != tokStar {
					at, r = cutResult(p.part(t), p.decode)
				}
				if t.start+at < t.end && r != model.BothLose {
					p.game.marker, p.game.resultAt = r, t.end
					return t.start + at
				}
			}
		}
	}
}
