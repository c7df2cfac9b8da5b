package parquet

// sheet has the values of a batch for one table, leaf by leaf.
type sheet struct {
	vectors []vector
	// first is where the leaves of each column begin.
	first   []int
	columns []column
}

func newSheet(t *table) sheet {
	s := sheet{columns: t.columns, vectors: make([]vector, len(t.leaves))}
	for i, l := range t.leaves {
		if l.column == len(s.first) {
			s.first = append(s.first, i)
		}
		s.vectors[i] = vector{depth: l.depth}
	}
	return s
}

// fill adds the rows of a game.
func (s *sheet) fill(g *played) {
	for i := range s.columns {
		s.columns[i].fill(s.vectors[s.first[i]:], g)
	}
}

func (s *sheet) reset() {
	for i := range s.vectors {
		s.vectors[i].reset()
	}
}
