package avl

import (
	"errors"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"

	"pgregory.net/rapid"
)

// garbage makes links and keys of arbitrary bytes. Most links are in range.
func garbage(data []byte) (tree *Tree, keys []byte, ops []byte) {
	const header, record = 4, 4
	if len(data) < header {
		return New(), nil, nil
	}
	n := int(data[0])
	link := func(b byte) int32 {
		switch {
		case b == 0xFF:
			return None
		case b == 0xFE:
			return Deleted
		case b == 0xFD:
			return -1 << 31
		}
		return int32(b)
	}
	tree = &Tree{Root: link(data[1]), Free: link(data[2]), Live: int32(int8(data[3]))}
	data = data[header:]
	for len(tree.Nodes) < n && len(data) >= record {
		tree.Nodes = append(tree.Nodes, Node{link(data[0]), link(data[1]), int8(data[2])})
		keys = append(keys, data[3])
		data = data[record:]
	}
	return tree, keys, data
}

// bytesOf is the inverse of garbage for small trees.
func bytesOf(k *keyed[byte], ops ...byte) []byte {
	link := func(id int32) byte {
		if id == Deleted {
			return 0xFE
		}
		return byte(id)
	}
	data := []byte{byte(len(k.Nodes)), link(k.Root), link(k.Free), byte(k.Live)}
	for i, n := range k.Nodes {
		data = append(data, link(n.Left), link(n.Right), byte(n.Balance), k.keys[i])
	}
	return append(data, ops...)
}

// trial does with a tree of garbage whatever can be done and holds it to what
// is promised of any tree.
type trial struct {
	*keyed[byte]
	t     tester
	calls int // comparisons since the last reset
}

// counted is a Compare that is expected to be called a bounded number of times.
func (tr *trial) counted(key byte) Compare {
	tr.calls = 0
	inner := tr.find(key)
	return func(id int32) int {
		if !tr.isLive(id) {
			tr.t.Fatalf("compared with record %d, which is not live", id)
		}
		if tr.calls++; tr.calls > 2*len(tr.Nodes)+2 {
			tr.t.Fatalf("more than %d comparisons for %d nodes", tr.calls-1, len(tr.Nodes))
		}
		return inner(id)
	}
}

// change runs one operation: it works on a sound tree and leaves it sound, and
// it changes nothing where it fails.
func (tr *trial) change(name string, op func() error) {
	before, sound := tr.Clone(), len(tr.Verify(tr.order)) == 0
	err := op()
	switch {
	case err != nil && !sameTree(before, tr.Tree):
		tr.t.Fatalf("%s: %v, and the tree changed", name, err)
	case err != nil && sound && !errors.Is(err, errNotFound):
		tr.t.Fatalf("%s in a sound tree: %v", name, err)
	case sound && len(tr.Verify(tr.order)) > 0:
		tr.t.Fatalf("%s: %v", name, tr.Verify(tr.order))
	}
	if got, want := tr.AppendChanged(nil), changedNodes(before, tr.Tree); !slices.Equal(got, want) {
		tr.t.Fatalf("%s: changed %v, reported %v", name, want, got)
	}
}

// run takes two bytes per operation: what, and a key or id.
func (tr *trial) run(ops []byte) {
	for ; len(ops) >= 2; ops = ops[2:] {
		arg := ops[1]
		switch ops[0] % 4 {
		case 0:
			tr.change("Add", func() error {
				tr.keys = append(tr.keys[:len(tr.Nodes)], arg)
				id, err := tr.Add(tr.counted(arg))
				if err == nil {
					tr.put(id, arg)
				}
				return err
			})
		case 1:
			id := int32(arg)
			tr.change("Remove", func() error {
				if !tr.inRange(id) {
					return tr.Tree.Remove(id, tr.counted(0))
				}
				return tr.Tree.Remove(id, tr.counted(tr.keys[id]))
			})
		case 2:
			tr.allocateAndRelease()
		case 3:
			tr.look(arg)
		}
	}
}

// allocateAndRelease allocates a record and releases it unused.
func (tr *trial) allocateAndRelease() {
	before := tr.Clone()
	id, err := tr.Allocate()
	if err != nil {
		if !sameTree(before, tr.Tree) {
			tr.t.Fatalf("Allocate: %v, and the tree changed", err)
		}
		return
	}
	tr.put(id, 0)
	next := tr.Free
	if err := tr.Release(id); err != nil || tr.Free != id || tr.Nodes[id].Right != next {
		tr.t.Fatalf("Release(%d): %v, first deleted %d, then %v", id, err, tr.Free, tr.Nodes[id])
	}
}

// look does everything that does not change a tree.
func (tr *trial) look(key byte) {
	tr.Find(tr.counted(key))
	tr.LowerBound(tr.counted(key))
	n := 0
	for id := range tr.From(tr.counted(key)) {
		if n++; n > len(tr.Nodes) || !tr.isLive(id) {
			tr.t.Fatalf("From yields %d as number %d of %d", id, n, len(tr.Nodes))
		}
	}
	for range tr.Equal(tr.counted(key)) {
	}
	if h := tr.Height(); h > len(tr.Nodes) {
		tr.t.Fatalf("height %d of %d nodes", h, len(tr.Nodes))
	}
	if f := tr.Verify(tr.order); len(f) > 4*len(tr.Nodes)+3 {
		tr.t.Fatalf("%d findings for %d nodes", len(f), len(tr.Nodes))
	}
}

