package avl

import "iter"

// Find returns the first record in order whose key is equal to that of cmp.
func (t *Tree) Find(cmp Compare) (id int32, ok bool) {
	id, ok = t.lowerBound(cmp)
	if !ok {
		return None, false
	}
	return id, true
}

// LowerBound returns the first record in order whose key is not smaller than
// that of cmp, or None.
func (t *Tree) LowerBound(cmp Compare) int32 {
	id, _ := t.lowerBound(cmp)
	return id
}

// lowerBound also reports whether the key of the record is equal. It takes no
// more steps than there are nodes, whatever the links say.
func (t *Tree) lowerBound(cmp Compare) (found int32, equal bool) {
	found = None
	id := t.Root
	for steps := t.Len(); steps > 0 && t.isLive(id); steps-- {
		if c := cmp(id); c <= 0 {
			found, equal = id, c == 0
			id = t.at(id).Left
		} else {
			id = t.at(id).Right
		}
	}
	return found, equal
}

// From yields the records in order, from the first whose key is not smaller
// than that of cmp. Looking up a prefix means to stop at the first key without
// it. In a damaged tree, links that lead to no live record count as empty, and
// no more records are yielded than there are. Do not change the tree meanwhile.
func (t *Tree) From(cmp Compare) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		c := newCursor(t)
		c.seek(cmp)
		for id, _, ok := c.next(); ok && yield(id); id, _, ok = c.next() {
		}
	}
}

// Equal yields the records whose key is equal to that of cmp, the youngest
// first unless records were renamed in place. See From for damaged trees.
func (t *Tree) Equal(cmp Compare) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for id := range t.From(cmp) {
			if cmp(id) != 0 || !yield(id) {
				return
			}
		}
	}
}

// All yields all records in order. See From for damaged trees.
func (t *Tree) All() iter.Seq[int32] {
	return t.From(func(int32) int { return -1 })
}

// LiveIDs yields the live records by id, whether or not the tree reaches them.
func (t *Tree) LiveIDs() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for id := range int32(t.Len()) {
			if t.at(id).Live() && !yield(id) {
				return
			}
		}
	}
}

// Height returns the number of levels of the tree, 0 if it is empty. It visits
// every node. See From for damaged trees.
func (t *Tree) Height() int {
	height := 0
	c := newCursor(t)
	c.seek(func(int32) int { return -1 })
	for _, level, ok := c.next(); ok; _, level, ok = c.next() {
		height = max(height, level)
	}
	return height
}

// A cursor walks a tree in order. It keeps the nodes whose turn comes after
// their left subtree.
type cursor struct {
	tree    *Tree
	pending []place
	budget  int // nodes it may still enter; a sound tree has each only once
}

// A place is a node and its level; the root is on level 1.
type place struct {
	id    int32
	level int
}

func newCursor(t *Tree) *cursor {
	return &cursor{tree: t, pending: make([]place, 0, 32), budget: t.Len()}
}

// enter reports whether id is a live record, and pays for it.
func (c *cursor) enter(id int32) bool {
	if c.budget == 0 || !c.tree.isLive(id) {
		return false
	}
	c.budget--
	return true
}

// seek moves before the first node whose key is not smaller than that of cmp.
func (c *cursor) seek(cmp Compare) {
	id := c.tree.Root
	for level := 1; c.enter(id); level++ {
		if cmp(id) <= 0 {
			c.pending = append(c.pending, place{id, level})
			id = c.tree.at(id).Left
		} else {
			id = c.tree.at(id).Right
		}
	}
}

// next returns the next node in order and its level.
func (c *cursor) next() (id int32, level int, ok bool) {
	last := len(c.pending) - 1
	if last < 0 {
		return None, 0, false
	}
	at := c.pending[last]
	c.pending = c.pending[:last]
	down := c.tree.at(at.id).Right
	for level := at.level + 1; c.enter(down); level++ {
		c.pending = append(c.pending, place{down, level})
		down = c.tree.at(down).Left
	}
	return at.id, at.level, true
}
