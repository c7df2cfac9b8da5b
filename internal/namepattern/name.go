package namepattern

import (
	"slices"

	"cbkit/model"
)

// Name is what somebody types for a name: a pattern if it has '*' or '?', else the
// name as people type it. It means the same wherever games are picked by names.
type Name struct {
	typed  string
	person *Person // nil for a pattern
}

// ParseName understands a name.
func ParseName(typed string) Name {
	n := Name{typed: typed}
	if !IsPattern(typed) {
		p := ParsePerson(typed)
		n.person = &p
	}
	return n
}

// IsPlayer reports whether a player can be meant.
func (n Name) IsPlayer(p model.Player) bool {
	if n.person != nil {
		return n.person.Matches(p)
	}
	return slices.ContainsFunc(PlayerNames(p), Pattern(n.typed).Matches)
}

// IsTitle reports whether a title, or another name that is no player's, can be
// meant: all of it, in upper or lower case.
func (n Name) IsTitle(s string) bool { return Pattern(n.typed).Matches(s) }

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
		if p.name.IsPlayer(player) {
			p.answers[id] = isMeant
		}
	}
	return p.answers[id] == isMeant
}
