// Package namepattern tells which names match a pattern, for searches and everything else
// that selects games by name.
package namepattern

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"cbkit/model"
)

// Pattern is what a name must look like: '*' stands for any characters, '?' for
// one, upper and lower case are the same.
type Pattern string

// Matches reports whether the whole of s looks like the pattern.
func (p Pattern) Matches(s string) bool {
	rest := string(p)
	// Where to go on if what follows the last '*' does not fit here: one
	// character later.
	star, again := "", ""
	starred := false
	for {
		want, size := utf8.DecodeRuneInString(rest)
		switch {
		case size > 0 && want == '*':
			rest = rest[size:]
			star, again, starred = rest, s, true
			continue
		case size == 0 && s == "":
			return true
		case size > 0 && s != "":
			if got, n := utf8.DecodeRuneInString(s); want == '?' || fold(want) == fold(got) {
				rest, s = rest[size:], s[n:]
				continue
			}
		}
		if !starred || again == "" {
			return false
		}
		_, n := utf8.DecodeRuneInString(again)
		again = again[n:]
		rest, s = star, again
	}
}

// fold makes upper and lower case the same. What is ASCII and what is not stays
// so, or a search by bytes would not find what this does.
func fold(r rune) rune {
	low := unicode.ToLower(r)
	if low < utf8.RuneSelf && r >= utf8.RuneSelf {
		return r
	}
	return low
}

// PlayerNames are the names under which a player is looked for: the last name
// alone and, if there is a first name, both.
func PlayerNames(p model.Player) []string {
	if p.FirstName == "" {
		return []string{p.LastName}
	}
	return []string{p.LastName, p.LastName + ", " + p.FirstName}
}

// Fold returns a text in small letters without accents, with the letters that
// are no letter with an accent spelt out (ø o, ł l, ß ss), Cyrillic in Latin ones, and with single
// blanks in place of everything that is neither letter nor digit.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range norm.NFD.String(shortI.Replace(s)) {
		switch {
		case r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		low := unicode.ToLower(r)
		if low < utf8.RuneSelf {
			b.WriteByte(byte(low)) // none of these is spelt otherwise
		} else if spelt, ok := spellings[low]; ok {
			b.WriteString(spelt)
		} else if spelt, ok := cyrillic[low]; ok {
			b.WriteString(spelt)
		} else {
			b.WriteRune(low)
		}
	}
	return b.String()
}

// shortI keeps the accent of the one Cyrillic letter that is another sound without it.
var shortI = strings.NewReplacer("Й", "y", "й", "y", "И\u0306", "y", "и\u0306", "y")

// spellings are the Latin letters that do not fall apart into a letter and an
// accent.
var spellings = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", 'ħ': "h",
}

// differ reports whether more than so many letters have to be changed, added, left out
// or exchanged with their neighbour to make one text of the other.
func differ(a, b string, most int) bool { return a != b && (most == 0 || distance(a, b, most) > most) }

// distance returns how many letters those are, or any number above most; of texts whose
// lengths differ by more than three, by how many they do.
func distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if d := max(len(x)-len(y), len(y)-len(x)); d > min(most, 3) {
		return d
	}
	var room [3 * 32]int
	n := len(y) + 1
	cells := slices.Grow(room[:0], 3*n)[:3*n]
	rows := [3][]int{cells[:n], cells[n : 2*n], cells[2*n:]}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, last, now := rows[0], rows[1], rows[2]
		now[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
			least = min(least, now[j])
		}
		if least > most {
			return least
		}
		rows = [3][]int{last, now, before}
	}
	return rows[1][len(y)]
}
