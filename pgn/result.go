package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"cbkit/model"
)

// resultWords are the results as people write them, with plain signs, hyphens
// for colons and no blanks. Plus and minus are the forms of tournament tables:
// the game was decided without play.
var resultWords = map[string]model.Result{
	"1-0": model.WhiteWins, "0-1": model.BlackWins, "1/2-1/2": model.Draw, "1/2": model.Draw,
	"0-0": model.BothLose, "*": model.NoResult,
	"0.5-0.5": model.Draw,
	"1/2-0":   model.NoResult, "0-1/2": model.NoResult, "0.5-0": model.NoResult, "0-0.5": model.NoResult, // byes
	"+--": model.WhiteWinsByForfeit, "--+": model.BlackWinsByForfeit, "=-=": model.DrawByForfeit,
	"+/-": model.WhiteWinsByForfeit, "-/+": model.BlackWinsByForfeit, "-/-": model.BothLose,
}

// longestResult is the length of the longest result, in bytes: "1/2 - 1/2" with
// typographic signs and some blanks.
const longestResult = 32

// parseResult reads a result as people write it.
func parseResult(word string) (model.Result, bool) {
	if r, ok := model.ParseResult(word); ok || len(word) > longestResult {
		return r, ok
	}
	word = strings.ReplaceAll(plain(strings.TrimRight(word, ".")), ":", "-")
	r, ok := resultWords[strings.ReplaceAll(word, " ", "")]
	return r, ok
}

// cutResult returns where the result begins with which a word ends, the beginning or
// behind what may be a move; its end if there is none.
func cutResult(word string, decode func(string) string) (at int, r model.Result) {
	for at := range word {
		if b := word[at]; at > 0 && (len(word)-at > longestResult || b != '0' && b != '1' && b < utf8.RuneSelf) {
			continue
		}
		if r, ok := parseResult(decode(word[at:])); ok && (at == 0 || isMixed(word[:at]) || strings.Trim(word[:at], "0Oo-+#") == "") {
			return at, r
		}
	}
	return len(word), 0
}

// isHalf reports whether s begins with half a point as a decimal number, and what the
// other player got.
func isHalf(s []byte) bool {
	return len(s) > 3 && bytes.HasPrefix(s, []byte("0.5")) && (s[3] == '-' || s[3] == ':' || dashAt(s, 3) > 0)
}

// isPoints reports whether a word is what one player got.
func isPoints(word []byte) bool {
	switch string(word) {
	case "0", "1", "1/2", "\u00BD", "\xBD":
		return true
	}
	return false
}

// scoreEnd returns the end of a result that has blanks around its dash, and
// begins with the word at i that ends at end; end if it has none.
func scoreEnd(s []byte, i, end int) int {
	if !isPoints(s[i:end]) {
		return end
	}
	k := skipSpaces(s, end)
	if k == end || k == len(s) {
		return end
	}
	width := dashAt(s, k)
	if s[k] == '-' || s[k] == ':' {
		width = 1
	}
	if width == 0 {
		return end
	}
	from := skipSpaces(s, k+width)
	if to := wordEnd(s, from); isPoints(s[from:to]) {
		return to
	}
	return end
}

