package collect

import (
	"cmp"
	"iter"
	"slices"
)

// goner is a game that goes, and what stands for it.
type goner struct{ keep, drop int32 }

// settled yields the games that stay of each set of equal ones, and those that go: in
// the order of preference, each stays that nothing stands for that stays. What begins two
// games with different moves joins them to a set, in which neither stands for the other.
func (f *finder) settled() iter.Seq2[[]int32, []goner] {
	return func(yield func([]int32, []goner) bool) {
		f.begin = beginnings{}
		all := newForest(len(f.games))
		for _, p := range f.same {
			all.unite(p.a, p.b)
			short, long := f.games[p.a].moves, f.games[p.b].moves
			if short != long && !slices.Contains(f.begin[long], short) {
				f.begin[long] = append(f.begin[long], short)
			}
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
		for _, members := range sets {
			slices.SortFunc(members, f.prefer)
			var stay []int32
			var gone []goner
			stand := standing{any: map[uint64]int32{}, annotated: map[uint64]int32{}, own: map[uint64]int32{}}
			for _, m := range members {
				if k := stand.forGame(f, m); k > 0 {
					gone = append(gone, goner{stay[k-1], m})
				} else {
					stay = append(stay, m)
					stand.add(f, m, int32(len(stay)))
				}
			}
			if !yield(stay, gone) {
				return
			}
		}
	}
}

// beginnings are main lines, by their hashes, and for each the lines of other games that
// begin it, as pairs prove it.
type beginnings map[uint64][]uint64

// of returns a line and those that begin it: at most one for each of its plies.
func (b beginnings) of(line uint64) []uint64 {
	lines := []uint64{line}
	for n := 0; n < len(lines); n++ {
		for _, shorter := range b[lines[n]] {
			if !slices.Contains(lines, shorter) {
				lines = append(lines, shorter)
			}
		}
	}
	return lines
}

// standing are games of a set that stay, by their numbers among these from 1.
type standing struct {
	// any and annotated are by main lines: the first game that has the line or goes on
	// from it, and the first of those with annotations. own is the first that has it.
	any, annotated, own map[uint64]int32
}

// add adds a game that stays.
func (s *standing) add(f *finder, m, number int32) {
	note := func(first map[uint64]int32, line uint64) {
		if first[line] == 0 {
			first[line] = number
		}
	}
	g := &f.games[m]
	note(s.own, g.moves)
	for _, line := range f.begin.of(g.moves) {
		if note(s.any, line); g.is&annotated != 0 {
			note(s.annotated, line)
		}
	}
}

// forGame returns the number of the first game of which nothing is lost if it stays in the
// place of another one: no move of the main line and no annotation. One that is united with
// it may be its beginning, too. It is 0 if there is none.
func (s *standing) forGame(f *finder, m int32) int32 {
	g := &f.games[m]
	switch {
	case f.opt.Unite:
		number := s.any[g.moves]
		for _, line := range f.begin.of(g.moves) {
			if k := s.own[line]; k > 0 && (number == 0 || k < number) {
				number = k
			}
		}
		return number
	case g.is&annotated != 0:
		return s.annotated[g.moves]
	}
	return s.any[g.moves]
}

// prefer orders games: those that are to be kept rather than others come first.
func (f *finder) prefer(i, j int32) int {
	a, b := &f.games[i], &f.games[j]
	var by int
	switch f.opt.Prefer {
	case "first":
		by = 0
	case "last":
		by = cmp.Compare(b.id, a.id)
	default:
		by = cmp.Or(cmp.Compare(b.plies, a.plies), cmp.Compare(b.is&annotated, a.is&annotated))
		if !f.improve {
			by = cmp.Or(by, cmp.Compare(b.known, a.known))
		}
		if !f.opt.Unite {
			by = cmp.Or(cmp.Compare(b.is&annotated, a.is&annotated), by)
		}
	}
	return cmp.Or(by, cmp.Compare(a.id, b.id))
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
