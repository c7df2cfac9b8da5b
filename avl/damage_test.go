package avl

import (
	"errors"
	"slices"
	"testing"
)

func TestInsertIntoDamagedTree(t *testing.T) {
	for _, c := range []struct {
		name    string
		key     string
		corrupt func(*Tree)
		want    Kind
	}{
		{"bad root", "a", func(t *Tree) { t.Root = 50 }, BadRoot},
		{"root deleted", "a", func(t *Tree) { t.Root = 8 }, BadRoot},
		{"live count 0", "a", func(t *Tree) { t.Live = 0 }, WrongLive},
		{"live count negative", "a", func(t *Tree) { t.Live = -1 }, WrongLive},
		{"live count too large", "a", func(t *Tree) { t.Live = 1 << 30 }, WrongLive},
		{"link beyond", "a", func(t *Tree) { t.Nodes[3].Left = 50 }, BadLink},
		{"link to deleted", "g", func(t *Tree) { t.Nodes[6].Left = 7 }, DeadLink},
		{"cycle", "g", func(t *Tree) { t.Nodes[6].Left = 0; t.Nodes[0].Left = 6 }, Cycle},
		{"balance out of range", "a", func(t *Tree) { t.Nodes[1].Balance = 2 }, Unbalanced},
		{"stale balance", "a", func(t *Tree) { t.Nodes[3].Balance = -1 }, StaleBalance},
		{"free list to live", "a", func(t *Tree) { t.Free = 3 }, FreeNotDeleted},
		{"free list beyond", "a", func(t *Tree) { t.Free = 50 }, FreeBadLink},
		{"free list goes on to live", "a", func(t *Tree) { t.Nodes[8].Right = 0 }, FreeNotDeleted},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := sample(t)
			c.corrupt(k.Tree)
			mustRefuse(t, k.Tree, c.want, func() error {
				_, err := k.Add(k.find(c.key))
				return err
			})
		})
	}
}

func TestDeleteFromDamagedTree(t *testing.T) {
	for _, c := range []struct {
		name    string
		id      int32
		corrupt func(*Tree)
		want    Kind
	}{
		{"bad root", 3, func(t *Tree) { t.Root = 50 }, BadRoot},
		{"link on the way beyond", 3, func(t *Tree) { t.Nodes[1].Left = 50 }, BadLink},
		{"child beyond", 3, func(t *Tree) { t.Nodes[3].Right = 50 }, BadLink},
		{"child deleted", 3, func(t *Tree) { t.Nodes[3].Left = 7 }, DeadLink},
		{"way to the successor beyond", 0, func(t *Tree) { t.Nodes[5].Left = 50 }, BadLink},
		{"child of the successor beyond", 0, func(t *Tree) { t.Nodes[5].Right = 50 }, BadLink},
		{"stale balance, no child", 3, func(t *Tree) { t.Nodes[1] = Node{3, None, 1} }, StaleBalance},
		{"stale balance, no grandchild", 3, func(t *Tree) {
			t.Nodes[1].Balance, t.Nodes[4].Balance = 1, -1
		}, StaleBalance},
		{"sibling beyond", 3, func(t *Tree) { t.Nodes[1] = Node{3, 50, 1} }, BadLink},
		{"sibling out of balance", 3, func(t *Tree) {
			t.Nodes[1].Balance, t.Nodes[4].Balance = 1, 5
		}, Unbalanced},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := sample(t)
			c.corrupt(k.Tree)
			mustRefuse(t, k.Tree, c.want, func() error { return k.Remove(c.id, k.find(k.keys[c.id])) })
		})
	}
}

// mustRefuse expects a DamageError of this kind and no change.
func mustRefuse(t *testing.T, tree *Tree, want Kind, change func() error) {
	t.Helper()
	before := tree.Clone()
	err := change()
	var damage *DamageError
	if !errors.As(err, &damage) {
		t.Fatalf("error %v, want a DamageError", err)
	}
	if damage.Finding.Kind != want {
		t.Errorf("%v: kind %d, want %d", err, damage.Finding.Kind, want)
	}
	if !sameTree(before, tree) {
		t.Errorf("the tree changed:\n%+v\n%+v", before, tree)
	}
	if ids := tree.AppendChanged(nil); len(ids) > 0 {
		t.Errorf("changed ids %v", ids)
	}
}

func TestDamageErrorText(t *testing.T) {
	k := sample(t)
	k.Nodes[3].Left = 50
	_, err := k.Add(k.find("a"))
	if want := "tree is damaged: record 3 (left): leads to 50, outside the records; rebuild it"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}

// A tree of an old program, out of balance on the way but with honest links,
// takes insertions as long as they do not have to rely on a false balance.
func TestInsertIntoUnbalancedTree(t *testing.T) {
	k := newKeyed[int]()
	const n = 300 // a list to the right, deeper than any balanced tree
	for i := range int32(n) {
		k.put(i, int(i))
		k.Nodes = append(k.Nodes, Node{Left: None, Right: i + 1})
	}
	k.Nodes[n-1].Right = None
	k.Live = n
	if h := k.Height(); h != n {
		t.Fatalf("height %d, want %d", h, n)
	}
	id := k.add(t, n)
	if got := slices.Collect(k.All()); len(got) != n+1 || got[n] != id {
		t.Errorf("in order %v", got)
	}
}

func TestFull(t *testing.T) {
	tree := &Tree{Nodes: make([]Node, maxNodes), Free: None}
	if _, err := tree.Allocate(); !errors.Is(err, errFull) {
		t.Errorf("error %v, want errFull", err)
	}
	if len(tree.Nodes) != maxNodes {
		t.Errorf("%d nodes", len(tree.Nodes))
	}
}