// finish rebuilds the tree, after which it is sound whatever it was.
func (tr *trial) finish() {
	live := slices.Collect(tr.LiveIDs())
	if err := tr.Rebuild(slices.Values(live), tr.order); err != nil {
		tr.t.Fatalf("Rebuild: %v", err)
	}
	mustBeSound(tr.t, tr.Tree, tr.order)
	if got := slices.Collect(tr.LiveIDs()); !slices.Equal(got, live) {
		tr.t.Fatalf("live after Rebuild %v, want %v", got, live)
	}
}

func try(t tester, data []byte) {
	tree, keys, ops := garbage(data)
	k := newKeyed[byte]()
	k.Tree, k.keys = tree, keys
	tr := &trial{keyed: k, t: t}
	tr.look(0)
	tr.run(ops)
	tr.finish()
}

func seeds(tb tester) [][]byte {
	k := newKeyed[byte]()
	empty := bytesOf(k, 0, 1, 0, 2, 1, 0, 3, 3)
	for _, key := range []byte("hdlbfjnaacegikmmmo") {
		k.add(tb, key)
	}
	sound := bytesOf(k, 1, 7, 1, 0, 0, 'h', 0, 'h', 1, 15, 2, 0, 3, 'm')
	k.remove(tb, 3)
	k.remove(tb, 9)
	holes := bytesOf(k, 0, 'x', 0, 'y', 0, 'z', 1, 3)
	k.Nodes[0].Left = 0
	return [][]byte{nil, empty, sound, holes, bytesOf(k, 0, 'a', 1, 0), {255, 0, 0, 1, 0, 0, 0, 0, 0, 9}}
}

func FuzzGarbage(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) { try(t, data) })
}

func TestGarbage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Links below 32, so that many of them meet.
		field := rapid.OneOf(rapid.ByteRange(0, 31), rapid.ByteRange(250, 255))
		data := append([]byte{32}, drawSlice(t, field, "data")...)
		try(t, append(data, drawSlice(t, field, "more")...))
	})
}

// Random bytes are rarely nearly right: here a sound tree gets a few faults.
func TestSlightDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawSound(t)
		data := bytesOf(k, drawSlice(t, rapid.ByteRange(0, 127), "ops")...)
		for range rapid.IntRange(0, 4).Draw(t, "faults") {
			at := rapid.IntRange(1, len(data)-1).Draw(t, "at")
			data[at] = rapid.OneOf(rapid.ByteRange(0, 127), rapid.ByteRange(250, 255)).Draw(t, "byte")
		}
		try(t, data)
	})
}

// Comparisons that contradict themselves must not do more harm than a wrong order.
func TestErraticCompare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := newKeyed[byte]()
		random := func(int32) int { return rapid.IntRange(-1, 1).Draw(t, "c") }
		for _, op := range drawSlice(t, rapid.Int32Range(-99, 99), "operations") {
			if op < 0 {
				must.Get(k.Add(random))(t)
			} else {
				if err := k.Remove(op, random); err != nil && !errors.Is(err, errNotFound) {
					t.Fatal(err)
				}
			}
			mustBeSound(t, k.Tree, nil)
		}
	})
}

// Every level leads to the next one twice: 2^40 ways through 41 nodes, all of
// the same key. Node 41 is not among them.
func TestSharedSubtrees(t *testing.T) {
	const n = 41
	k := newKeyed[byte]()
	for i := range int32(n) {
		k.Nodes = append(k.Nodes, Node{Left: i + 1, Right: i + 1})
	}
	k.Nodes[n-1] = Node{Left: None, Right: None}
	k.Nodes = append(k.Nodes, Node{Left: None, Right: None})
	k.keys, k.Live = make([]byte, n+1), n+1

	tr := &trial{keyed: k, t: t}
	tr.look(0)
	if err := k.Remove(n, tr.counted(0)); !errors.Is(err, errNotFound) {
		t.Errorf("error %v, want errNotFound", err)
	}
	if got, want := len(k.Verify(nil)), n; got != want { // n-1 second parents, 1 unreachable
		t.Errorf("%d findings, want %d", got, want)
	}
}

// A circle is noticed after as many steps as there are nodes.
func TestLargeCircle(t *testing.T) {
	const n = 1 << 16
	k := newKeyed[byte]()
	for i := range int32(n) {
		k.Nodes = append(k.Nodes, Node{Left: (i + 1) % n, Right: None})
	}
	k.keys, k.Live = make([]byte, n), n
	tr := &trial{keyed: k, t: t}
	tr.look(0)
	var damage *DamageError
	if _, err := k.Add(tr.counted(0)); !errors.As(err, &damage) || damage.Finding.Kind != Cycle {
		t.Errorf("error %v, want a cycle", err)
	}
	if want := (Finding{Cycle, n - 1, fieldLeft, 0, 0}); !slices.Equal(k.Verify(nil), []Finding{want}) {
		t.Errorf("%v, want %v", k.Verify(nil), want)
	}
}
