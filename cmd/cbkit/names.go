package main

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/search"
)

// isCalled returns what chooses the players whom a name means, nil for "".
func isCalled(name string) func(model.EntityID, model.Player) bool {
	if name == "" {
		return nil
	}
	return namepattern.ParseName(name).Has
}

// noSuchName says that no entity of a kind is called so, and what may have been meant; or
// that one is, of which no game is asked for.
func noSuchName(kind, name string, similar []string) string {
	if slices.Contains(similar, name) {
		return fmt.Sprintf("no game of the %s %q is among those that are asked for", kind, name)
	}
	line := fmt.Sprintf("no %s is called %q", kind, name)
	if way := otherwiseAsked(name); kind == "player" && way != "" {
		return line + "; " + way
	}
	return line + namepattern.DidYouMean(similar)
}

// otherwiseAsked says how to ask for what is no name: a year, a comparison, a term.
func otherwiseAsked(word string) string {
	year, err := strconv.Atoi(word)
	switch at := strings.IndexAny(word, "<>="); {
	case err == nil && year >= 1000 && year <= 9999:
		return fmt.Sprintf("year:%d is what was played then", year)
	case at > 0:
		return fmt.Sprintf("a condition has a colon, as %s:%s would; cbkit find --terms lists all", word[:at], word[at:])
	}
	for _, t := range search.Terms() {
		if t.Name == strings.ToLower(word) {
			return fmt.Sprintf("write %s:%s", t.Name, t.Value)
		}
	}
	return ""
}

// noSuchNameError is the error of a name that none of the names means.
func noSuchNameError(kind, name string, names iter.Seq[string]) error {
	similar := namepattern.NewSimilar(name)
	for other := range names {
		similar.Add(other)
	}
	return errors.New(noSuchName(kind, name, similar.Names()))
}

// playersOf yields the names of the players of a source.
func playersOf(e *model.Entities) iter.Seq[string] {
	return namesIn(&e.Players, model.Player.String)
}

// namesIn yields the names in a table.
func namesIn[T comparable](table *model.Table[T], name func(T) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, v := range table.Live() {
			if !yield(name(v)) {
				return
			}
		}
	}
}

// isKnown reports whether a name means one of the players of a source.
func isKnown(name string, e *model.Entities) bool {
	is := namepattern.ParseName(name)
	for id, p := range e.Players.Live() {
		if is.Has(id, p) {
			return true
		}
	}
	return false
}

// reportAlso reports in a line, behind an answer, names that may be other spellings of
// the players who were asked for.
func (env *environment) reportAlso(list []search.Spelling, quiet bool) {
	if len(list) == 0 || quiet {
		return
	}
	const shown = 3
	var names []string
	for _, s := range list[:min(len(list), shown)] {
		names = append(names, fmt.Sprintf("%s (%d)", s.Name, s.Games))
	}
	if more := len(list) - shown; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	fmt.Fprintln(env.stderr, oneLine("also "+strings.Join(names, "; ")))
}

// fewNames lists names, the first few of them.
func fewNames(names []string, what string) string {
	const shown = 5
	if more := len(names) - shown; more > 0 {
		return fmt.Sprintf("%s and %d more %s", strings.Join(names[:shown], "; "), more, what)
	}
	return strings.Join(names, "; ")
}
