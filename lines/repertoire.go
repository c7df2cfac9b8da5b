package lines

import (
	"iter"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// Repertoire holds the positions of lines, however they are reached, with the moves that
// are played in them. Positions are the same if they have the same pieces, side to move,
// castling rights and pawn that can be taken en passant. Each takes some hundred bytes.
//
// Several goroutines may use a repertoire as long as none adds to it.
type Repertoire struct {
	index  map[uint64]int32 // by key of the position
	list   []position
	starts []model.Position
}

// position is one that lines reach.
type position struct {
	before int32 // the one from which it was reached first, none for a start
	start  int32 // in Repertoire.starts
	via    model.Move
	moves  []model.Move // in the order in which they were met
}

// NewRepertoire returns a repertoire without lines.
func NewRepertoire() *Repertoire { return &Repertoire{index: map[uint64]int32{}} }

// Len returns the number of positions.
func (r *Repertoire) Len() int { return len(r.list) }

// Add adds all lines of a game, its variations too. What begins in a position that the
// rules do not allow is left out.
func (r *Repertoire) Add(g *model.Game) {
	p, err := board.New(g.Start)
	if err != nil {
		return
	}
	start := r.find(&p, position{before: none, start: int32(len(r.starts))})
	if int(r.list[start].start) == len(r.starts) {
		r.starts = append(r.starts, g.StartPosition())
	}
	at := make([]int32, g.Moves.Len()) // by node: the position after it
	for i, before := range board.Walk(g.Start, &g.Moves) {
		from := start
		if parent := g.Moves.Parent(i); parent != model.NoNode {
			from = at[parent]
		}
		m := g.Moves.Move(i)
		after := *before
		after.Make(m)
		at[i] = r.find(&after, position{before: from, start: r.list[from].start, via: m})
		if here := &r.list[from]; !slices.Contains(here.moves, m) {
			here.moves = append(here.moves, m)
		}
	}
}

// find returns where a position stands, and adds it if it is new.
func (r *Repertoire) find(p *board.Position, as position) int32 {
	key := p.PolyglotKey()
	n, is := r.index[key]
	if !is {
		n = int32(len(r.list))
		r.index[key], r.list = n, append(r.list, as)
	}
	return n
}

// Leaves returns the first move of the main line of a game that leaves the repertoire:
// the repertoire has moves in the position before it but lacks the position after it.
// Leaves is false for a game that stays in the repertoire to its end, or to the end of
// the repertoire's lines. A game that begins in another position leaves with
// [model.NoNode].
func (r *Repertoire) Leaves(g *model.Game) (node int, leaves bool) {
	p, err := board.New(g.Start)
	if err != nil {
		return model.NoNode, true
	}
	at, is := r.index[p.PolyglotKey()]
	if !is {
		return model.NoNode, true
	}
	for n := range g.Moves.Line(model.NoNode) {
		if len(r.list[at].moves) == 0 {
			return 0, false
		}
		p.Make(g.Moves.Move(n))
		if at, is = r.index[p.PolyglotKey()]; !is {
			return n, true
		}
	}
	return 0, false
}

// Fork is a position in which a repertoire has several moves.
type Fork struct {
	// Start is where Line begins, the first line that leads to the position.
	Start model.Position
	Line  []model.Move
	// Moves are what is played there, in the order in which they were met.
	Moves []model.Move
}

// Forks yields the positions with several moves in which the side is to move, in the
// order in which they were met.
func (r *Repertoire) Forks(side model.Color) iter.Seq[Fork] {
	return func(yield func(Fork) bool) {
		for n := range r.list {
			if len(r.list[n].moves) < 2 {
				continue
			}
			f := Fork{Start: r.starts[r.list[n].start], Moves: slices.Clone(r.list[n].moves)}
			for at := int32(n); r.list[at].before != none; at = r.list[at].before {
				f.Line = append(f.Line, r.list[at].via)
			}
			slices.Reverse(f.Line)
			turn := f.Start.Turn
			if len(f.Line)%2 == 1 {
				turn = turn.Other()
			}
			if turn == side && !yield(f) {
				return
			}
		}
	}
}

// Missing yields the lines whose last position another repertoire does not have, however
// it is reached. In each Fork, Line leads to the last position that both have, and Moves
// are the rest of the line, all of it missing from other. Where several lines meet, only
// one goes on.
func (r *Repertoire) Missing(other *Repertoire) iter.Seq[Fork] {
	return func(yield func(Fork) bool) {
		seen, stopped := make([]bool, len(r.list)), false
		var line []model.Move
		var visit func(p board.Position, start *model.Position, common int)
		visit = func(p board.Position, start *model.Position, common int) {
			key := p.PolyglotKey()
			n := r.index[key]
			if stopped || seen[n] {
				return
			}
			seen[n] = true
			if _, is := other.index[key]; is {
				common = len(line)
			}
			if len(r.list[n].moves) == 0 && common < len(line) {
				stopped = !yield(Fork{*start, slices.Clone(line[:common]), slices.Clone(line[common:])})
			}
			for _, m := range r.list[n].moves {
				after := p
				after.Make(m)
				line = append(line, m)
				visit(after, start, common)
				line = line[:len(line)-1]
			}
		}
		for i := range r.starts {
			if p, err := board.New(&r.starts[i]); err == nil {
				visit(p, &r.starts[i], 0)
			}
		}
	}
}
