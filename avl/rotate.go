package avl

// rotate repairs node x, whose side s has become two levels deeper than the
// other. It returns the node that takes the place of x, to be linked by the
// caller, and whether the subtree is now one level lower. The comments are for
// s = right; see the package comment for the pictures.
func (t *Tree) rotate(x int32, s side) (top int32, lower bool, err error) {
	z, err := t.heavy(x, s)
	if err != nil {
		return None, false, err
	}
	if t.at(z).Balance != -int8(s) {
		return z, t.rotateSingle(x, z, s), nil
	}
	y, err := t.heavy(z, -s)
	if err != nil {
		return None, false, err
	}
	t.rotateDouble(x, y, z, s)
	return y, true, nil
}

// heavy returns the child of x on side s, which has to exist because that side
// is the deeper one.
func (t *Tree) heavy(x int32, s side) (int32, error) {
	id := *t.at(x).child(s)
	if id == None {
		return None, damaged(Finding{Kind: StaleBalance, ID: x, Field: fieldBalance, Value: int32(t.at(x).Balance)})
	}
	if kind := t.linkFault(id); kind != 0 {
		return None, damaged(Finding{Kind: kind, ID: x, Field: s.field(), Value: id})
	}
	return id, t.checkBalance(id)
}

// rotateSingle lifts z, the right child of x, over x. Only after a deletion
// can z have been even; then the subtree keeps its height.
func (t *Tree) rotateSingle(x, z int32, s side) (lower bool) {
	nx, nz := t.edit(x), t.edit(z)
	*nx.child(s), *nz.child(-s) = *nz.child(-s), x
	if nz.Balance == 0 {
		nx.Balance, nz.Balance = int8(s), -int8(s)
		return false
	}
	nx.Balance, nz.Balance = 0, 0
	return true
}

// rotateDouble lifts y, the left child of the right child z of x, over both.
func (t *Tree) rotateDouble(x, y, z int32, s side) {
	nx, ny, nz := t.edit(x), t.edit(y), t.edit(z)
	*nx.child(s), *nz.child(-s) = *ny.child(-s), *ny.child(s)
	*ny.child(-s), *ny.child(s) = x, z
	nx.Balance, nz.Balance = 0, 0
	switch ny.Balance {
	case int8(s):
		nx.Balance = -int8(s)
	case -int8(s):
		nz.Balance = int8(s)
	}
	ny.Balance = 0
}
