// Package namepattern says which names look like a pattern, for searches and for
// all else that picks games by names.
package namepattern

import (
	"unicode"
	"unicode/utf8"

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
