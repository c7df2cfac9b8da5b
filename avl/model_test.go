package avl

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
)

// entry is a record in the model of a tree: a sorted slice.
type entry struct {
	key string
	id  int32
}

// simple is the model: what a tree does, done the long way.
type simple struct {
	sorted []entry
	free   []int32 // stack
	size   int32
}

// insert puts a key before those it is equal to.
func (m *simple) insert(key string, id int32) {
	i, _ := slices.BinarySearchFunc(m.sorted, key, func(e entry, key string) int { return cmp.Compare(e.key, key) })
	m.sorted = slices.Insert(m.sorted, i, entry{key, id})
}

func (m *simple) remove(id int32) {
	m.sorted = slices.DeleteFunc(m.sorted, func(e entry) bool { return e.id == id })
}

func (m *simple) allocate() int32 {
	if last := len(m.free) - 1; last >= 0 {
		id := m.free[last]
		m.free = m.free[:last]
		return id
	}
	m.size++
	return m.size - 1
}

// from gives the ids of the keys that are not smaller.
func (m *simple) from(key string) []int32 {
	var ids []int32
	for _, e := range m.sorted {
		if e.key >= key {
			ids = append(ids, e.id)
		}
	}
	return ids
}

func (m *simple) equal(key string) []int32 {
	var ids []int32
	for _, e := range m.sorted {
		if e.key == key {
			ids = append(ids, e.id)
		}
	}
	return ids
}

// machine drives a tree and its model side by side.
type machine struct {
	*keyed[string]
	model simple
	key   *rapid.Generator[string]
	prev  *Tree
}

func (m *machine) Add(t *rapid.T) {
	key := m.key.Draw(t, "key")
	want := m.model.allocate()
	id, err := m.Tree.Add(m.find(key))
	if err != nil || id != want {
		t.Fatalf("Add(%q) = %d, %v; want id %d", key, id, err, want)
	}
	m.put(id, key)
	m.model.insert(key, id)
	m.checkChanged(t)
}

func (m *machine) AddMany(t *rapid.T) {
	for range rapid.IntRange(1, 60).Draw(t, "n") {
		m.Add(t)
	}
}

func (m *machine) Remove(t *rapid.T) {
	id := m.drawLive(t)
	if err := m.Tree.Remove(id, m.find(m.keys[id])); err != nil {
		t.Fatalf("Remove(%d): %v", id, err)
	}
	m.model.remove(id)
	m.model.free = append(m.model.free, id)
	m.checkChanged(t)
}

func (m *machine) RemoveMany(t *rapid.T) {
	for range rapid.IntRange(1, 40).Draw(t, "n") {
		if len(m.model.sorted) > 0 {
			m.Remove(t)
		}
	}
}

// Rekey gives a record another key under the same id.
func (m *machine) Rekey(t *rapid.T) {
	id := m.drawLive(t)
	if err := m.Tree.Delete(id, m.find(m.keys[id])); err != nil {
		t.Fatalf("Delete(%d): %v", id, err)
	}
	m.checkChanged(t)
	m.model.remove(id)
	m.put(id, m.key.Draw(t, "key"))
	if err := m.Tree.Insert(id, m.find(m.keys[id])); err != nil {
		t.Fatalf("Insert(%d): %v", id, err)
	}
	m.checkChanged(t)
	m.model.insert(m.keys[id], id)
}

// GiveBack allocates a record and releases it unused.
func (m *machine) GiveBack(t *rapid.T) {
	want := m.model.allocate()
	id, err := m.Tree.Allocate()
	if err != nil || id != want {
		t.Fatalf("Allocate() = %d, %v; want %d", id, err, want)
	}
	m.checkChanged(t)
	must.Do(t, m.Tree.Release(id))
	m.put(id, "")
	m.model.free = append(m.model.free, id)
	m.checkChanged(t)
}

