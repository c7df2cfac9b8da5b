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
// "Gary Kasparov", "g. kasparov", "Muller" for Müller, "Kortschnoj" for Korchnoi,
// or any word of the name, such as "Lagrave".
type Person struct {
	readings []reading
	words    []string // those that may be any of the name, as spelling has them; none behind a comma
	begin    uint32   // how a word of a name begins that matches, as begin has it
}

// reading is one way to understand a name.
type reading struct {
	last  string   // as spelling has it
	first []string // folded words, none if they are not known
}

// ParsePerson understands a name. Without a comma the first names may stand
// before or behind the surname.
func ParsePerson(typed string) Person {
	var p Person
	if last, first, ok := strings.Cut(typed, ","); ok {
		p.readings = []reading{{spelling(Fold(last)), strings.Fields(Fold(first))}}
	} else {
		words := strings.Fields(Fold(typed))
		all := spelling(strings.Join(words, " "))
		p.words = strings.Fields(all)
		p.readings = []reading{{last: all}}
		for i := 1; i < len(words); i++ {
			p.readings = append(p.readings, reading{spelling(strings.Join(words[i:], " ")), words[:i]},
				reading{spelling(strings.Join(words[:i], " ")), words[i:]})
		}
	}
	for _, r := range p.readings {
		for word := range strings.FieldsSeq(r.last) {
			p.begin |= beginOf(word[0])
		}
	}
	return p
}

// Matches reports whether the name can be that of a player: the surname, or all of
// the words somewhere in the name. First names agree as far as both are given: an
// initial with all that begin so, and with one letter more or less in longer ones.
func (p Person) Matches(player model.Player) bool {
	folded := Fold(player.LastName)
	last := spelling(folded)
	for _, stored := range storedReadings(last, folded, player.FirstName) {
		for _, typed := range p.readings {
			if typed.last == stored.last && typed.last != "" && sameFirst(typed.first, stored.first) {
				return true
			}
		}
	}
	return p.hasWords(last, player.FirstName)
}

// hasWords reports whether all words that were typed are in a name.
func (p Person) hasWords(last, firstName string) bool {
	if len(p.words) == 0 {
		return false
	}
	name := " " + last + " " + spelling(Fold(firstName)) + " "
	return !slices.ContainsFunc(p.words, func(word string) bool { return !strings.Contains(name, " "+word+" ") })
}

// storedReadings are the ways to understand a stored name, of which the surname is
// folded, and as spelling has it. PGN may have "Gary Kasparov" as the surname.
func storedReadings(last, folded, firstName string) []reading {
	first := strings.Fields(Fold(firstName))
	list := []reading{{last, first}}
	if words := strings.Fields(folded); len(first) == 0 && len(words) > 1 {
		n := len(words) - 1
		list = append(list, reading{spelling(words[n]), words[:n]}, reading{spelling(words[0]), words[1:]})
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
		if !sameWord(typed[i], stored[i]) && !sameWord(spelling(typed[i]), spelling(stored[i])) {
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

// CanBegin reports whether a name of ASCII letters, of which the words are not folded,
// has a word that begins so that the name may match. It is cheap.
func (p Person) CanBegin(name []byte) bool {
	found, inside := uint32(0), false
	for _, c := range name {
		c |= ' ' // small
		letter := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if letter && !inside {
			found |= beginOf(c)
		}
		inside = letter
	}
	return found&p.begin != 0 || p.begin == 0
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
