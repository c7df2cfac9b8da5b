package avl

import (
	"iter"
	"slices"
)

// Rebuild makes a new tree of exactly the given records, inserting them in id order: the
// tree of a database that never lost a record. All other records are deleted afterwards.
// The list of deleted records stays as it is if it holds just these; otherwise it is made
// anew, smallest id first.
//
// The records known to be in use are t.LiveIDs(). The ids may come in any order. If one
// repeats, or lies outside the tree, Rebuild returns an error and changes nothing.
func (t *Tree) Rebuild(ids iter.Seq[int32], order Order) error {
	t.begin()
	sorted := slices.Sorted(ids)
	for i, id := range sorted {
		if !t.inRange(id) || i > 0 && id == sorted[i-1] {
			return errBadIDs
		}
	}
	fresh := &Tree{Free: None, Nodes: make([]Node, t.Len())}
	for i := range fresh.Nodes {
		fresh.Nodes[i] = Node{Left: Deleted, Right: detached}
	}
	for _, id := range sorted {
		if err := fresh.Insert(id, func(other int32) int { return order(id, other) }); err != nil {
			return err
		}
	}
	for _, id := range slices.Backward(t.freeOrder(fresh)) {
		if err := fresh.Release(id); err != nil {
			return err
		}
	}
	for i, n := range fresh.Nodes {
		if id := int32(i); *t.at(id) != n {
			*t.edit(id) = n
		}
	}
	t.Root, t.Free, t.Live = fresh.Root, fresh.Free, fresh.Live
	return nil
}

// freeOrder returns the records that are not in the tree fresh in the order in
// which they are to be used again.
func (t *Tree) freeOrder(fresh *Tree) []int32 {
	want := len(fresh.Nodes) - int(fresh.Live)
	chain := make([]int32, 0, want)
	id := t.Free
	for len(chain) < want && fresh.isDetached(id) && t.freeFault(id) == 0 {
		chain = append(chain, id)
		id = t.at(id).Right
	}
	// A list that ends has no loop, so as many as wanted means each once.
	if len(chain) == want && id == None {
		return chain
	}
	chain = chain[:0]
	for i, n := range fresh.Nodes {
		if !n.Live() {
			chain = append(chain, int32(i))
		}
	}
	return chain
}
