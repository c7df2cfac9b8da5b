package avl

// A step is one node on the way down from the root and the side on which the
// way goes on. The side of the last step is not always set.
type step struct {
	id   int32
	side side
}

// start empties the path and returns the root, or None if the tree is empty.
func (t *Tree) start() (int32, error) {
	t.path = t.path[:0]
	switch live := t.isLive(t.Root); {
	case t.Live == 0 && !live:
		return None, nil
	case t.Live <= 0 || int(t.Live) > t.Len():
		return None, damaged(t.wrongLive())
	case !live:
		return None, damaged(t.badRoot())
	}
	return t.Root, nil
}

// badRoot is the finding for a root that is not a live record.
func (t *Tree) badRoot() Finding {
	return Finding{Kind: BadRoot, ID: None, Field: fieldRoot, Value: t.Root}
}

// wrongLive compares the live count with the records.
func (t *Tree) wrongLive() Finding {
	return Finding{Kind: WrongLive, ID: None, Field: fieldLive, Value: t.Live, Want: t.countLive()}
}

// countLive counts the live records.
func (t *Tree) countLive() int32 {
	var n int32
	for id := range int32(t.Len()) {
		if t.at(id).Live() {
			n++
		}
	}
	return n
}

// push makes node id, to which the last step leads, the next step. It refuses
// what no sound tree has, so that the caller that walks the path again can rely on
// it; a path longer than there are nodes has gone round in a circle.
func (t *Tree) push(id int32) error {
	if kind := t.linkFault(id); kind != 0 {
		return damaged(t.lastLink(kind, id))
	}
	if len(t.path) >= t.Len() {
		return damaged(t.lastLink(Cycle, id))
	}
	if err := t.checkBalance(id); err != nil {
		return err
	}
	t.path = append(t.path, step{id: id})
	return nil
}

// lastLink is a finding about the link the last step follows.
func (t *Tree) lastLink(kind Kind, to int32) Finding {
	last := t.path[len(t.path)-1]
	return Finding{Kind: kind, ID: last.id, Field: last.side.field(), Value: to}
}

// linkFault returns what is wrong with a link to id, 0 if nothing is.
func (t *Tree) linkFault(id int32) Kind {
	switch {
	case !t.inRange(id):
		return BadLink
	case !t.at(id).Live():
		return DeadLink
	}
	return 0
}

// checkBalance refuses a balance that no balanced tree has.
func (t *Tree) checkBalance(id int32) error {
	if b := t.at(id).Balance; b < -1 || b > 1 {
		return damaged(Finding{Kind: Unbalanced, ID: id, Field: fieldBalance, Value: int32(b)})
	}
	return nil
}

// descend makes the path lead to the place of a new key: the side of its last
// step is an empty link. Equal keys go left. If it meets record want, whose key is
// that of cmp, the path ends there.
func (t *Tree) descend(want int32, cmp Compare) (met bool, err error) {
	id, err := t.start()
	if err != nil {
		return false, err
	}
	for id != None {
		if err := t.push(id); err != nil {
			return false, err
		}
		c, s := cmp(id), left
		if c == 0 && id == want {
			return true, nil
		}
		if c > 0 {
			s = right
		}
		id = t.follow(s)
	}
	return false, nil
}

// follow sets the side of the last step and returns its link.
func (t *Tree) follow(s side) int32 {
	last := &t.path[len(t.path)-1]
	last.side = s
	return *t.at(last.id).child(s)
}

// locate makes the path end at record want, whose key is that of cmp. Equal
// keys can be on both sides of each other, so where the straight way down does
// not meet the record, it goes on in order from the first of them.
func (t *Tree) locate(want int32, cmp Compare) error {
	if met, err := t.descend(want, cmp); met || err != nil {
		return err
	}
	t.climb()
	for steps := t.Len(); len(t.path) > 0 && steps > 0; steps-- {
		at := t.path[len(t.path)-1].id
		if cmp(at) != 0 {
			return errNotFound
		}
		if at == want {
			return nil
		}
		if err := t.advance(); err != nil {
			return err
		}
	}
	return errNotFound
}

// climb shortens a path that leads to an empty link so that it ends at the
// next node in order, or is empty.
func (t *Tree) climb() {
	for len(t.path) > 0 && t.path[len(t.path)-1].side == right {
		t.path = t.path[:len(t.path)-1]
	}
}

// advance moves the end of the path to the next node in order.
func (t *Tree) advance() error {
	id := t.follow(right)
	if id == None {
		t.climb()
		return nil
	}
	for id != None {
		if err := t.push(id); err != nil {
			return err
		}
		id = t.follow(left)
	}
	return nil
}
