package avl

// Remove takes record id, whose key is that of cmp, out of the tree and makes
// it the first deleted record: Delete and Release in one. On an error nothing
// has changed.
func (t *Tree) Remove(id int32, cmp Compare) error {
	t.begin()
	err := t.delete(id, cmp)
	if err == nil {
		err = t.release(id)
	}
	return t.end(err)
}

// Delete takes record id, whose key is that of cmp, out of the tree, and keeps
// it from the list of deleted records until it is given to Release or Insert.
// It looks through all records of the same key. It is an error if id is none of them.
func (t *Tree) Delete(id int32, cmp Compare) error {
	t.begin()
	return t.end(t.delete(id, cmp))
}

func (t *Tree) delete(id int32, cmp Compare) error {
	if !t.isLive(id) {
		return errNotFound
	}
	if err := t.locate(id, cmp); err != nil {
		return err
	}
	if err := t.unlink(); err != nil {
		return err
	}
	*t.edit(id) = Node{Left: Deleted, Right: detached}
	if t.Live--; t.Live == 0 {
		t.Root = 0
	}
	return t.shrunk()
}

// unlink replaces the node at the end of the path by its only child, or by
// its successor if it has two. The path then ends where a subtree has become
// one level lower.
func (t *Tree) unlink() error {
	i := len(t.path) - 1
	n := *t.at(t.path[i].id)
	switch {
	case n.Left == None:
		return t.bypass(i, right)
	case n.Right == None:
		return t.bypass(i, left)
	}
	id := t.path[i].id
	if err := t.advance(); err != nil {
		return err
	}
	k := len(t.path) - 1
	heir := t.path[k].id
	if err := t.bypass(k, right); err != nil {
		return err
	}
	*t.edit(heir) = *t.at(id)
	t.path[i].id = heir
	t.relink(i, heir)
	return nil
}

// bypass puts the child on side s in the place of the node at level i, the end
// of the path, and shortens the path by it.
func (t *Tree) bypass(i int, s side) error {
	child := t.follow(s)
	if child != None {
		if kind := t.linkFault(child); kind != 0 {
			return damaged(t.lastLink(kind, child))
		}
	}
	t.relink(i, child)
	t.path = t.path[:i]
	return nil
}

// shrunk restores the balances along the path, whose last subtree has become
// one level lower. Each level may need its own rotation.
func (t *Tree) shrunk() error {
	for i := len(t.path) - 1; i >= 0; i-- {
		x, s := t.path[i].id, t.path[i].side
		if t.at(x).Balance == -int8(s) {
			top, lower, err := t.rotate(x, -s)
			if err != nil {
				return err
			}
			t.relink(i, top)
			if !lower {
				return nil
			}
			continue
		}
		n := t.edit(x)
		n.Balance -= int8(s)
		if n.Balance != 0 {
			return nil
		}
	}
	return nil
}
