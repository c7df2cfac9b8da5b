package avl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// tester is what a *testing.T and a *rapid.T have in common here.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// keyed is a tree with a key for each record, as an entity file is.
type keyed[K any] struct {
	*Tree
	keys    []K
	compare func(a, b K) int
}

func newKeyed[K cmp.Ordered]() *keyed[K] {
	return &keyed[K]{Tree: New(), compare: cmp.Compare[K]}
}

func (k *keyed[K]) order(a, b int32) int { return k.compare(k.keys[a], k.keys[b]) }

func (k *keyed[K]) find(key K) Compare {
	return func(id int32) int { return k.compare(key, k.keys[id]) }
}

func (k *keyed[K]) put(id int32, key K) {
	for int(id) >= len(k.keys) {
		k.keys = append(k.keys, key)
	}
	k.keys[id] = key
}

func (k *keyed[K]) add(tb tester, key K) int32 {
	tb.Helper()
	id, err := k.Add(k.find(key))
	if err != nil {
		tb.Fatalf("Add(%v): %v", key, err)
	}
	k.put(id, key)
	return id
}

func (k *keyed[K]) remove(tb tester, id int32) {
	tb.Helper()
	if err := k.Remove(id, k.find(k.keys[id])); err != nil {
		tb.Fatalf("Remove(%d): %v", id, err)
	}
}

// letters makes a tree with one record per letter, inserted in this order.
func letters(tb tester, order string) *keyed[string] {
	tb.Helper()
	k := newKeyed[string]()
	for _, letter := range order {
		k.add(tb, string(letter))
	}
	return k
}

// shape prints a subtree by its keys: "b(a c)", "-" for an empty side.
func (k *keyed[K]) shape(id int32) string {
	if id == None {
		return "-"
	}
	n := k.Nodes[id]
	if n.Left == None && n.Right == None {
		return fmt.Sprint(k.keys[id])
	}
	return fmt.Sprintf("%v(%s %s)", k.keys[id], k.shape(n.Left), k.shape(n.Right))
}

func mustBeSound(tb tester, t *Tree, order Order) {
	tb.Helper()
	if findings := t.Verify(order); len(findings) > 0 {
		tb.Fatalf("Verify: %v", findings)
	}
	height := t.Height()
	if n := float64(t.Live); float64(height) > 1.44*math.Log2(n+2) {
		tb.Errorf("height %d with %v records", height, n)
	}
	if t.Live > 0 && height != levels(t, t.Root) {
		tb.Errorf("height %d, want %d", height, levels(t, t.Root))
	}
}

// levels is the height of a subtree of a sound tree.
func levels(t *Tree, id int32) int {
	if id == None {
		return 0
	}
	return 1 + max(levels(t, t.Nodes[id].Left), levels(t, t.Nodes[id].Right))
}

// links prints nodes as docs/formats/cbh-entities.md 8 does: "2(3,0,1)", - for None.
func links(t *Tree, ids ...int32) string {
	var b strings.Builder
	for _, id := range ids {
		n := t.Nodes[id]
		fmt.Fprintf(&b, "%d(%s,%s,%d) ", id, link(n.Left), link(n.Right), n.Balance)
	}
	return strings.TrimSpace(b.String())
}

func link(id int32) string {
	if id == None {
		return "-"
	}
	return strconv.Itoa(int(id))
}

// changedNodes compares two states of a tree.
func changedNodes(before, after *Tree) []int32 {
	var ids []int32
	for i, n := range after.Nodes {
		if i >= len(before.Nodes) || before.Nodes[i] != n {
			ids = append(ids, int32(i))
		}
	}
	return ids
}

// sameTree reports whether two trees would be stored alike.
func sameTree(a, b *Tree) bool {
	return a.Root == b.Root && a.Free == b.Free && a.Live == b.Live && slices.Equal(a.Nodes, b.Nodes)
}

// drawSlice draws a slice that is often long. (The length of a rapid slice stays
// close to its minimum.)
func drawSlice[E any](t *rapid.T, elem *rapid.Generator[E], name string) []E {
	n := rapid.SampledFrom([]int{0, 4, 20, 60}).Draw(t, "least "+name)
	return rapid.SliceOfN(elem, n, 2*n+4).Draw(t, name)
}

// drawSound draws a sound tree of up to 124 records, some of them deleted.
func drawSound(t *rapid.T) *keyed[byte] {
	k := newKeyed[byte]()
	for _, key := range drawSlice(t, rapid.Byte(), "keys") {
		k.add(t, key)
	}
	for _, id := range drawSlice(t, rapid.Int32Range(0, 99), "removed") {
		if k.isLive(id) {
			k.remove(t, id)
		}
	}
	return k
}
