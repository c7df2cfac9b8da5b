package avl

import (
	"cmp"
	"slices"
)

// A change is a node as it was before an operation overwrote it.
type change struct {
	id  int32
	old Node
}

// header is the part of the tree outside its nodes.
type header struct {
	root, free, live int32
	nodes            int
}

// begin starts an operation.
func (t *Tree) begin() {
	t.undo = t.undo[:0]
	t.before = header{t.Root, t.Free, t.Live, t.Len()}
}

// edit remembers node id as it is and returns it to be changed. The pointer is
// good until the next record is appended.
func (t *Tree) edit(id int32) *Node {
	n := t.at(id)
	t.undo = append(t.undo, change{id, *n})
	return n
}

// end finishes an operation: after an error everything is as it was before.
func (t *Tree) end(err error) error {
	if t.stored != nil && t.stored.err != nil {
		err, t.stored.err = t.stored.err, nil // whatever it looked like
	}
	if err == nil {
		return nil
	}
	for _, c := range slices.Backward(t.undo) {
		*t.at(c.id) = c.old
	}
	t.undo = t.undo[:0]
	t.Root, t.Free, t.Live = t.before.root, t.before.free, t.before.live
	t.truncate(t.before.nodes)
	return err
}

// AppendChanged appends to dst the ids of the records whose links the last
// operation changed, new records included, in ascending order. An editor
// rewrites these and, where Root, Free, Live or the number of nodes differ, the
// header. After an operation that failed there are none.
func (t *Tree) AppendChanged(dst []int32) []int32 {
	byID := func(a, b change) int { return cmp.Compare(a.id, b.id) }
	same := func(a, b change) bool { return a.id == b.id }
	slices.SortStableFunc(t.undo, byID)
	t.undo = slices.CompactFunc(t.undo, same) // keeps the state before the operation
	for _, c := range t.undo {
		if int(c.id) >= t.before.nodes || *t.at(c.id) != c.old {
			dst = append(dst, c.id)
		}
	}
	return dst
}
