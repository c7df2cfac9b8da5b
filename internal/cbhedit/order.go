package cbhedit

import (
	"errors"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
)

// smallFile is up to which size all of an entity file is looked at, in bytes.
const smallFile = 1 << 14

// newExts is the version of .cbj files whose programs keep their trees in
// balance and in the orders that cbkit writes.
const newExts = 11

// isOld reports whether old programs may have kept the trees.
func (d *DB) isOld() bool {
	return d.heads.Head.Used == cbh.UsedOld || d.exts == nil || d.exts.Stored == 0 || d.exts.Head.Version < newExts
}

// ready opens the tree. The tree of a small file, and that of an old database, is
// looked at as a whole, and its order is known then; that of others is found out
// where it makes a difference. (docs/formats/cbh.md, The order of entities)
func (e *Entities) ready() error {
	if e.tree != nil {
		return nil
	}
	if err := e.file(); err != nil || e.f == nil {
		return err
	}
	e.tree = e.f.Tree(e.record)
	if e.f.Size() <= smallFile || e.d.isOld() {
		if err := e.judge(); err != nil {
			return err
		}
	}
	if e.f.Size() == int64(e.f.Head.Size()) {
		e.table = &cbhdb.Table{Entities: e.f, Tree: *avl.New()}
		e.tree = &e.table.Tree
	}
	return nil
}

// errOrder says that a comparison depends on the order of the tree, which is not
// known yet.
var errOrder = errors.New("the order of the tree is not known")

// inOrder looks something up in the tree, or changes it. It does so again, in a
// tree as it was, if a comparison has to know its order.
func (e *Entities) inOrder(do func() error) error {
	err := e.failed(do())
	if !errors.Is(err, errOrder) {
		return err
	}
	e.tree = e.f.Tree(e.record)
	if err := e.guessOrder(); err != nil {
		return err
	}
	return e.failed(do())
}

// judge looks at the whole tree, whose order is known then, and builds it anew if it is
// damaged.
func (e *Entities) judge() error {
	t, err := e.f.Load()
	if err != nil {
		return err
	}
	faults, signed := t.Verify()
	if len(faults) > 0 {
		return e.rebuild(t, &avl.DamageError{Finding: faults[0]})
	}
	e.signed, e.ordered = signed, true
	return nil
}

// rebuild builds the tree of a file anew in the order of new files, because of what is
// wrong with it.
func (e *Entities) rebuild(t *cbhdb.Table, why error) error {
	e.signed, e.ordered = e.kind.DefaultSigned, true
	if err := t.Rebuild(e.signed); err != nil {
		return err
	}
	e.changed = true
	clear(e.cache)
	if err := e.f.PutTree(&t.Tree); err != nil {
		return err
	}
	e.tree = e.f.Tree(e.record)
	e.d.once("the tree of %s was built anew: %v", e.d.Name(e.kind.Ext), why)
	return nil
}

// guessOrder finds out the order of the tree by the records at both of its ends,
// where names begin with the letters that one order has first and the other last.
func (e *Entities) guessOrder() error {
	var line []int32 // in the order of the tree
	left, err := e.spine(func(n avl.Node) int32 { return n.Left })
	if err != nil {
		return err
	}
	for i := len(left) - 1; i >= 0; i-- {
		line = append(line, left[i])
	}
	right, err := e.spine(func(n avl.Node) int32 { return n.Right })
	if err != nil {
		return err
	}
	if len(right) > 0 {
		line = append(line, right[1:]...)
	}
	faults := map[bool]int{}
	var last []byte
	for _, id := range line {
		r, err := e.record(id)
		if err != nil {
			return err
		}
		for _, signed := range []bool{false, true} {
			if last != nil && e.kind.Compare(last, r.Payload, signed) > 0 {
				faults[signed]++
			}
		}
		last = r.Payload
	}
	switch usual := e.kind.DefaultSigned; {
	case faults[usual] == 0:
		e.signed = usual
	case faults[!usual] == 0:
		e.signed = !usual
	default:
		return e.judge()
	}
	e.ordered = true
	return nil
}

// spine follows one link from the root to the end. It stops where the tree is
// damaged: whoever changes something there will meet it.
func (e *Entities) spine(link func(avl.Node) int32) (list []int32, err error) {
	const deepest = 64 // no tree in balance is
	for id := e.f.Head.Root; id >= 0 && id < e.f.Count && len(list) < deepest; {
		n := e.tree.Node(id)
		if !n.Live() {
			break
		}
		list = append(list, id)
		id = link(n)
	}
	return list, e.failed(e.tree.Err())
}
