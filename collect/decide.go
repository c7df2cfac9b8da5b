package collect

import (
	"cmp"
	"iter"
	"slices"
)

// decide says which games of each set of equal ones go.
func (f *finder) decide() []Duplicate {
	var list []Duplicate
	for _, gone := range f.settled() {
		for _, g := range gone {
			list = append(list, Duplicate{f.games[g.keep].id, f.games[g.drop].id, f.why(g.keep, g.drop)})
		}
	}
	slices.SortFunc(list, func(a, b Duplicate) int { return cmp.Compare(a.Drop, b.Drop) })
	return list
}

// goner is a game that goes, and what stands for it.
type goner struct{ keep, drop int32 }

// settled yields the games that stay of each set of equal ones, and those that go: in
// the order of preference, each stays that nothing stands for that stays. What begins two
// games with different moves joins them to a set, in which neither stands for the other.
func (f *finder) settled() iter.Seq2[[]int32, []goner] {
	return func(yield func([]int32, []goner) bool) {
		longer := f.longer()
		for _, members := range f.sets() {
			slices.SortFunc(members, func(i, j int32) int {
				switch {
				case i == j:
					return 0
				case f.better(i, j):
					return -1
				}
				return 1
			})
			var stay []int32
			var gone []goner
			for _, m := range members {
				if k := slices.IndexFunc(stay, func(k int32) bool { return f.standsFor(k, m) && f.isLine(longer, k, m) }); k >= 0 {
					gone = append(gone, goner{stay[k], m})
				} else {
					stay = append(stay, m)
				}
			}
			if !yield(stay, gone) {
				return
			}
		}
	}
}

// longer returns, for main lines that begin others of the same game, these others.
func (f *finder) longer() map[uint64][]uint64 {
	longer := map[uint64][]uint64{}
	for _, p := range f.same {
		short, long := f.games[p.a].moves, f.games[p.b].moves
		if short != long && !slices.Contains(longer[short], long) {
			longer[short] = append(longer[short], long)
		}
	}
	return longer
}

// isLine reports whether the main line of one of two games is, or begins, that of the
// other, as far as pairs prove it.
func (f *finder) isLine(longer map[uint64][]uint64, i, j int32) bool {
	short, long := f.games[i], f.games[j]
	if short.plies > long.plies {
		short, long = long, short
	}
	lines := []uint64{short.moves}
	for n := 0; n < len(lines) && !slices.Contains(lines, long.moves); n++ {
		for _, more := range longer[lines[n]] {
			if !slices.Contains(lines, more) {
				lines = append(lines, more)
			}
		}
	}
	return slices.Contains(lines, long.moves)
}

// sets returns the sets of games that are the same.
func (f *finder) sets() map[int32][]int32 {
	all := newForest(len(f.games))
	for _, p := range f.same {
		all.unite(p.a, p.b)
	}
	sets := map[int32][]int32{} // by root
	seen := make([]bool, len(f.games))
	for _, p := range f.same {
		root := all.root(p.a)
		for _, m := range [2]int32{p.a, p.b} {
			if !seen[m] {
				seen[m] = true
				sets[root] = append(sets[root], m)
			}
		}
	}
	return sets
}

// standsFor reports whether nothing of a game is lost if another one stays in its
// place: no move of the main line and no annotation, unless they are united.
func (f *finder) standsFor(keep, drop int32) bool {
	k, d := &f.games[keep], &f.games[drop]
	return f.opt.Unite || k.plies >= d.plies && k.is&annotated >= d.is&annotated
}

// why returns the reason for which two games of a set are the same.
func (f *finder) why(keep, drop int32) Reason {
	short, long := &f.games[keep], &f.games[drop]
	if short.plies > long.plies {
		short, long = long, short
	}
	if reason, same := f.reason(short, long); same {
		return reason
	}
	return SameDetails // by way of a third game
}

// better reports whether a game is to be kept rather than another one.
func (f *finder) better(i, j int32) bool {
	a, b := &f.games[i], &f.games[j]
	var by int
	switch f.opt.Prefer {
	case KeepFirst:
		by = 0
	case KeepLast:
		by = cmp.Compare(a.id, b.id)
	default:
		by = cmp.Or(cmp.Compare(a.plies, b.plies), cmp.Compare(a.is&annotated, b.is&annotated), cmp.Compare(a.known, b.known))
		if !f.opt.Unite {
			by = cmp.Or(cmp.Compare(a.is&annotated, b.is&annotated), by)
		}
	}
	return cmp.Or(by, cmp.Compare(b.id, a.id)) > 0
}

// forest joins numbers to sets.
type forest []int32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

// root returns the number that stands for the set of another one.
func (f forest) root(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

func (f forest) unite(i, j int32) { f[f.root(i)] = f.root(j) }
