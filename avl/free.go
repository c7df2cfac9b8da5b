package avl

// Allocate takes a record out of use for a new key: the head of the list of
// deleted records or, if that is empty, a new one at the end. The record is on
// no list and in no tree until it is given to Insert or back to Release.
// An error says that there is no room, or is a [DamageError].
func (t *Tree) Allocate() (int32, error) {
	t.begin()
	id, err := t.allocate()
	if err = t.end(err); err != nil {
		return None, err
	}
	return id, nil
}

func (t *Tree) allocate() (int32, error) {
	id := t.Free
	if id == None {
		return t.extend()
	}
	if kind := t.freeFault(id); kind != 0 {
		return None, damaged(Finding{Kind: kind, ID: None, Field: fieldFree, Value: id})
	}
	next := t.at(id).Right
	if next != None {
		if kind := t.freeFault(next); kind != 0 {
			return None, damaged(Finding{Kind: kind, ID: id, Field: fieldRight, Value: next})
		}
	}
	t.Free = next
	*t.edit(id) = Node{Left: Deleted, Right: detached}
	return id, nil
}

// extend appends a record.
func (t *Tree) extend() (int32, error) {
	if t.Len() >= maxNodes {
		return None, errFull
	}
	id := int32(t.Len())
	t.grow()
	*t.edit(id) = Node{Left: Deleted, Right: detached}
	return id, nil
}

// Release makes a record from Delete or Allocate the head of the list of
// deleted records. Any other record is an error.
func (t *Tree) Release(id int32) error {
	t.begin()
	return t.end(t.release(id))
}

func (t *Tree) release(id int32) error {
	if !t.isDetached(id) {
		return errNotDetached
	}
	t.edit(id).Right = t.Free
	t.Free = id
	return nil
}

// isDetached reports whether id is neither in the tree nor on the list.
func (t *Tree) isDetached(id int32) bool {
	return t.inRange(id) && !t.at(id).Live() && t.at(id).Right == detached
}

// freeFault returns what is wrong with a link to id in the list of deleted
// records, 0 if nothing is.
func (t *Tree) freeFault(id int32) Kind {
	switch {
	case !t.inRange(id):
		return FreeBadLink
	case t.at(id).Live():
		return FreeNotDeleted
	}
	return 0
}
