package main

import (
	"fmt"
	"io"
	"sort"

	"cbkit/model"
)

// lossBook collects losses for a summary by kind and field.
type lossBook struct {
	entries map[lossKey]*lossEntry
	report  *messages // gets all of them, may be nil
	// plain says that the target is PGN for people, of which one line tells
	// what it leaves out.
	plain bool
}

type lossKey struct {
	kind  model.LossKind
	field string
}

type lossEntry struct {
	count int
	first model.Loss
}

// add takes a loss; it is a model.Report.
func (b *lossBook) add(l model.Loss) {
	if b.report != nil {
		b.report.lost(l)
	}
	if b.entries == nil {
		b.entries = map[lossKey]*lossEntry{}
	}
	k := lossKey{l.Kind, l.Field}
	if e := b.entries[k]; e != nil {
		e.count++
		return
	}
	b.entries[k] = &lossEntry{count: 1, first: l}
}

// print writes the summary, one line for each kind and field, most frequent
// first.
func (b *lossBook) print(w io.Writer) {
	if b.plain && (b.report == nil || !b.report.all) {
		b.printPlain(w)
	}
	keys := make([]lossKey, 0, len(b.entries))
	for k := range b.entries {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		x, y := b.entries[keys[i]], b.entries[keys[j]]
		if x.count != y.count {
			return x.count > y.count
		}
		return keys[i].field < keys[j].field
	})
	if len(keys) > 0 {
		fmt.Fprintln(w, "losses:")
	}
	for i, k := range keys {
		if i == shownMessages && (b.report == nil || !b.report.all) {
			fmt.Fprintf(w, "  and %s; --all shows them\n", plural(len(keys)-i, "more kind"))
			return
		}
		e := b.entries[k]
		fmt.Fprintf(w, "  %7d  %s: %s (first: %s)\n", e.count, inNumber(e.count, lossWords[k.kind]), oneLine(lostThingBy(e.count, k)), oneLine(told(e.first)))
	}
}

// told says where something was lost, and in words what.
func told(l model.Loss) string {
	if l.Record == 0 {
		return l.What
	}
	return fmt.Sprintf("record %d: %s", l.Record, l.What)
}

// lostThingBy names what was lost where losses are listed one by one: of tags, which.
func lostThingBy(n int, k lossKey) string {
	if k.kind == model.LostTag {
		return k.field
	}
	return lostThing(n, k)
}
