package search

import (
	"errors"
	"strings"
)

// Condition says which records are wanted. Conditions come from the functions of
// this package, from [Term] and from [Parse]; String returns what Parse reads.
//
// Nil is no condition, alone or inside another one: a search for it is an error.
type Condition interface {
	String() string
	// bind prepares the condition for one search.
	bind(s *session) (test, error)
}

// test is a condition in a search. Tests may run in several goroutines.
type test interface {
	// eval judges a record. It is never maybe for a row that is loaded.
	eval(r *row) truth
	// bound returns lists that together hold all records for which the test
	// can be true, nil if there are none.
	bound() *bound
}

// And is true where all of the conditions are; with none it is always true.
func And(list ...Condition) Condition { return allOf(list) }

// Or is true where one of the conditions is; with none it never is.
func Or(list ...Condition) Condition { return anyOf(list) }

// Not is true where the condition is false, for guiding texts too.
func Not(c Condition) Condition { return notOf{c} }

type allOf []Condition

// String implements Condition.
func (a allOf) String() string { return joined(a, " and ", "id:1..") }

func (a allOf) bind(s *session) (test, error) {
	list, err := bindAll(a, s)
	return allTests(list), err
}

type anyOf []Condition

// String implements Condition.
func (a anyOf) String() string { return joined(a, " or ", "not id:1..") }

func (a anyOf) bind(s *session) (test, error) {
	list, err := bindAll(a, s)
	return anyTests(list), err
}

type notOf struct{ Condition }

// String implements Condition.
func (n notOf) String() string { return "not " + written(n.Condition) }

func (n notOf) bind(s *session) (test, error) {
	t, err := bind(n.Condition, s)
	return notTest{t}, err
}

// joined writes several conditions in parentheses; none is written as empty.
func joined(list []Condition, word, empty string) string {
	switch len(list) {
	case 0:
		return empty
	case 1:
		return written(list[0])
	}
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = written(c)
	}
	return "(" + strings.Join(words, word) + ")"
}

// written writes a condition; nil is a word that Parse refuses.
func written(c Condition) string {
	if c == nil {
		return "nil:"
	}
	return c.String()
}

// errNoCondition is the error of a search for nil.
var errNoCondition = errors.New("search: a condition is nil; And() is true of all records")

// bind prepares a condition, which may be nil.
func bind(c Condition, s *session) (test, error) {
	if c == nil {
		return nil, errNoCondition
	}
	return c.bind(s)
}

func bindAll(list []Condition, s *session) ([]test, error) {
	tests := make([]test, len(list))
	for i, c := range list {
		var err error
		if tests[i], err = bind(c, s); err != nil {
			return nil, err
		}
	}
	return tests, nil
}

type allTests []test

func (a allTests) eval(r *row) truth {
	all := yes
	for _, t := range a {
		if all = min(all, t.eval(r)); all == no {
			return no
		}
	}
	return all
}

// bound is the smallest of the bounds.
func (a allTests) bound() *bound {
	var best *bound
	for _, t := range a {
		if b := t.bound(); b != nil && (best == nil || b.uses() < best.uses()) {
			best = b
		}
	}
	return best
}

type anyTests []test

func (a anyTests) eval(r *row) truth {
	any := no
	for _, t := range a {
		if any = max(any, t.eval(r)); any == yes {
			return yes
		}
	}
	return any
}

// bound is all bounds together, if every condition has one.
func (a anyTests) bound() *bound {
	all := &bound{}
	for _, t := range a {
		b := t.bound()
		if b == nil {
			return nil
		}
		all.sets = append(all.sets, b.sets...)
	}
	return all
}

type notTest struct{ test }

func (n notTest) eval(r *row) truth { return yes - n.test.eval(r) }

func (n notTest) bound() *bound { return nil }
