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
		fmt.Fprintf(w, "PGN for people: %s; --lossless keeps annotations as they are, --all lists all\n", strings.Join(parts, "; "))
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
