package model

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
