package avl

// Add takes a record for a new key, puts it into the tree and returns its id:
// Allocate and Insert in one. On an error nothing has changed.
func (t *Tree) Add(cmp Compare) (int32, error) {
	t.begin()
	id, err := t.allocate()
	if err == nil {
		err = t.insert(id, cmp)
	}
	if err = t.end(err); err != nil {
		return None, err
	}
	return id, nil
}

// Insert puts a record from Allocate (or from Delete, under a new key) into the tree. The
// key goes before equal ones. Any other record is an error; a damaged tree gives
// a [DamageError].
func (t *Tree) Insert(id int32, cmp Compare) error {
	t.begin()
	return t.end(t.insert(id, cmp))
}

func (t *Tree) insert(id int32, cmp Compare) error {
	if !t.isDetached(id) {
		return errNotDetached
	}
	if _, err := t.descend(None, cmp); err != nil {
		return err
	}
	*t.edit(id) = Node{Left: None, Right: None}
	t.relink(len(t.path), id)
	t.Live++
	return t.grown()
}

// relink makes id the node at level i of the path: the child of the step before
// it, or the root.
func (t *Tree) relink(i int, id int32) {
	if i == 0 {
		t.Root = id
		return
	}
	up := t.path[i-1]
	*t.edit(up.id).child(up.side) = id
}

// grown restores the balances along the path, whose last subtree has become
// one level higher. One rotation gives a subtree its old height back.
func (t *Tree) grown() error {
	for i := len(t.path) - 1; i >= 0; i-- {
		x, s := t.path[i].id, t.path[i].side
		if t.at(x).Balance == int8(s) {
			top, lower, err := t.rotate(x, s)
			if err == nil && !lower { // x was empty on the side said to be deeper
				err = damaged(Finding{Kind: StaleBalance, ID: x, Field: fieldBalance, Value: int32(s)})
			}
			t.relink(i, top)
			return err
		}
		n := t.edit(x)
		n.Balance += int8(s)
		if n.Balance == 0 {
			return nil
		}
	}
	return nil
}
