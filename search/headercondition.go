package search

import (
	"fmt"
	"slices"
	"strconv"

	"cbkit/model"
)

// headCondition looks at the header of a record.
type headCondition struct {
	name, value string
	match       func(r *row) bool
}

// String implements Condition.
func (c headCondition) String() string { return term(c.name, c.value) }

func (c headCondition) bind(*session) (test, error) { return c, nil }

func (c headCondition) eval(r *row) truth { return truthOf(c.match(r)) }

func (c headCondition) bound() *bound { return nil }

// gameCondition looks at the header of a game.
func gameCondition(name, value string, match func(r *row) bool) Condition {
	return headCondition{name, value, func(r *row) bool { return !r.refs.Text && match(r) }}
}

// Games is true for games, Texts for guiding texts.
func Games() Condition {
	return headCondition{"kind", "game", func(r *row) bool { return !r.refs.Text }}
}

// Texts is true for guiding texts.
func Texts() Condition {
	return headCondition{"kind", "text", func(r *row) bool { return r.refs.Text }}
}

// Deleted is true for records that are marked as deleted. Without a condition
// about it a search finds them like all others.
func Deleted() Condition {
	return headCondition{"deleted", "yes", func(r *row) bool { return r.deleted }}
}

// IDs is true for the records with ids in a range; 0 as last is no limit.
func IDs(first, last model.RecordID) Condition {
	return headCondition{"id", rangeText(int(first), int(last)), func(r *row) bool {
		return r.id >= first && (last == 0 || r.id <= last)
	}}
}

// Dates is true for games played between two dates, both included. What is not
// known in the limits stretches the range: from 1990 to 1999 is the whole
// decade. What is not known of a game's date comes before all that is: a game
// of 1995 is not between 1995.03 and 1995.08. A limit that is zero is none.
func Dates(from, to model.Date) Condition {
	first, last := dateKey(from), dateKey(to)
	if to.Day == 0 {
		last |= 31
	}
	if to.Month == 0 {
		last |= 15 << 5
	}
	if to.IsZero() {
		last = 1<<32 - 1
	}
	return gameCondition("date", dateText(from)+".."+dateText(to), func(r *row) bool {
		key := dateKey(r.date)
		return key >= first && key <= last
	})
}

func dateKey(d model.Date) uint32 {
	return uint32(d.Year)<<9 | uint32(d.Month&15)<<5 | uint32(d.Day&31)
}

// dateText writes a date without its unknown parts at the end.
func dateText(d model.Date) string {
	switch {
	case d.IsZero():
		return ""
	case d.Month == 0 && d.Day == 0:
		return fmt.Sprintf("%04d", d.Year)
	case d.Day == 0:
		return fmt.Sprintf("%04d.%02d", d.Year, d.Month)
	}
	return d.String()
}

// ECOs is true for games with opening codes in a range, both included. A limit
// without a sub-code takes in all of its sub-codes.
func ECOs(from, to model.ECO) Condition {
	last := to
	if to.Sub() == 0 {
		last |= 127
	}
	return gameCondition("eco", from.String()+".."+to.String(), func(r *row) bool {
		return r.eco.Valid() && r.eco >= from && r.eco <= last
	})
}

// Results is true for games with one of the results.
func Results(list ...model.Result) Condition {
	var words []Condition
	for _, result := range list {
		words = append(words, gameCondition("result", resultWord(result), func(r *row) bool { return r.result == result }))
	}
	if len(words) == 1 {
		return words[0]
	}
	return Or(words...)
}

// resultWord is PGN's word, behind which a forfeit is marked.
func resultWord(r model.Result) string {
	if r.IsForfeit() {
		return r.String() + "f"
	}
	return r.String()
}

// Ratings is true for games with ratings in a range, of the sides asked for; 0
// as most is no limit. A rating that is not known is in no range.
func Ratings(side Side, least, most int) Condition {
	in := func(elo uint16) bool { return elo != 0 && int(elo) >= least && (most == 0 || int(elo) <= most) }
	return gameCondition(side.prefix("elo"), rangeText(least, most), func(r *row) bool {
		return side.holds(in(r.whiteElo), in(r.blackElo))
	})
}

// Rounds is true for games of rounds in a range; 0 as last is no limit.
func Rounds(first, last int) Condition {
	return gameCondition("round", rangeText(first, last), func(r *row) bool {
		return r.round != 0 && r.round >= first && (last == 0 || r.round <= last)
	})
}

// Subround is true for a game of a round, such as the second of a match: 3.2.
func Subround(round, game int) Condition {
	return gameCondition("round", fmt.Sprintf("%d.%d", round, game), func(r *row) bool {
		return r.round == round && r.subround == game
	})
}

// Side says which of the two players a condition is about.
type Side uint8

// The sides.
const (
	AnySide   Side = iota // one of them, whichever
	WhiteSide             // the one with the white pieces
	BlackSide             // the one with the black pieces
	BothSides             // both of them
)

// holds joins what is true of White and of Black.
func (s Side) holds(white, black bool) bool {
	switch s {
	case WhiteSide:
		return white
	case BlackSide:
		return black
	case BothSides:
		return white && black
	}
	return white || black
}

// prefix puts the side before the name of a term.
func (s Side) prefix(name string) string {
	return [...]string{"", "white-", "black-", "both-"}[s&3] + name
}

// factCondition looks at what the header of a game says about its content. In
// formats that do not store it, it is computed from the game.
type factCondition struct {
	name, value string
	match       func(f stored) bool
}

// String implements Condition.
func (c factCondition) String() string { return term(c.name, c.value) }

func (c factCondition) bind(s *session) (test, error) {
	if s.base == nil { // the headers of a ChessBase database have it
		s.wants |= model.WantMoves | model.WantAnnotations
	}
	return c, nil
}

func (c factCondition) eval(r *row) truth {
	if r.refs.Text {
		return no
	}
	f, ok := r.facts()
	if !ok {
		return maybe
	}
	return truthOf(c.match(f))
}

func (c factCondition) bound() *bound { return nil }

// maxMoves is where stored move counts end: it stands for more too.
const maxMoves = 255

// Moves is true for games with a number of full moves in a range; 0 as most is
// no limit. Headers stop counting at 255.
func Moves(least, most int) Condition {
	return factCondition{"moves", rangeText(least, most), func(f stored) bool {
		n := int(f.moves)
		return n >= min(least, maxMoves) && (most == 0 || n <= most)
	}}
}

// Medals is true for games that have all of the medals.
func Medals(m model.Medals) Condition {
	var list []Condition
	for bit, name := range model.MedalNames {
		if one := model.Medals(1) << bit; m&one != 0 {
			list = append(list, factCondition{"medal", name, func(f stored) bool { return f.medals&one != 0 }})
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return And(list...)
}

// Annotated is true for games with a kind of annotation or another mark, such
// as "text", "symbols", "training", "variations" or "setup"; [Terms] lists all.
func Annotated(name string) (Condition, error) {
	f, ok := flagNamed(name)
	if !ok {
		return nil, fmt.Errorf("%q is no kind of annotation; there are %s", name, flagNames())
	}
	return factCondition{"has", name, func(s stored) bool { return s.flags&f.mask != 0 }}, nil
}

// rangeText writes a range; 0 at the end is no limit.
func rangeText(first, last int) string {
	s := strconv.Itoa(first) + ".."
	if last != 0 {
		s += strconv.Itoa(last)
	}
	return s
}

// flagNames lists the names of flags for messages.
func flagNames() string {
	var names []string
	for _, f := range flags {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return listed(names)
}
