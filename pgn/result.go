package pgn

import (
	"bytes"
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
	"+--":     model.WhiteWinsByForfeit, "--+": model.BlackWinsByForfeit, "=-=": model.DrawByForfeit,
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

// isHalf reports whether s begins with the points of a drawn game as a decimal
// number.
func isHalf(s []byte) bool {
	return bytes.HasPrefix(s, []byte("0.5-0.5")) || bytes.HasPrefix(s, []byte("0.5:0.5")) ||
		len(s) > 3 && bytes.HasPrefix(s, []byte("0.5")) && dashAt(s, 3) > 0
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

// resultBefore reports whether the last word in front of i is a result.
func resultBefore(s []byte, i int) bool {
	i = blanksBefore(s, i)
	if i > 0 && s[i-1] == '*' {
		return true
	}
	from := wordBefore(s, i)
	word := string(s[from:i])
	if !utf8.ValidString(word) {
		word = decodeWindows1252(s[from:i])
	}
	if _, ok := parseResult(word); ok || !isPoints(s[from:i]) {
		return ok
	}
	first := wordBefore(s, blanksBefore(s, wordBefore(s, blanksBefore(s, from))))
	return first < from && scoreEnd(s, first, wordEnd(s, first)) == i
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
