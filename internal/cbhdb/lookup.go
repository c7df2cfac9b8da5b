package cbhdb

import (
	"iter"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// maxTreeHeight is more than the height of any balanced tree whose records can
// be numbered.
const maxTreeHeight = 45

// Lookup finds entities by their names: it follows the tree in the file and
// reads little more than lies on its way. It is for one goroutine.
type Lookup struct {
	*EntityReader
	// visited are the records that walks have read.
	visited map[int32]bool
	// height follows from the balances on any way through a sound tree; 0 as
	// long as no walk has come to an end of the tree.
	height int
	// disorder says which orders the tree does not follow: that of unsigned
	// bytes, that of signed ones.
	disorder [2]bool
}

// lookupAhead is how far a look-up reads ahead, in bytes.
const lookupAhead = 1 << 10

// Lookup returns a look-up that has seen nothing yet.
func (e *Entities) Lookup() *Lookup {
	return &Lookup{EntityReader: e.Reader(lookupAhead), visited: map[int32]bool{}}
}

// Visited returns how many records were read on walks through the tree.
func (l *Lookup) Visited() int { return len(l.visited) }

// From yields the records in the order of the tree, from the first on for which
// before does not hold: before reports whether a payload comes before those
// that are sought.
//
// A walk sees a small part of the tree, and trusts no more: links must lead to
// live records, balances must fit the links and each other, and records must
// follow each other in one of the two orders. The first that does not ends the
// walk with an error that wraps model.ErrCorrupt. One link that was cut is
// always noticed by a walk that would have followed it.
func (l *Lookup) From(before func(payload []byte) bool) iter.Seq2[EntityRecord, error] {
	return func(yield func(EntityRecord, error) bool) {
		if l.Count == 0 {
			return
		}
		w := treeWalk{lookup: l, left: l.Count}
		all := func([]byte) bool { return false }
		err := w.descend(l.Head.Root, before)
		for err == nil && w.back() {
			at := &w.path[len(w.path)-1]
			if !yield(at.EntityRecord, nil) {
				return
			}
			at.right = true
			err = w.descend(at.Links.Right, all)
		}
		if err != nil {
			yield(EntityRecord{}, err)
		}
	}
}

// treeWalk walks a tree in order.
type treeWalk struct {
	lookup *Lookup
	path   []step // from the root to where the walk is
	left   int32  // records it may still enter: a sound tree has each only once
}

// step is a record on the way, with a payload of its own. Its turn comes when
// the walk is back from the left.
type step struct {
	EntityRecord
	right bool // the way goes on to the right, else to the left
}

// descend goes down from a record to the first one that does not come before
// those sought, and on to the end of the tree.
func (w *treeWalk) descend(id int32, before func([]byte) bool) error {
	for id != cbh.NoLink {
		r, err := w.enter(id)
		if err != nil {
			return err
		}
		s := step{r, before(r.Payload)}
		w.path = append(w.path, s)
		if id = r.Links.Left; s.right {
			id = r.Links.Right
		}
	}
	return w.checkHeight()
}

// back goes back to the record whose turn is next, if there is one.
func (w *treeWalk) back() bool {
	for len(w.path) > 0 && w.path[len(w.path)-1].right {
		w.path = w.path[:len(w.path)-1]
	}
	return len(w.path) > 0
}

// enter reads the record that the way leads to and looks whether it fits there.
func (w *treeWalk) enter(id int32) (EntityRecord, error) {
	l := w.lookup
	if w.left == 0 || len(w.path) == maxTreeHeight {
		return EntityRecord{}, l.damage(id, "a link leads to it that no sound tree has")
	}
	w.left--
	r, err := l.visit(id)
	if err != nil {
		return r, err
	}
	r.Payload = slices.Clone(r.Payload)
	if ok, err := l.isShaped(r.Links); err != nil {
		return r, err
	} else if !ok {
		return r, l.damage(id, "its balance does not fit its links")
	}
	last, next := w.nearest(true), w.nearest(false)
	if last != nil && !l.inOrder(last, r.Payload) || next != nil && !l.inOrder(r.Payload, next) {
		return r, l.damage(id, "it is not in the order of the tree")
	}
	return r, nil
}

// nearest returns the payload of the last record on the way that was left to
// the given side: the neighbour, of those met, on the other side.
func (w *treeWalk) nearest(right bool) []byte {
	for _, s := range slices.Backward(w.path) {
		if s.right == right {
			return s.Payload
		}
	}
	return nil
}

// checkHeight computes the height of the tree from the balances on the way to
// one of its ends. All ways must agree, and the records must have room.
func (w *treeWalk) checkHeight() error {
	l, height := w.lookup, 0
	for _, s := range slices.Backward(w.path) {
		other := height + int(s.Links.Balance)
		if s.right {
			other = height - int(s.Links.Balance)
		}
		if other < 0 {
			return l.damage(s.ID, "it has a subtree less than its balance says")
		}
		height = max(height, other) + 1
	}
	if l.height == 0 {
		l.height = height
	}
	if height == 0 || height != l.height || height > maxTreeHeight || int64(l.Head.Live) >= 1<<height {
		return l.damage(l.Head.Root, "the tree below it is not as high on all sides as balances and records say")
	}
	return nil
}

// visit reads a record that a link leads to.
func (l *Lookup) visit(id int32) (EntityRecord, error) {
	if id < 0 || id >= l.Count {
		return EntityRecord{}, l.damage(id, "a link leads to it, but there is no such record")
	}
	l.visited[id] = true
	r, err := l.At(id)
	if err == nil && r.Links.IsDeleted() {
		err = l.damage(id, "a link leads to it, but it is deleted")
	}
	return r, err
}

// isShaped reports whether a record's balance fits its links. Beside a missing
// child there is at most a leaf.
func (l *Lookup) isShaped(at cbh.EntityLinks) (bool, error) {
	only, balance := at.Right, int8(1)
	switch {
	case at.Left != cbh.NoLink && at.Right != cbh.NoLink:
		return -1 <= at.Balance && at.Balance <= 1, nil
	case at.Left != cbh.NoLink:
		only, balance = at.Left, -1
	case at.Right == cbh.NoLink:
		return at.Balance == 0, nil
	}
	child, err := l.visit(only)
	return at.Balance == balance && child.Links == cbh.EntityLinks{Left: cbh.NoLink, Right: cbh.NoLink}, err
}

// inOrder reports whether there is an order that these two payloads follow, and
// all that were compared before.
func (l *Lookup) inOrder(a, b []byte) bool {
	disorder := &l.disorder
	for i, signed := range []bool{false, true} {
		disorder[i] = disorder[i] || l.Kind.Compare(a, b, signed) > 0
	}
	return !disorder[0] || !disorder[1]
}

func (l *Lookup) damage(id int32, what string) error {
	return l.Wrong(-1, int64(id), "tree", model.ErrCorrupt, "%s", what)
}
