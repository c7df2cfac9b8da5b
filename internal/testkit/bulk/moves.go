package bulk

import (
	"math/rand/v2"

	"cbkit/board"
	"cbkit/model"
)

const (
	lineCount = 4096
	linePlies = 24
)

// openings makes the lines that games begin with. Each leaves an earlier one
// somewhere, so that together they are a tree.
func openings(seed uint64) [][]model.Move {
	r := rand.New(rand.NewPCG(seed, 2))
	var p player
	lines := make([][]model.Move, 0, lineCount)
	for len(lines) < lineCount {
		var trunk []model.Move
		if len(lines) > 0 {
			trunk = lines[r.IntN(len(lines))][:r.IntN(linePlies/2)]
		}
		var t model.Tree
		p.line(r, trunk, linePlies, &t)
		if t.Len() == linePlies {
			line := make([]model.Move, linePlies)
			for i := range line {
				line[i] = t.Move(i)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// player plays games. Its memory is used again.
type player struct {
	legal   []model.Move
	builder model.TreeBuilder
}

// game plays an opening for a while, then goes its own way; some games have
// variations.
func (p *player) game(r *rand.Rand, opening []model.Move, variations bool, t *model.Tree) {
	plies := 20 + int(60*(r.Float64()+r.Float64()))
	opening = opening[:4+r.IntN(linePlies-4)]
	p.line(r, opening, plies, t)
	if variations {
		p.vary(r, t)
	}
}

// line plays the given moves and goes on to a number of plies.
func (p *player) line(r *rand.Rand, moves []model.Move, plies int, t *model.Tree) {
	t.Reset()
	pos := board.Start()
	for ply := range plies {
		var m model.Move
		if ply < len(moves) {
			m = moves[ply]
		} else if m = p.choose(r, &pos); m == model.NullMove {
			return
		}
		t.Append(m)
		pos.Make(m)
	}
}

// choose returns a legal move, NullMove where there is none: of two at random
// the one that captures, or else comes closer to the centre.
func (p *player) choose(r *rand.Rand, pos *board.Position) model.Move {
	p.legal = pos.AppendLegal(p.legal[:0])
	if len(p.legal) == 0 {
		return model.NullMove
	}
	a, b := p.legal[r.IntN(len(p.legal))], p.legal[r.IntN(len(p.legal))]
	if worth(pos, b) > worth(pos, a) {
		return b
	}
	return a
}

func worth(pos *board.Position, m model.Move) int {
	file, rank := int(m.To()&7), int(m.To()>>3)
	score := min(file, 7-file) + min(rank, 7-rank)
	if m.IsCastling() {
		score += 8
	}
	if pos.PieceAt(m.To()) != model.NoPiece {
		score += 6
	}
	return score
}

// vary adds variations to a main line: at one move in twelve another one, and
// up to eight moves after it, some with a variation of their own.
func (p *player) vary(r *rand.Rand, t *model.Tree) {
	b := &p.builder
	b.Reset()
	pos := board.Start()
	last := model.NoNode
	for i := range t.MainLen() {
		m := t.Move(i)
		before := last
		last = b.Add(before, m)
		if r.IntN(12) == 0 {
			p.branch(r, b, pos, before, m, 1+r.IntN(8), 2)
		}
		pos.Make(m)
	}
	b.Build(t)
}

// branch adds a variation of some plies behind a node, beginning with another
// move than the one given.
func (p *player) branch(r *rand.Rand, b *model.TreeBuilder, pos board.Position, before int, not model.Move, plies, depth int) {
	for range plies {
		m := p.choose(r, &pos)
		if m == not || m == model.NullMove {
			return
		}
		not = model.NullMove
		here := pos
		node := b.Add(before, m)
		if depth > 0 && r.IntN(10) == 0 {
			p.branch(r, b, here, before, m, 1+r.IntN(4), depth-1)
		}
		before = node
		pos.Make(m)
	}
}
