package collect

import (
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// person is a name taken apart for comparing.
type person struct {
	last  string // folded surname
	first string // folded first names, "" if not known
	// sound is what spellings of one surname have in common.
	sound uint32
}

// personOf takes a name apart. Without a comma the last word is the surname,
// unless it is an initial.
func personOf(p model.Player) person {
	last, first := Fold(p.LastName), Fold(p.FirstName)
	if first == "" {
		words := strings.Fields(last)
		for i := len(words) - 1; i > 0; i-- {
			if len(words[i]) > 1 {
				last, first = words[i], strings.Join(append(words[:i:i], words[i+1:]...), " ")
				break
			}
		}
	}
	return person{last, first, soundOf(last)}
}

// alike are letters and groups of letters that transliterations and languages
// spell differently for one sound; vowels and h say nothing.
var alike = strings.NewReplacer(
	"sch", "s", "tsch", "c", "tch", "c", "ch", "c", "sh", "s", "zh", "z", "ts", "z", "tz", "z", "cz", "c", "ck", "k",
	"ks", "x", "ph", "f", "th", "t", "w", "v", "q", "k", "dj", "j", "dz", "z", "kh", "k", "gh", "g",
)

// soundOf returns a number that spellings of one surname share.
func soundOf(last string) uint32 {
	sound := uint32(2166136261)
	n, before := 0, rune(0)
	for _, r := range alike.Replace(last) {
		if strings.ContainsRune("aeiouyhj ", r) {
			continue
		}
		if r == before {
			continue
		}
		if before = r; n == 4 {
			break
		}
		n++
		sound = (sound ^ uint32(r)) * 16777619
	}
	if n == 0 { // nothing but vowels
		for _, r := range last {
			sound = (sound ^ uint32(r)) * 16777619
		}
	}
	return sound
}

// isKnown reports whether there is a name.
func (p *person) isKnown() bool { return p.last != "" && p.last != "nn" }

// same reports whether two names can be spellings of one. exactly says that they
// are letter by letter the same.
func (p *person) same(o *person) (same, exactly bool) {
	if p.last == o.last && p.first == o.first {
		return true, true
	}
	if !p.isKnown() || !o.isKnown() {
		return false, false
	}
	if p.last != o.last && namepattern.Distance(p.last, o.last) > slips(min(len(p.last), len(o.last))) && p.sound != o.sound {
		// "Carlsen Magnus" without its comma
		return p.first != "" && p.last == o.first && p.first == o.last, false
	}
	return sameFirst(p.first, o.first), false
}

// sameFirst reports whether first names agree as far as they are given.
func sameFirst(a, b string) bool {
	if a == "" || b == "" {
		return true
	}
	x, y := strings.Fields(a)[0], strings.Fields(b)[0]
	if len(x) < 3 || len(y) < 3 {
		return x[0] == y[0]
	}
	return strings.HasPrefix(x, y) || strings.HasPrefix(y, x) || namepattern.Distance(x, y) <= slips(min(len(x), len(y))) || soundOf(x) == soundOf(y)
}

// slips is how many letters may differ in a name of n letters.
func slips(n int) int { return min(n/4, 2) }

// Fold returns a text in small letters without accents, with the letters that
// are no letter with an accent spelt out (ø o, ł l, ß ss), and with single
// blanks in place of everything that is neither letter nor digit.
func Fold(s string) string { return namepattern.Fold(s) }
