package namepattern

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/internal/brief"
	"cbkit/model"
)

// IsPattern reports whether a name has one of the characters '*' and '?', and
// so stands for others.
func IsPattern(s string) bool { return strings.ContainsAny(s, "*?") }

// Person is a player's name as it is typed: "Kasparov", "Kasparov,G",
// "Gary Kasparov", "g. kasparov", "Muller" for Müller, "Kortschnoj" for Korchnoi,
// or any word of the name, such as "Lagrave".
type Person struct {
	readings []reading
	words    []string // those that may be any of the name, as spelling has them; none behind a comma
	signs    []uint64 // of the words of which a name that matches has one
	begins   uint32   // the sounds that these begin with
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
		name := inOrder(model.Player{LastName: strings.TrimSpace(last), FirstName: strings.TrimSpace(first)})
		p.readings = []reading{{spelling(Fold(name.LastName)), strings.Fields(Fold(name.FirstName))}}
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
			p.signs = append(p.signs, signOf(word))
			p.begins |= sounds[word[0]]
		}
	}
	return p
}

// Matches reports whether the name can be that of a player: the surname, or all of
// the words somewhere in the name. First names agree as far as both are given: an
// initial with all that begin so, and with one letter more or less in longer ones.
func (p Person) Matches(player model.Player) bool {
	var room [64]byte
	if !p.CanMatch(append(append(append(room[:0], player.LastName...), ' '), player.FirstName...)) {
		return false
	}
	player = inOrder(player)
	folded := Fold(player.LastName)
	last := spelling(folded)
	for _, stored := range storedReadings(last, folded, player.FirstName) {
		for _, typed := range p.readings {
			if typed.last == stored.last && typed.last != "" && sameFirst(typed.first, stored.first) {
				return true
			}
		}
	}
	return len(p.words) > 0 && hasWords(" "+last+" "+spelling(Fold(player.FirstName))+" ", p.words)
}

// storedReadings are the ways to understand a stored name, of which the surname is
// folded, and as spelling has it. PGN may have "Gary Kasparov" as the surname.
func storedReadings(last, folded, firstName string) []reading {
	first := strings.Fields(Fold(firstName))
	list := []reading{{last, first}}
	if words := strings.Fields(folded); len(first) == 0 && len(words) > 1 {
		n, first := len(words)-1, surnameFirst(words)
		for n > 1 && particles[words[n-1]] {
			n--
		}
		list = append(list, reading{spelling(strings.Join(words[n:], " ")), words[:n]}, reading{spelling(strings.Join(words[:first], " ")), words[first:]})
	}
	return list
}

// sameFirst reports whether first names that were typed agree with stored
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
	return min(len(a), len(b)) >= 4 && !differ(a, b, 1)
}

// CanMatch reports whether a name, of which the words are not folded, has a word with the sign
// of one that was typed; others do not match. It is cheap, and true of all that is not ASCII.
func (p Person) CanMatch(name []byte) bool {
	found, from := len(p.signs) == 0, -1
	for i, c := range name {
		switch {
		case c >= utf8.RuneSelf:
			return true
		case sounds[c] == 0 && from >= 0:
			found, from = found || slices.Contains(p.signs, signOf(name[from:i])), -1
		case sounds[c] != 0 && from < 0:
			from = i
		}
	}
	return found || from >= 0 && slices.Contains(p.signs, signOf(name[from:]))
}

// CanBegin is true of names for which CanMatch is, and of all others that may be near: a
// word must begin as one that was typed.
func (p Person) CanBegin(name []byte) bool {
	before := uint32(0)
	for _, c := range name {
		sound := sounds[c]
		if c >= utf8.RuneSelf || before == 0 && sound&p.begins != 0 {
			return true
		}
		before = sound
	}
	return len(p.signs) == 0
}

// Similar collects the names that come nearest to one that was not found.
type Similar struct {
	folded string
	words  []string // folded
	best   []similar
}

type similar struct {
	name string
	nearness
}

// nearness says how near a name is to what was asked for: at first by how many letters
// it differs, then by how many letters of the words that were asked for it has not.
type nearness struct{ distance, missing int }

// isFarther reports whether a name is not as near as another one.
func (n nearness) isFarther(than nearness) bool {
	return cmp.Or(cmp.Compare(n.distance, than.distance), cmp.Compare(n.missing, than.missing)) > 0
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
	n := s.nearness(Fold(name))
	if n.distance > 2+utf8.RuneCountInString(s.folded)/8 {
		return
	}
	at := len(s.best)
	for at > 0 && s.best[at-1].isFarther(n) {
		at--
	}
	s.best = slices.Insert(s.best, at, similar{name, n})
	s.best = s.best[:min(len(s.best), mostSimilar)]
}

// nearness is how near a folded name is to what was asked for: to all of it, or to one
// of its words if it has several.
func (s *Similar) nearness(folded string) nearness {
	d := nearest(s.folded, folded)
	missing := 0
	for _, asked := range s.words {
		letters, has := utf8.RuneCountInString(asked), false
		for word := range strings.FieldsSeq(folded) {
			if len(asked) >= 3 && strings.HasPrefix(word, asked) {
				d, has = min(d, 1), true
			}
			if letters >= 4 && utf8.RuneCountInString(word) >= 4 {
				if n := nearest(asked, word); n <= letters/3 {
					d, has = min(d, n+min(1, len(s.words)-1)), true // all of a name is better than a word of it
				}
			}
			has = has || word == asked
		}
		if !has {
			missing += letters
		}
	}
	if d > max(1, utf8.RuneCountInString(s.folded)/3) {
		d = 1 << 20
	}
	return nearness{d, missing}
}

// nearest is the distance of two folded names, or of what their spellings have in common
// if that is all but the same.
func nearest(a, b string) int {
	d := distance(a, b, math.MaxInt)
	if d == 0 {
		return 0
	}
	x, y := spelling(a), spelling(b)
	if n := distance(x, y, math.MaxInt); n <= slips(x, y) && len(x) >= 4 {
		d = min(d, n)
	}
	return d
}

// Names returns the nearest names, nearest first. Those that have less than half of what
// was asked for are left out if the nearest one has more.
func (s *Similar) Names() []string {
	half := utf8.RuneCountInString(strings.ReplaceAll(s.folded, " ", "")) / 2
	var list []string
	for _, b := range s.best {
		if len(list) == 0 || b.missing <= half || s.best[0].missing > half {
			list = append(list, b.name)
		}
	}
	return list
}

// DidYouMean asks, behind an error, whether one of some names was meant; "" if there are none.
func DidYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return fmt.Sprintf("; did you mean %s?", brief.List(quoted, " or "))
}