// Refuse tries what is not allowed.
func (m *machine) Refuse(t *rapid.T) {
	id := rapid.Int32Range(-2, int32(len(m.Nodes))+1).Draw(t, "id")
	if err := m.Tree.Insert(id, m.find("")); !errors.Is(err, errNotDetached) {
		t.Fatalf("Insert(%d): %v", id, err)
	}
	if err := m.Tree.Release(id); !errors.Is(err, errNotDetached) {
		t.Fatalf("Release(%d): %v", id, err)
	}
	if err := m.Tree.Rebuild(slices.Values([]int32{id, id}), m.order); !errors.Is(err, errBadIDs) {
		t.Fatalf("Rebuild(%d twice): %v", id, err)
	}
	m.checkChanged(t)
}

func (m *machine) Rebuild(t *rapid.T) {
	must.Do(t, m.Tree.Rebuild(m.LiveIDs(), m.order))
	m.checkChanged(t)
	m.model.sorted = nil
	for id := range m.LiveIDs() {
		m.model.insert(m.keys[id], id)
	}
}

func (m *machine) drawLive(t *rapid.T) int32 {
	if len(m.model.sorted) == 0 {
		t.Skip("empty")
	}
	return m.model.sorted[rapid.IntRange(0, len(m.model.sorted)-1).Draw(t, "index")].id
}

// checkChanged holds AppendChanged to the difference of the nodes.
func (m *machine) checkChanged(t *rapid.T) {
	got, want := m.AppendChanged(nil), changedNodes(m.prev, m.Tree)
	if !slices.Equal(got, want) {
		t.Fatalf("changed %v, reported %v", want, got)
	}
	m.prev = m.Clone()
}

// Check compares everything that can be asked with the model.
func (m *machine) Check(t *rapid.T) {
	mustBeSound(t, m.Tree, m.order)
	if got := slices.Collect(m.All()); !slices.Equal(got, m.model.from("")) {
		t.Fatalf("order %v, want %v", got, m.model.from(""))
	}
	key := m.key.Draw(t, "probe")
	from, equal := m.model.from(key), m.model.equal(key)
	if got := slices.Collect(m.From(m.find(key))); !slices.Equal(got, from) {
		t.Fatalf("From(%q) %v, want %v", key, got, from)
	}
	if got := slices.Collect(m.Equal(m.find(key))); !slices.Equal(got, equal) {
		t.Fatalf("Equal(%q) %v, want %v", key, got, equal)
	}
	bound := append(slices.Clone(from), None)[0]
	if got := m.LowerBound(m.find(key)); got != bound {
		t.Fatalf("LowerBound(%q) = %d, want %d", key, got, bound)
	}
	first := append(equal, None)[0]
	if got, ok := m.Find(m.find(key)); got != first || ok != (first != None) {
		t.Fatalf("Find(%q) = %d, %v; want %d", key, got, ok, first)
	}
	free := append([]int32{None}, m.model.free...)
	if got := free[len(free)-1]; m.Free != got {
		t.Fatalf("first deleted %d, want %d", m.Free, got)
	}
}

func TestTreeAgainstSortedSlice(t *testing.T) {
	alphabets := map[string]*rapid.Generator[string]{
		"few keys":  rapid.StringMatching(`[a-d]{0,1}`),
		"many keys": rapid.StringMatching(`[a-z]{0,3}`),
	}
	for name, key := range alphabets {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := newKeyed[string]()
				t.Repeat(rapid.StateMachineActions(&machine{keyed: k, key: key, prev: k.Clone()}))
			})
		})
	}
}

// Ascending and descending keys, the worst orders for a tree that does not balance.
func TestSortedInsertion(t *testing.T) {
	for _, sign := range []int{1, -1} {
		k := newKeyed[int]()
		for i := range 1 << 12 {
			k.add(t, sign*i)
		}
		mustBeSound(t, k.Tree, k.order)
		if h := k.Height(); h != 13 {
			t.Errorf("height %d, want 13", h)
		}
	}
}
