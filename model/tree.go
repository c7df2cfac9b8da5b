package model

import (
	"iter"
	"slices"
)

// NoNode is the absence of a node. As the place of an annotation it means
// the game as a whole; as a parent, the starting position.
const NoNode = -1

// Node is one move of a [Tree].
type Node struct {
	Move Move
	// Parent is the move before this one, or [NoNode] for a first move.
	Parent int32
	// Next is the next alternative to this move, or [NoNode].
	Next int32
}

// Tree holds the moves of a game with all variations, flat, in stored order: a move, then
// everything that follows it on its line, then its alternatives, each with all that
// follows it. This is the preorder of the tree.
//
//	1.e4 c5 (1...c6 2.d4) 2.Nf3 (2.c3)
//
//	index   0   1   2    3   4   5
//	move    e4  c5  Nf3  c3  c6  d4
//	parent  -   0   1    1   0   4
//	next    -   4   3    -   -   -
//
// The zero value is a game without moves. Trees are made by [Tree.Append]
// for a single line and by [TreeBuilder] for anything else.
type Tree struct {
	nodes []Node
}

// Len returns the number of moves in all lines.
func (t *Tree) Len() int { return len(t.nodes) }

// Nodes returns the moves in stored order. The slice belongs to the tree and
// must not be changed.
func (t *Tree) Nodes() []Node { return t.nodes }

// Move returns the move of a node.
func (t *Tree) Move(node int) Move { return t.nodes[node].Move }

// Parent returns the node before this one, or [NoNode].
func (t *Tree) Parent(node int) int { return int(t.nodes[node].Parent) }

// NextAlternative returns the node's next alternative, or [NoNode].
func (t *Tree) NextAlternative(node int) int { return int(t.nodes[node].Next) }

// Main returns the continuation of a node on its line, or [NoNode] where the
// line ends. Main(NoNode) is the first move of the game.
func (t *Tree) Main(node int) int {
	if next := node + 1; next < len(t.nodes) && int(t.nodes[next].Parent) == node {
		return next
	}
	return NoNode
}

// IsMain reports whether the node is the first choice after its parent, not
// an alternative.
func (t *Tree) IsMain(node int) bool { return int(t.nodes[node].Parent) == node-1 }

// Children yields the moves that may follow a node: the main one, then its
// alternatives in order. Children(NoNode) yields the first moves.
func (t *Tree) Children(node int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c := t.Main(node); c != NoNode; c = t.NextAlternative(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// Alternatives yields the alternatives to a node that come after it: for a main move the
// first moves of all other lines at that place, in order.
func (t *Tree) Alternatives(node int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c := t.NextAlternative(node); c != NoNode; c = t.NextAlternative(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// Line yields a node and the main continuations after it to the end of its
// line. Line(NoNode) yields the main line of the game.
func (t *Tree) Line(node int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if node == NoNode {
			node = t.Main(NoNode)
		}
		for ; node != NoNode; node = t.Main(node) {
			if !yield(node) {
				return
			}
		}
	}
}

// MainLen returns the number of plies of the main line.
func (t *Tree) MainLen() int {
	n := 0
	for n < len(t.nodes) && t.IsMain(n) {
		n++
	}
	return n
}

// HasVariations reports whether there is any move beside the main line.
func (t *Tree) HasVariations() bool { return t.MainLen() < len(t.nodes) }

// Ply returns the number of plies before a node: 0 for a first move.
func (t *Tree) Ply(node int) int {
	n := 0
	for node = t.Parent(node); node != NoNode; node = t.Parent(node) {
		n++
	}
	return n
}

// Grow makes room for so many more moves.
func (t *Tree) Grow(n int) { t.nodes = slices.Grow(t.nodes, n) }

// Append adds a move at the end of the tree's only line and returns its
// index. It panics if the tree has variations; use [TreeBuilder] for those.
func (t *Tree) Append(m Move) int {
	n := len(t.nodes)
	if n > 0 && !t.IsMain(n-1) {
		panic("model: Tree.Append on a tree with variations")
	}
	t.nodes = append(t.nodes, Node{Move: m, Parent: int32(n - 1), Next: NoNode})
	return n
}

// Cut drops all moves from a node on, in stored order: the node, what follows it on its
// line, and all lines stored after it.
func (t *Tree) Cut(node int) {
	t.nodes = t.nodes[:node]
	for i := range t.nodes {
		if int(t.nodes[i].Next) >= node {
			t.nodes[i].Next = NoNode
		}
	}
}

// Clone returns a copy that shares nothing with t.
func (t *Tree) Clone() Tree { return Tree{nodes: slices.Clone(t.nodes)} }

// Equal reports whether both trees hold the same moves in the same order.
func (t *Tree) Equal(u *Tree) bool { return slices.Equal(t.nodes, u.nodes) }

// Reset removes all moves and keeps their memory for the next game.
func (t *Tree) Reset() { t.nodes = t.nodes[:0] }

// AddStored adds a move after parent, [NoNode] for a first move, and returns
// its index. Moves must come in stored order: the parent is the move added
// last or one of the moves before it on its line, up to the start. If parent
// already has a continuation, the move becomes its last alternative.
//
// It is meant for decoders of formats that store moves in this order, takes
// constant time on average and allocates nothing while the tree is no larger
// than an earlier one was (see [Tree.Reset]). It panics if the order is not
// kept; use [TreeBuilder] for any other order.
func (t *Tree) AddStored(parent int, m Move) int {
	n := len(t.nodes)
	if parent != n-1 {
		t.linkAlternative(int32(parent), int32(n))
	}
	t.nodes = append(t.nodes, Node{Move: m, Parent: int32(parent), Next: NoNode})
	return n
}

// linkAlternative makes n the alternative of parent's last continuation so
// far. That one is on the line of the move added last, and the search climbs
// only moves that nothing can follow any more: each is climbed once.
func (t *Tree) linkAlternative(parent, n int32) {
	last := n - 1
	for last != NoNode && t.nodes[last].Parent != parent {
		last = t.nodes[last].Parent
	}
	if last == NoNode {
		panic("model: Tree.AddStored out of stored order")
	}
	t.nodes[last].Next = n
}
