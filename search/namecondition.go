package search

import "cbkit/internal/namepattern"

// Person is true for games of a player whose name somebody types: "Kasparov",
// "Kasparov,G", "Gary Kasparov", "Muller" for Müller. Accents and case do not
// matter; first names agree as far as both are given.
func Person(side Side, name string) Condition {
	return nameCondition{players, side, pattern(name), true}
}

// playerNamed is a pattern if it has a '*' or '?', else a name as typed.
func playerNamed(side Side, name string) Condition {
	if namepattern.IsPattern(name) {
		return Player(side, name)
	}
	return Person(side, name)
}

// Place is true for games and texts of a tournament at a place; see [Player] for
// names.
func Place(name string) Condition { return nameCondition{places, AnySide, pattern(name), false} }

// Nation is true for games and texts of a tournament in a country, by its
// three-letter code or its name.
func Nation(name string) Condition { return nameCondition{nations, AnySide, pattern(name), false} }

// Player is true for games of players whose names look like a pattern: the last
// name, or "Last, First". In patterns '*' stands for any characters and '?' for
// one; case does not matter.
func Player(side Side, name string) Condition {
	return nameCondition{players, side, pattern(name), false}
}

// Opponents is true for games between two players, whoever has White. Names are
// patterns if they have a '*' or '?', else as somebody types them; see [Person].
func Opponents(one, other string) Condition {
	return Or(
		And(playerNamed(WhiteSide, one), playerNamed(BlackSide, other)),
		And(playerNamed(WhiteSide, other), playerNamed(BlackSide, one)))
}

// Team is true for games of players of a team; see [Player] for names.
func Team(side Side, name string) Condition { return nameCondition{teams, side, pattern(name), false} }

// Tournament is true for games and texts of a tournament, by its title; see
// [Player] for names.
func Tournament(name string) Condition {
	return nameCondition{tournaments, AnySide, pattern(name), false}
}

// Annotator is true for games and texts of an annotator.
func Annotator(name string) Condition {
	return nameCondition{annotators, AnySide, pattern(name), false}
}

// Source is true for games and texts from a source, by its title.
func Source(name string) Condition { return nameCondition{sources, AnySide, pattern(name), false} }

// Title is true for games and texts with a game title, in any language.
func Title(name string) Condition { return nameCondition{titles, AnySide, pattern(name), false} }

// nameCondition looks at the entities of a record.
type nameCondition struct {
	kind    *nameKind
	side    Side
	pattern pattern
	typed   bool
}

// String implements Condition.
func (c nameCondition) String() string { return term(c.side.prefix(c.kind.name), string(c.pattern)) }

func (c nameCondition) bind(s *session) (test, error) {
	set, err := s.lookup(nameQuery{c.kind, c.pattern, c.typed})
	return nameTest{set, c.side}, err
}

type nameTest struct {
	set  *nameSet
	side Side
}

func (t nameTest) eval(r *row) truth {
	one, other := entitiesOf(r, t.set.kind)
	return truthOf(t.side.holds(t.set.has(one), t.set.has(other)))
}

func (t nameTest) bound() *bound {
	if t.set.entities != nil || t.set.cut { // of a cut file the lists cannot be trusted
		return nil
	}
	return &bound{sets: []*nameSet{t.set}}
}

// entitiesOf returns the entities of a kind that a record refers to: of players
// and teams White's and Black's, of the others twice the same.
func entitiesOf(r *row, kind *nameKind) (one, other int32) {
	switch kind {
	case players:
		return r.refs.White, r.refs.Black
	case teams:
		return r.refs.WhiteTeam, r.refs.BlackTeam
	case tournaments, places, nations:
		one = r.refs.Tournament
	case annotators:
		one = r.refs.Annotator
	case sources:
		one = r.refs.Source
	case titles:
		one = r.refs.Title
	}
	return one, one
}
