package namepattern

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cbkit/model"
)

// IsPattern reports whether a name has one of the characters '*' and '?', and
// so stands for others.
func IsPattern(s string) bool { return strings.ContainsAny(s, "*?") }

// Person is a player's name as somebody types it: "Kasparov", "Kasparov,G",
// "Gary Kasparov", "g. kasparov", or "Muller" for Müller.
type Person struct{ readings []reading }

// reading is one way to understand a name, folded.
type reading struct {
	last  string
	first []string // words, none if they are not known
}

// ParsePerson understands a name. Without a comma the first names may stand
// before or behind the surname.
func ParsePerson(typed string) Person {
	if last, first, ok := strings.Cut(typed, ","); ok {
		return Person{[]reading{{Fold(last), strings.Fields(Fold(first))}}}
	}
	words := strings.Fields(Fold(typed))
	p := Person{[]reading{{last: strings.Join(words, " ")}}}
	for i := 1; i < len(words); i++ {
		p.readings = append(p.readings,
			reading{strings.Join(words[i:], " "), words[:i]}, reading{strings.Join(words[:i], " "), words[i:]})
	}
	return p
}

// Matches reports whether the name can be that of a player. First names agree as
// far as both are given: an initial with all that begin so, and with one letter
// more or less in longer ones.
func (p Person) Matches(player model.Player) bool {
	last := Fold(player.LastName)
	if !strings.Contains(last, " ") && !slices.ContainsFunc(p.readings, func(r reading) bool { return r.last == last }) {
		return false // as most are: there is one way to understand it
	}
	for _, stored := range storedReadings(last, player.FirstName) {
		for _, typed := range p.readings {
			if typed.last == stored.last && typed.last != "" && sameFirst(typed.first, stored.first) {
				return true
			}
		}
	}
	return false
}

// storedReadings are the ways to understand a stored name, of which the surname is
// folded. PGN may have "Gary Kasparov" as the surname.
func storedReadings(last, firstName string) []reading {
	first := strings.Fields(Fold(firstName))
	list := []reading{{last, first}}
	if words := strings.Fields(last); len(first) == 0 && len(words) > 1 {
		n := len(words) - 1
		list = append(list, reading{words[n], words[:n]}, reading{words[0], words[1:]})
	}
	return list
}

// sameFirst reports whether first names that somebody typed agree with stored
// ones. Who types some wants a player who has some.
func sameFirst(typed, stored []string) bool {
	if len(typed) > 0 && len(stored) == 0 {
		return false
	}
	for i := range min(len(typed), len(stored)) {
		if !sameWord(typed[i], stored[i]) {
			return false
		}
	}
	return true
}

// longestShort is how many letters a stored first name has at most that can be the
// beginning of a longer one: "G", "Iv".
const longestShort = 2

// sameWord compares two first names, of which one may be the beginning of the
// other.
func sameWord(a, b string) bool {
	if strings.HasPrefix(b, a) || strings.HasPrefix(a, b) && utf8.RuneCountInString(b) <= longestShort {
		return true
	}
	return min(len(a), len(b)) >= 4 && Distance(a, b) <= 1
}

// Initials are the letters that names which match begin with, folded.
func (p Person) Initials() string {
	letters := ""
	for _, r := range p.readings {
		for _, word := range append(slices.Clone(r.first), r.last) {
			first, _ := utf8.DecodeRuneInString(word)
			letters += string(first)
		}
	}
	return letters
}

// Similar collects the names that come nearest to one that was not found.
type Similar struct {
	folded string
	words  []string
	best   []similar
}

type similar struct {
	name     string
	distance int
}

// NewSimilar starts a collection for a name or pattern.
func NewSimilar(name string) *Similar {
	folded := Fold(name)
	return &Similar{folded: folded, words: strings.Fields(folded)}
}

// mostSimilar is how many names are kept.
const mostSimilar = 3

// Add looks at a name, which is kept if it is near enough and there are no nearer
// ones.
func (s *Similar) Add(name string) {
	if s.folded == "" || slices.ContainsFunc(s.best, func(b similar) bool { return b.name == name }) {
		return
	}
	d := s.distance(Fold(name))
	if d > 2+utf8.RuneCountInString(s.folded)/8 {
		return
	}
	at, _ := slices.BinarySearchFunc(s.best, d, func(b similar, d int) int {
		if b.distance <= d {
			return -1
		}
		return 1
	})
	s.best = slices.Insert(s.best, at, similar{name, d})
	s.best = s.best[:min(len(s.best), mostSimilar)]
}

// distance is how far a folded name is from what was asked for: from all of it,
// or from one of its words if it has several.
func (s *Similar) distance(folded string) int {
	d := Distance(s.folded, folded)
	for word := range strings.FieldsSeq(folded) {
		for _, asked := range s.words {
			if len(asked) >= 3 && strings.HasPrefix(word, asked) {
				d = min(d, 1)
			}
			if letters := utf8.RuneCountInString(asked); letters >= 4 && utf8.RuneCountInString(word) >= 4 {
				n := Distance(asked, word)
				if n > letters/3 {
					continue
				}
				d = min(d, n+min(1, len(s.words)-1)) // all of a name is better than a word of it
			}
		}
	}
	if d > max(1, utf8.RuneCountInString(s.folded)/3) {
		return 1 << 20
	}
	return d
}

// Names returns the nearest names, nearest first.
func (s *Similar) Names() []string {
	var list []string
	for _, b := range s.best {
		list = append(list, b.name)
	}
	return list
}
