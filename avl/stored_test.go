package avl

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
)

// opened returns a tree that reads the nodes of another one, and counts how
// often it does.
func opened(t *Tree, reads *int) *Tree {
	return Open(len(t.Nodes), t.Root, t.Free, t.Live, func(id int32) (Node, error) {
		*reads++
		return t.Nodes[id], nil
	})
}

// all returns the nodes of any tree.
func all(t *Tree) (nodes []Node) {
	for id := range int32(t.Len()) {
		nodes = append(nodes, t.Node(id))
	}
	return nodes
}

// A tree whose nodes are read when they are needed changes as one in memory
// does.
func TestOpenedTreeChangesAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := newKeyed[int]()
		for range rapid.IntRange(0, 60).Draw(t, "before") {
			k.add(t, rapid.IntRange(0, 20).Draw(t, "key"))
		}
		reads := 0
		other := opened(k.Clone(), &reads)
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			live := slices.Collect(k.LiveIDs())
			if len(live) > 0 && rapid.Bool().Draw(t, "remove") {
				id := rapid.SampledFrom(live).Draw(t, "id")
				k.remove(t, id)
				must.Do(t, other.Remove(id, k.find(k.keys[id])))
			} else {
				key := rapid.IntRange(0, 20).Draw(t, "key")
				id, err := other.Add(k.find(key))
				if want := k.add(t, key); id != want || err != nil {
					t.Fatalf("Add(%d) = %d, %v; want %d", key, id, err, want)
				}
			}
			if !slices.Equal(k.AppendChanged(nil), other.AppendChanged(nil)) {
				t.Fatalf("changed %v, want %v", other.AppendChanged(nil), k.AppendChanged(nil))
			}
		}
		if !slices.Equal(all(other), k.Nodes) || other.Root != k.Root || other.Free != k.Free || other.Live != k.Live {
			t.Fatalf("%v, want %v", all(other), k.Nodes)
		}
		if found := other.Verify(k.order); len(found) > 0 {
			t.Fatalf("%v", found)
		}
		if copied := other.Clone(); !slices.Equal(all(copied), k.Nodes) {
			t.Fatalf("the clone is %v", all(copied))
		}
	})
}

// What a change reads does not grow with the number of nodes but with the height
// of the tree.
func TestOpenedTreeReadsItsPath(t *testing.T) {
	k := newKeyed[int]()
	for i := range 100_000 {
		k.add(t, i*7919%100_003)
	}
	most := 3 * k.Height()
	for i := range 100 {
		reads := 0
		tree := opened(k.Tree, &reads)
		if _, err := tree.Add(k.find(i * 997)); err != nil || reads > most {
			t.Fatalf("adding: %d reads, %v", reads, err)
		}
		reads = 0
		id := int32(i * 991)
		if err := tree.Remove(id, k.find(k.keys[id])); err != nil || reads > most {
			t.Fatalf("removing: %d reads, %v", reads, err)
		}
		reads = 0
		if found, ok := tree.Find(k.find(k.keys[id+1])); !ok || found != id+1 || reads > most {
			t.Fatalf("looking up: %d, %t, %d reads", found, ok, reads)
		}
	}
}

// An operation that cannot read a node changes nothing and says why.
func TestOpenedTreeThatCannotBeRead(t *testing.T) {
	k := newKeyed[int]()
	for i := range 40 {
		k.add(t, i)
	}
	errDisk := errors.New("disk")
	for fail := range 12 {
		left := fail
		tree := Open(len(k.Nodes), k.Root, k.Free, k.Live, func(id int32) (Node, error) {
			if left--; left < 0 {
				return Node{}, errDisk
			}
			return k.Nodes[id], nil
		})
		_, err := tree.Add(k.find(39))
		if err == nil {
			if fail == 0 {
				t.Error("a tree that cannot be read was changed")
			}
			continue
		}
		if !errors.Is(err, errDisk) {
			t.Errorf("after %d reads: %v", fail, err)
		}
		left = 1000
		if !slices.Equal(all(tree), k.Nodes) || tree.Root != k.Root || tree.Live != k.Live {
			t.Errorf("after %d reads the tree has changed", fail)
		}
		left = 0
		if _, ok := Open(40, k.Root, k.Free, k.Live, func(int32) (Node, error) { return Node{}, errDisk }).Find(k.find(3)); ok {
			t.Error("something was found")
		}
	}
	tree := Open(40, k.Root, k.Free, k.Live, func(int32) (Node, error) { return Node{}, errDisk })
	if tree.LowerBound(k.find(3)); !errors.Is(tree.Err(), errDisk) || tree.Err() != nil || k.Err() != nil {
		t.Error("a look-up does not tell that it could not read")
	}
}
