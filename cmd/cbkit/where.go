package main

import (
	"errors"
	"fmt"
	"slices"

	"cbkit/search"
)

// whereFlag is the flag of verbs that take some of the games of a source.
type whereFlag struct {
	Where  string `help:"Only games that meet conditions, as find has them: 'player:Kramnik year:2000..'." placeholder:"CONDITIONS"`
	player string // of another flag, of whom the conditions may speak
}

// condition reads the conditions, nil if there are none. Deleted records meet none that
// does not speak of them, or only if they are wanted.
func (w whereFlag) condition(deleted bool) (search.Condition, error) {
	if w.Where == "" {
		return nil, nil
	}
	c, err := search.Parse(w.Where)
	if err != nil {
		return nil, usageError{fmt.Errorf("--where: %w", err)}
	}
	if err = checkQuery(c); err != nil && w.player != "" {
		player, wrong := search.Term("player", w.player)
		if wrong != nil {
			return nil, usageError{wrong}
		}
		c = search.And(player, c)
		err = checkQuery(c)
	}
	if err != nil {
		return nil, err
	}
	if deleted {
		return c, nil
	}
	return withoutDeleted(w.Where, c), nil
}

// errNoMatch is why nothing is made, or answered.
var errNoMatch = errors.New("no game meets the conditions of --where")

// matching are the records of a source that meet the conditions of --where.
type matching struct {
	*search.Selection
	name string
}

// What searches further, where only main lines were searched.
const (
	variationsFlag  = "--variations searches variations too"
	variationsQuery = `fen:"e4 c5@variations" searches variations too`
)

// reportNone says why nothing was found: names that are not there, with what they may have
// been, or else that only main lines were searched, and what searches further.
func (env *environment) reportNone(unknown []search.Unknown, mainLinesOnly bool, further string) {
	for _, u := range unknown {
		fmt.Fprintln(env.stderr, oneLine(noSuchName(u.Kind, u.Name, u.Similar)))
	}
	if mainLinesOnly && len(unknown) == 0 {
		fmt.Fprintln(env.stderr, "only main lines were searched; "+further)
	}
}

// checkMatches returns an error if no game of any source meets the conditions, and says why
// that is so.
func (env *environment) checkMatches() error {
	if len(env.matching) == 0 || slices.ContainsFunc(env.matching, func(c matching) bool { return c.Found() > 0 }) {
		return nil
	}
	for _, c := range env.matching {
		env.reportNone(c.Unknown(), c.MainLinesOnly(), variationsQuery)
	}
	return fmt.Errorf("%s: %w", env.matching[0].name, errNoMatch)
}
