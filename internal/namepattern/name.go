package namepattern

import (
	"slices"
	"strconv"
	"strings"

	"cbkit/model"
)

// Name is what is typed for a name: a pattern if it has '*' or '?', else the
// name as people type it. It means the same wherever games are picked by names.
type Name struct {
	typed  string
	person *Person // nil for a pattern
	words  Words
}

// ParseName understands a name.
func ParseName(typed string) Name {
	n := Name{typed: typed}
	if !IsPattern(typed) {
		p := ParsePerson(typed)
		n.person, n.words = &p, ParseWords(typed)
	}
	return n
}

// ParseNumber reads the number that an entity has in its table, "#17", which tells apart
// what is called alike.
func ParseNumber(typed string) (model.EntityID, bool) {
	digits, is := strings.CutPrefix(typed, "#")
	n, err := strconv.ParseUint(digits, 10, 31)
	return model.EntityID(n), is && err == nil
}

// Has reports whether a player of a source can be meant: by number, "#17", or name.
func (n Name) Has(id model.EntityID, p model.Player) bool {
	if number, is := ParseNumber(n.typed); is {
		return number == id
	}
	return n.IsPlayer(p)
}

// IsPlayer reports whether a player can be meant by name.
func (n Name) IsPlayer(p model.Player) bool {
	if n.person != nil {
		return n.person.Matches(p)
	}
	return slices.ContainsFunc(PlayerNames(p), Pattern(n.typed).Matches)
}

// IsTitle reports whether a title, or another name that is no player's, can be
// meant: "linares" means Linares and "Linares 18th".
func (n Name) IsTitle(s string) bool {
	if n.words != nil {
		return n.words.In(s)
	}
	return Pattern(n.typed).Matches(s)
}

// Words are those of a title as it is typed, folded.
type Words []string

// ParseWords returns the words of a title; nil if it has none.
func ParseWords(typed string) Words {
	if words := strings.Fields(Fold(typed)); len(words) > 0 {
		return words
	}
	return nil
}

// In reports whether a title has all of the words, in any order.
func (w Words) In(title string) bool { return len(w) > 0 && hasWords(" "+Fold(title)+" ", w) }

// hasWords reports whether all of some words are in a name, which has blanks around it.
func hasWords(name string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(name, " "+word+" ") })
}

// CutYear takes a year from the end of a name: "Linares 2001". The year is 0 if there
// is none, or nothing else.
func CutYear(typed string) (rest string, year int) {
	i := strings.LastIndexByte(typed, ' ')
	if i < 1 || len(typed)-i != 5 {
		return typed, 0
	}
	if year, _ = strconv.Atoi(typed[i+1:]); year < 1000 {
		return typed, 0
	}
	return typed[:i], year
}

// Players tells which players of sources a name means. It remembers its answers,
// and must not be used by more than one goroutine at a time.
type Players struct {
	name    Name
	of      *model.Entities // those that answers are remembered of
	answers []answer
}

// answer is what is known of a player.
type answer uint8

const (
	notAsked answer = iota
	isMeant
	isNot
)

// NewPlayers returns the players whom a name means.
func NewPlayers(typed string) *Players { return &Players{name: ParseName(typed)} }

// Has reports whether the name can mean a player of a source.
func (p *Players) Has(e *model.Entities, id model.EntityID) bool {
	player, ok := e.Players.Get(id)
	if !ok {
		return false
	}
	if e != p.of {
		p.of, p.answers = e, p.answers[:0]
	}
	if n := int(id) + 1 - len(p.answers); n > 0 {
		p.answers = append(p.answers, make([]answer, n)...)
	}
	if p.answers[id] == notAsked {
		p.answers[id] = isNot
		if p.name.Has(id, player) {
			p.answers[id] = isMeant
		}
	}
	return p.answers[id] == isMeant
}