// skipSpaces returns the place behind the blanks of a line at i.
func skipSpaces(s []byte, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

// resultBefore reports whether the last word in front of i is a result, or ends in one.
func resultBefore(s []byte, i int) bool {
	_, ok := lastResult(s, i)
	return ok
}

// lastResult returns the result in front of i, if there is one.
func lastResult(s []byte, i int) (r model.Result, ok bool) {
	i = blanksBefore(s, i)
	if i > 0 && s[i-1] == '*' {
		return model.NoResult, true
	}
	from := wordBefore(s, i)
	at, r := cutResult(string(s[from:i]), decodeWord)
	if from+at < i || !isPoints(s[from:i]) {
		return r, from+at < i
	}
	first := wordBefore(s, blanksBefore(s, wordBefore(s, blanksBefore(s, from))))
	end := scoreEnd(s, first, wordEnd(s, first))
	r, _ = parseResult(string(s[first:end]))
	return r, first < from && end == i
}

// blanksBefore returns where the blanks in front of i begin.
func blanksBefore(s []byte, i int) int {
	for i > 0 {
		width := blankBefore(s, i)
		if width == 0 {
			break
		}
		i -= width
	}
	return i
}

// wordBefore returns where the word begins that ends at i, as far as it may be
// a part of a result.
func wordBefore(s []byte, i int) int {
	least := max(0, i-longestResult)
	for i > least && classes[s[i-1]] <= classLead && blankBefore(s, i) == 0 {
		i--
	}
	return i
}

// What can be wrong with a game besides its moves; see [GameError].
var (
	errTooLarge      = fmt.Errorf("larger than %d MB, left out; is a line break or a bracket missing?", maxGame>>20)
	errCrowded       = fmt.Errorf("more than %d games without tags between them; the rest up to the next tag is left out", chunkGames)
	errNoVariation   = errors.New("a variation stands before the first move")
	errTooDeep       = fmt.Errorf("variations are nested more than %d deep", maxDepth)
	errOpenTag       = errors.New("the file ends inside a tag")
	errOpenVariation = errors.New("a variation that begins here has no end; add the missing )")
	errOpenComment   = errors.New("a comment that begins here has no end; add the missing }")
	errUnknownSign   = errors.New("a sign that means nothing here")
	errNothing       = errors.New("it has neither tags nor moves")
	errReadOnce      = errors.New("this input was read before and cannot be read again")
	errEmpty         = fmt.Errorf("the file is empty, or holds blanks and zeros alone: %w", model.ErrNotDatabase)
	errNoGames       = fmt.Errorf("there is no game in it, neither tags nor moves: %w", model.ErrNotDatabase)
	errStartPosition = errors.New("the starting position cannot be played")
)

// GameError says why a game of a PGN file could not be read.
type GameError struct {
	// File is the name of the file, "" if it is not known.
	File string
	// Line is the line where reading stopped, from 1.
	Line int
	// Game is the number of the game in the file, from 1; games that could
	// not be read count.
	Game int
	// Move is the move that could not be read with its number, such as
	// "23...Nxe9", or "" if the reason is another one.
	Move string
	// Err is the reason.
	Err error
}

// Error returns one line, such as
// "games.pgn:1203: game 17: 23...Nxe9: no legal move fits".
func (e *GameError) Error() string {
	place, move := "line ", ""
	if e.File != "" {
		place = e.File + ":"
	}
	if e.Move != "" {
		move = e.Move + ": "
	}
	return fmt.Sprintf("%s%d: game %d: %s%v", place, e.Line, e.Game, move, e.Err)
}

// Unwrap returns Err.
func (e *GameError) Unwrap() error { return e.Err }

// Is reports that e is a kind of [model.ErrCorrupt].
func (e *GameError) Is(target error) bool { return target == model.ErrCorrupt }

// remark says that something in the text was left out, or read otherwise than
// it stands there.
type remark struct {
	kind  model.LossKind
	field string
	line  int
	text  string
	// games is how many games of the batch end before the place, for text
	// that belongs to none.
	games int
}

// mostRemarks is how much is reported of one game.
const mostRemarks = 100

// remark takes note of what was done at a place of the game under way.
func (p *parser) remark(at int, field, format string, args ...any) {
	if len(p.out.remarks) == mostRemarks {
		return
	}
	line := p.b.lineAt(p.offset + at)
	p.out.remarks = append(p.out.remarks, remark{kind: model.ReadOtherwise, field: field, line: line, text: fmt.Sprintf(format, args...)})
}

// cut is a part of a game that could not be read and became a comment.
type cut struct {
	err  *GameError
	what string
}

// cut takes note of a part of the game under way that cannot be read, as far as
// a hundred.
func (p *parser) cut(at int, move string, err error, what string) {
	if len(p.out.cuts) < mostRemarks {
		p.out.cuts = append(p.out.cuts, cut{p.errorAt(at, move, err), what})
	}
}

// leaveOut takes note of text between games, which is not read, if from is a
// place; isOpen says that it ends in a comment without end.
func (p *parser) leaveOut(from, to int, isOpen bool) {
	if from < 0 {
		return
	}
	text := quote(p.decode(p.chunk[from:to]))
	if text == "" {
		return
	}
	r := remark{kind: model.ReadOtherwise, field: "text", line: p.b.lineAt(p.offset + from), games: p.b.games.len()}
	r.text = fmt.Sprintf("%q belongs to no game; left out", text)
	if isOpen {
		r.kind, r.text = model.CutGame, fmt.Sprintf("%q ends in a comment without end; left out", text)
	}
	p.b.left = append(p.b.left, r)
}

// reportRemark reports a remark about a game, or with id 0 about text between games.
func (s *stream) reportRemark(file string, id model.RecordID, r *remark) {
	place := fmt.Sprintf("line %d", r.line)
	if file != "" {
		place = fmt.Sprintf("%s:%d", file, r.line)
	}
	s.reader.opt.Report.Tell(model.Loss{Kind: r.kind, Record: id, Field: r.field, What: place + ": " + r.text})
}
