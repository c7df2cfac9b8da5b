package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

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

// addAll takes what another book has; all were reported.
func (b *lossBook) addAll(other *lossBook) {
	b.plain = other.plain
	if b.entries == nil {
		b.entries = map[lossKey]*lossEntry{}
	}
	for k, more := range other.entries {
		if e := b.entries[k]; e != nil {
			e.count += more.count
		} else {
			b.entries[k] = more
		}
	}
}

// print writes the summary, one line for each kind and field, most frequent first; tags
// are one line.
func (b *lossBook) print(w io.Writer) {
	all := b.report != nil && b.report.all
	if b.plain && !all {
		b.printPlain(w)
	}
	type row struct {
		count int
		words string
		first model.Loss
	}
	var rows []row
	tags := -1 // their row
	for _, k := range slices.SortedFunc(maps.Keys(b.entries), func(x, y lossKey) int { return cmp.Compare(x.field, y.field) }) {
		e := b.entries[k]
		thing := oneLine(lostThingBy(e.count, k))
		switch {
		case k.kind != model.LostTag:
			rows = append(rows, row{e.count, inNumber(e.count, lossWords[k.kind]) + ": " + thing, e.first})
		case tags < 0:
			tags = len(rows)
			rows = append(rows, row{e.count, thing, e.first})
		default:
			rows[tags].count += e.count
			rows[tags].words += ", " + thing
		}
	}
	if tags >= 0 {
		rows[tags].words = inNumber(rows[tags].count, lossWords[model.LostTag]) + ": " + rows[tags].words
	}
	slices.SortStableFunc(rows, func(x, y row) int { return cmp.Compare(y.count, x.count) })
	if len(rows) > 0 {
		fmt.Fprintln(w, "losses:")
	}
	for i, r := range rows {
		if i == shownMessages && !all {
			fmt.Fprintf(w, "  and %s; --all shows them\n", plural(len(rows)-i, "more kind"))
			return
		}
		fmt.Fprintf(w, "  %7d  %s (first: %s)\n", r.count, r.words, oneLine(told(r.first)))
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

// pgnFlags choose between the two forms of PGN.
type pgnFlags struct {
	Plain    bool `xor:"form" help:"PGN for people and other programs: comments, symbols, arrows, clocks, verdicts in pawns."`
	Lossless bool `xor:"form" help:"PGN from which cbkit reads back every annotation as it is, with commands of its own in comments."`
}

// check refuses the flags where no PGN is written.
func (f pgnFlags) check(as format) error {
	if (f.Plain || f.Lossless) && as != formatPGN {
		return usageError{errors.New("--plain, --lossless: only PGN has two forms")}
	}
	return nil
}

// printPlain sums up in one line what PGN for people leaves out or says in
// another form, and takes that out of the book.
func (b *lossBook) printPlain(w io.Writer) {
	out, changed := b.cut(func(k lossKey) bool { return isLeftOut[k.kind] }), b.cut(func(k lossKey) bool { return k.kind == model.Changed })
	var parts []string
	if out != "" {
		parts = append(parts, "left out: "+out)
	}
	if changed != "" {
		parts = append(parts, "in another form: "+changed)
	}
	if len(parts) > 0 {
		deleted := ""
		if strings.Contains(out, "deleted game") {
			deleted = "--deleted writes deleted games, "
		}
		fmt.Fprintf(w, "PGN for people: %s; %s--lossless keeps annotations as they are, --all lists all\n", strings.Join(parts, "; "), deleted)
	}
}

// isLeftOut has the kinds of what PGN for people is without.
var isLeftOut = map[model.LossKind]bool{
	model.LostTag: true, model.LostField: true, model.LostAnnotation: true, model.LostRecord: true,
}

// cut takes some entries out of the book and says how many there are of what,
// most frequent first.
func (b *lossBook) cut(isMeant func(lossKey) bool) string {
	counts := map[string]int{} // by the word for one
	keys := map[string]lossKey{}
	for k, e := range b.entries {
		if isMeant(k) {
			word := lostThing(1, k)
			counts[word] += e.count
			keys[word] = k
			delete(b.entries, k)
		}
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", counts[name], lostThing(counts[name], keys[name]))
	}
	return oneLine(strings.Join(names, ", "))
}
