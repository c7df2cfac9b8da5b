package ctgwrite

import (
	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// Every other end of a game's lines than that of the main line is the end of a
// line of its own, from the beginning of the game (docs/formats/ctg.md). Lines
// share most of their moves: they are counted together, each node of the game
// once, with the number of lines that go through it. So the work grows with the
// moves of a game, not with their number times their depth.

// variations are the lines of a game that end in variations.
type variations struct {
	record model.RecordID
	// start is the index of the position the game begins in, -1 for the usual
	// one.
	start int32
	// first and n are the nodes in the batch, in stored order; the first main of
	// them are the main line.
	first, n, main int32
	// lines and points are those of all lines together.
	lines, points uint32
}

// node is a move with the lines that go through it.
type node struct {
	move   model.Move
	parent int32  // model.NoNode at the beginning
	ply    int32  // how many moves come before it
	lines  uint32 // 0 if no line that counts goes through it
	points uint32 // the sum of White's points in them, in tenths
}

// addVariations adds all lines of a game but the main one, of which no more than
// maxPly plies count if that is not 0: a variation that begins behind them is
// none.
func (b *batch) addVariations(id model.RecordID, g *model.Game, start *board.Position, maxPly int) {
	t := &g.Moves
	v := variations{record: id, first: int32(len(b.nodes)), n: int32(t.Len()), main: int32(t.MainLen())}
	if v.n == v.main {
		return
	}
	v.start = b.startOf(id, start)
	for i := range t.Len() {
		n := node{move: t.Move(i), parent: int32(t.Parent(i))}
		if n.parent != model.NoNode {
			n.ply = b.nodes[v.first+n.parent].ply + 1
		}
		b.nodes = append(b.nodes, n)
	}
	nodes := b.nodes[v.first:]
	branch := int(v.main) // the alternative that the current line began with
	for i := branch; i < len(nodes); i++ {
		if !t.IsMain(i) {
			branch = i
		}
		if t.Main(i) == model.NoNode && (maxPly == 0 || int(nodes[branch].ply) < maxPly) {
			nodes[i].lines, nodes[i].points = 1, uint32(points(judgement(g, i)))
		}
	}
	// Every node has the lines of those behind it.
	for i := len(nodes) - 1; i >= 0; i-- {
		lines, points := &v.lines, &v.points
		if p := nodes[i].parent; p != model.NoNode {
			lines, points = &nodes[p].lines, &nodes[p].points
		}
		*lines += nodes[i].lines
		*points += nodes[i].points
	}
	b.variations = append(b.variations, v)
}

// visited is a position on the way to the node that is being counted.
type visited struct {
	node          int32
	undo          board.Undo // what takes the move back that led here
	lines, points uint32
	// key and twin are its keys, at and twinAt their numbers in the table.
	key, twin  ctg.Key
	at, twinAt uint32
	hasTwin    bool
}

// countVariations adds lines to the table. Flush empties the table when it is
// full.
func (c *counter) countVariations(b *batch, v *variations, maxPly int, flush func() error) error {
	p := board.Start()
	if v.start >= 0 {
		p = b.starts[v.start]
	}
	nodes := b.nodes[v.first : v.first+v.n]
	c.path = c.path[:0]
	c.arrive(&p, visited{node: model.NoNode, lines: v.lines, points: v.points})
	for i := range nodes {
		n := &nodes[i]
		if n.parent != model.NoNode && nodes[n.parent].lines == 0 || maxPly > 0 && int(n.ply) >= maxPly {
			n.lines = 0 // nothing behind it counts
		}
		if n.lines == 0 {
			continue
		}
		for c.path[len(c.path)-1].node != n.parent {
			c.leave(&p, nodes)
		}
		if !c.playVariation(&p, v, int32(i), n) {
			n.lines = 0
			continue
		}
		if c.table.full() {
			if err := flush(); err != nil {
				return err
			}
			// The positions of the path get their numbers in the emptied table.
			c.table.grow(2 * len(c.path))
			for i := range c.path {
				at := &c.path[i]
				at.at = c.table.find(&at.key)
				c.table.sums[at.at].onPath++
				if at.hasTwin {
					at.twinAt = c.table.find(&at.twin)
					c.table.sums[at.twinAt].onPath++
				}
			}
		}
	}
	for len(c.path) > 0 {
		c.leave(&p, nodes)
	}
	return nil
}

// playVariation counts a move and makes it, or reports that the lines end there.
// What the main line has too was reported with it.
func (c *counter) playVariation(p *board.Position, v *variations, i int32, n *node) bool {
	if n.move.IsNull() || !p.Legal(n.move) {
		if i >= v.main {
			c.lost(v.record, int(n.ply), n.move)
		}
		return false
	}
	_, view := ctg.Encode(p)
	code, ok := ctg.EncodeMove(p, view, n.move, c.codes)
	if from := &c.path[len(c.path)-1]; ok {
		c.table.addMove(from.at, code, n.lines)
		if from.hasTwin {
			c.table.addMove(from.twinAt, code, n.lines)
		}
	} else if i >= v.main {
		c.unnamed(v.record, int(n.ply), n.move)
	}
	undo := p.Make(n.move)
	c.arrive(p, visited{node: i, undo: undo, lines: n.lines, points: n.points})
	return true
}

// arrive counts the position that the way leads to.
func (c *counter) arrive(p *board.Position, at visited) {
	at.key, _ = ctg.Encode(p)
	if c.twins {
		at.twin, at.hasTwin = ctg.EncodeTwin(p)
	}
	c.table.grow(2)
	at.at = c.enter(&at.key, &at, p.Turn())
	if at.hasTwin {
		at.twinAt = c.enter(&at.twin, &at, p.Turn())
	}
	c.path = append(c.path, at)
}

// enter counts a key, unless the lines had the position before, and returns its
// number in the table.
func (c *counter) enter(key *ctg.Key, at *visited, turn model.Color) uint32 {
	n := c.table.find(key)
	s := &c.table.sums[n]
	if s.onPath == 0 {
		points := at.points
		if turn == model.Black {
			points = 10*at.lines - points
		}
		s.games += at.lines
		s.score += points
	}
	s.onPath++
	return n
}

// leave goes back to the position before.
func (c *counter) leave(p *board.Position, nodes []node) {
	last := &c.path[len(c.path)-1]
	c.table.sums[last.at].onPath--
	if last.hasTwin {
		c.table.sums[last.twinAt].onPath--
	}
	if last.node != model.NoNode {
		p.Unmake(nodes[last.node].move, last.undo)
	}
	c.path = c.path[:len(c.path)-1]
}
