package model

import "slices"

// TreeBuilder makes a [Tree] from moves in any order in which each comes after its
// parent, such as that of PGN, of an editor or of a search.
//
// Moves added after the same parent become alternatives in the order of
// adding. A builder can be used again after [TreeBuilder.Reset] and then
// allocates nothing while its games are no longer than earlier ones. The zero
// value is ready for use.
type TreeBuilder struct {
	added []addedMove
	first int32 // first child of the start, NoNode if none
	last  int32
	plain bool // every move was added after the one before it; there are no links yet
	order []int32
	stack []sibling
}

type addedMove struct {
	move   Move
	parent int32
	// Links to other moves, NoNode if none.
	firstChild, lastChild, next int32
}

// sibling is an added move that Build has still to come to, with the nodes of the
// alternative before it and of the move before both.
type sibling struct{ n, before, parent int32 }

// Reset forgets all moves.
func (b *TreeBuilder) Reset() {
	b.added = b.added[:0]
	b.begin()
}

// begin prepares for the first move.
func (b *TreeBuilder) begin() { b.first, b.last, b.plain = NoNode, NoNode, true }

// Grow makes room for so many more moves.
func (b *TreeBuilder) Grow(n int) { b.added = slices.Grow(b.added, n) }

// Len returns the number of moves added.
func (b *TreeBuilder) Len() int { return len(b.added) }

// Add adds a move after parent, a number that an earlier Add returned, or
// [NoNode] for a first move. It returns the number of the new move: 0 for the
// first, then 1, and so on.
func (b *TreeBuilder) Add(parent int, m Move) int {
	n := int32(len(b.added))
	if n == 0 {
		b.begin() // of the zero value too
	}
	b.added = append(b.added, addedMove{move: m, parent: int32(parent),
		firstChild: NoNode, lastChild: NoNode, next: NoNode})
	if parent == int(n)-1 && n > 0 { // as nearly all are added
		if !b.plain {
			before := &b.added[parent]
			before.firstChild, before.lastChild = n, n
		}
		return int(n)
	}
	if b.plain {
		if n == 0 && parent == NoNode {
			return int(n)
		}
		b.link()
	}
	first, last := &b.first, &b.last
	if parent != NoNode {
		first, last = &b.added[parent].firstChild, &b.added[parent].lastChild
	}
	if *last == NoNode {
		*first = n
	} else {
		b.added[*last].next = n
	}
	*last = n
	return int(n)
}

// link makes the links between the moves of a plain line, all but the last one
// added.
func (b *TreeBuilder) link() {
	b.plain = false
	line := b.added[:len(b.added)-1]
	for i := range line {
		if i+1 < len(line) {
			line[i].firstChild, line[i].lastChild = int32(i+1), int32(i+1)
		}
	}
	if len(line) > 0 {
		b.first, b.last = 0, 0
	}
}

// Parent returns the move before the given one, or [NoNode].
func (b *TreeBuilder) Parent(n int) int { return int(b.added[n].parent) }

// Build writes the moves to t in stored order, reusing t's memory, and
// returns where each added move has gone: the k-th added move is node
// order[k]. The returned slice is valid until the next call on b; it is nil
// when every move is the node of its own number.
func (b *TreeBuilder) Build(t *Tree) (order []int32) {
	t.nodes = slices.Grow(t.nodes[:0], len(b.added))
	if b.plain || len(b.added) == 0 {
		for i := range b.added {
			t.nodes = append(t.nodes, Node{Move: b.added[i].move, Parent: int32(i - 1), Next: NoNode})
		}
		return nil
	}
	b.order = slices.Grow(b.order[:0], len(b.added))[:len(b.added)]
	b.stack = append(b.stack[:0], sibling{n: b.first, before: NoNode, parent: NoNode})
	for len(b.stack) > 0 {
		s := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		if s.before != NoNode {
			t.nodes[s.before].Next = int32(len(t.nodes))
		}
		for parent := s.parent; s.n != NoNode; {
			a, node := &b.added[s.n], int32(len(t.nodes))
			b.order[s.n] = node
			t.nodes = append(t.nodes, Node{Move: a.move, Parent: parent, Next: NoNode})
			if a.next != NoNode {
				b.stack = append(b.stack, sibling{n: a.next, before: node, parent: parent})
			}
			s.n, parent = a.firstChild, node
		}
	}
	return b.order
}

// Tree returns the moves as a new tree.
func (b *TreeBuilder) Tree() Tree {
	var t Tree
	b.Build(&t)
	return t
}
