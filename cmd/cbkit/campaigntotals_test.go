package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// campaignTotals counts what a campaign did. They do not depend on the order in
// which inputs were run.
type campaignTotals struct {
	subjects map[string]*campaignCounts
	intact   int // records compared
	visible  int // inputs with damage that can be seen
}

// campaignCounts are those of one subject, or one input.
type campaignCounts struct {
	inputs, runs int
	intact       int                // records compared
	verbs        map[string]*[2]int // runs of each by exit status
}

func newCampaignTotals() *campaignTotals {
	return &campaignTotals{subjects: map[string]*campaignCounts{}}
}

// verbOf returns the words of a command line that are its verb.
func verbOf(args []string) string {
	if args[0] == "book" {
		return args[0] + " " + args[1]
	}
	return args[0]
}

// of counts a run of a verb.
func (n *campaignCounts) of(verb string, status int) {
	if status == exitDone || status == exitFailed {
		n.verb(verb)[status]++
	}
}

func (n *campaignCounts) verb(name string) *[2]int {
	if n.verbs == nil {
		n.verbs = map[string]*[2]int{}
	}
	if n.verbs[name] == nil {
		n.verbs[name] = new([2]int)
	}
	return n.verbs[name]
}

// addAll adds the counts of another.
func (n *campaignCounts) addAll(other *campaignCounts) {
	n.inputs += other.inputs
	n.runs += other.runs
	for name, statuses := range other.verbs {
		for status, runs := range statuses {
			n.verb(name)[status] += runs
		}
	}
}

// add adds what an input gave.
func (t *campaignTotals) add(c *campaignCase) {
	name := c.subject.name
	if t.subjects[name] == nil {
		t.subjects[name] = new(campaignCounts)
	}
	c.counted.inputs = 1
	t.subjects[name].addAll(&c.counted)
	t.intact += c.counted.intact
	if len(c.visible) > 0 {
		t.visible++
	}
}

// log prints the totals.
func (t *campaignTotals) log(test *testing.T, subjects []*subject) {
	test.Helper()
	var all campaignCounts
	for i, s := range subjects {
		n := t.subjects[s.name]
		if n == nil || slices.Index(subjects, s) < i {
			continue // not damaged, or there twice
		}
		all.addAll(n)
		failed, chosen := 0, 0
		for _, statuses := range n.verbs {
			failed += statuses[exitFailed]
			chosen += statuses[exitDone] + statuses[exitFailed]
		}
		test.Logf("%-20s %6d inputs, %7d runs, exit status 1 of %6d in %6d", s.name, n.inputs, n.runs, chosen, failed)
	}
	for _, name := range slices.Sorted(maps.Keys(all.verbs)) {
		test.Logf("%-20s %6d done, %6d with exit status 1", name, all.verbs[name][exitDone], all.verbs[name][exitFailed])
	}
	test.Log(strings.Repeat("-", 60))
	test.Logf("%d inputs, %d of them with damage that can be seen; %d runs; %d intact records compared",
		all.inputs, t.visible, all.runs, t.intact)
}
