package headerfields

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cbkit/internal/namepattern"
)

// IsUnknown reports whether a text says that something is not known.
func IsUnknown(text string) bool { return text == "" || text == "?" || text == "-" }

// ParseNumber reads a number up to limit; 0 is none.
func ParseNumber(text string, limit uint64) (n uint64, ok bool) {
	text = strings.Trim(text, " ")
	if IsUnknown(text) {
		return 0, true
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > limit {
		return 0, false
	}
	return n, true
}

// ParseRating reads a rating. Where a text says more it is the only number in it of three
// or four digits from 100 to 3999, as in "2500*", "1850/12" and "ca. 2100"; whole says that
// it is all of the text.
func ParseRating(text string) (rating uint16, whole bool) {
	if n, ok := ParseNumber(text, 65535); ok {
		return uint16(n), true
	}
	for from := 0; from < len(text); {
		end := from + digits(text[from:])
		if end == from {
			from++
			continue
		}
		// What follows a point is no number of its own: 2.450.
		isPart := from > 1 && strings.IndexByte(".,'", text[from-1]) >= 0 && digits(text[from-2:]) > 0
		if n, ok := ParseNumber(text[from:end], 3999); ok && n >= 100 && end-from <= 4 && !isPart {
			if rating != 0 {
				return 0, false
			}
			rating = uint16(n)
		}
		from = end
	}
	return rating, false
}

// digits returns how many digits a text begins with.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// ParseRound reads "3", "3.2" and "3(2)". Where a text says more it is the first number with
// its point part, if it stands alone ("3.", "4.1.2"), behind a word for round ("Rd 4") or
// in front of a letter ("3a"); whole says that nothing else is in the text.
func ParseRound(text string) (round, subround uint16, whole bool) {
	text = strings.Trim(text, " ")
	if IsUnknown(text) {
		return 0, 0, true
	}
	main, sub, cut := strings.Cut(text, ".")
	closed := true
	if !cut {
		if main, sub, cut = strings.Cut(text, "("); cut {
			sub, closed = strings.CutSuffix(sub, ")")
		}
	}
	r, okMain := ParseNumber(main, 65535)
	s, okSub := ParseNumber(sub, 65535)
	if okMain && okSub && closed && !(cut && sub == "") {
		// The round 0 is written as none, and so is the subround 0; a subround of no round
		// is written as one of the round 0.
		isZero := r == 0 && s == 0 || cut && s == 0 || IsUnknown(main)
		return uint16(r), uint16(s), !isZero
	}

	at := max(0, strings.IndexAny(text, "0123456789"))
	before, behind := text[:at], text[at:]
	main, behind = behind[:digits(behind)], behind[digits(behind):]
	if sub = ""; strings.HasPrefix(behind, ".") {
		sub = behind[1:][:digits(behind[1:])]
		behind = behind[1+len(sub):]
	}
	if len(main) > 3 || len(sub) > 3 || len(behind) > 3 && digits(behind[len(behind)-4:]) == 4 {
		return 0, 0, false // a year
	}
	words, next := strings.Fields(namepattern.Fold(before)), strings.Fields(namepattern.Fold(behind))
	if n := len(words) - 1; n > 0 && (words[n] == "no" || words[n] == "nr") {
		words = words[:n] // Round No. 3
	}
	letter, _ := utf8.DecodeRuneInString(behind)
	isAlone := before == "" && (strings.Trim(behind, ".0123456789") == "" || unicode.IsLetter(letter))
	if isAlone || len(words) > 0 && roundWords[words[len(words)-1]] || before == "" && len(next) > 0 && roundWords[next[0]] {
		r, _ = ParseNumber(main, 999)
		s, _ = ParseNumber(sub, 999)
		return uint16(r), uint16(s), false
	}
	return 0, 0, false
}

// roundWords are words for a round of a tournament, folded.
var roundWords = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(`r rd rnd round rounds runde rde rund runda ronda ronde rodada rolda rondo ronden jornada
		tour tur turno giornata kolo kierros krs omgang omg fordulo voor karta ratas umferd raund txanda babak vong xhiro
		тур раунд круг коло кръг γύρος 第 轮 輪 라운드 ラウンド`) {
		words[namepattern.Fold(word)] = true
	}
	return words
}()
