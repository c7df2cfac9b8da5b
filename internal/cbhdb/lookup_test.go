package cbhdb

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"testing"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// Walking through a real tree meets all live records, in the order of their
// names.
func TestWalkRealTree(t *testing.T) {
	for _, name := range []string{"twic1134", "hedgehog", "small"} {
		e := must.Get(New(real(t, name)).Entities(&cbh.Players.EntityFile))(t).Lookup()
		var all, walked []int32
		for r := range must.All(t, e.Live()) {
			all = append(all, r.ID)
		}
		var last []byte
		for r := range must.All(t, e.From(func([]byte) bool { return false })) {
			if last != nil && cbh.Players.Compare(last, r.Payload, false) > 0 {
				t.Errorf("%s: record %d comes too late", name, r.ID)
			}
			last = slices.Clone(r.Payload)
			walked = append(walked, r.ID)
		}
		if slices.Sort(walked); !slices.Equal(all, walked) || e.Visited() != len(walked) {
			t.Errorf("%s: %d records, %d met, %d visited", name, len(all), len(walked), e.Visited())
		}
	}
}

// entityFile is a file of annotators with the given links.
func entityFile(root int32, links ...cbh.EntityLinks) []byte {
	head := cbh.NewEntityHeader(&cbh.Annotators.EntityFile)
	head.Capacity, head.Root, head.Live = int32(len(links)), root, int32(len(links))
	b := head.Append(nil)
	for i, l := range links {
		b = append(l.Append(b), bytes.Repeat([]byte{byte('a' + i)}, cbh.Annotators.Size)...)
	}
	return b
}

// annotators is the open file of annotators with the given bytes.
func annotators(t testing.TB, b []byte) *Entities {
	t.Helper()
	m := empty()
	m.put(".cbc", b)
	return must.Get(New(m).Entities(&cbh.Annotators.EntityFile))(t)
}

// A walk through a damaged tree ends with an error.
func TestWalkDamagedTree(t *testing.T) {
	leaf := cbh.EntityLinks{Left: -1, Right: -1}
	for name, b := range map[string][]byte{
		"root":     entityFile(7, leaf),
		"no root":  entityFile(-1, leaf),
		"circle":   entityFile(0, cbh.EntityLinks{Left: 0, Right: -1, Balance: -1}),
		"right":    entityFile(0, cbh.EntityLinks{Left: -1, Right: 0, Balance: 1}),
		"outside":  entityFile(0, cbh.EntityLinks{Left: -1, Right: 5, Balance: 1}),
		"deleted":  entityFile(1, cbh.EntityLinks{Left: cbh.DeletedLink, Right: -1}, cbh.EntityLinks{Left: 0, Right: -1, Balance: -1}),
		"balance":  entityFile(0, cbh.EntityLinks{Left: -1, Right: 1, Balance: -1}, leaf),
		"line":     entityFile(0, cbh.EntityLinks{Left: -1, Right: 1, Balance: 1}, cbh.EntityLinks{Left: -1, Right: 2, Balance: 1}, leaf),
		"order":    entityFile(0, cbh.EntityLinks{Left: 1, Right: -1, Balance: -1}, leaf),
		"too few":  entityFile(0, leaf, leaf),
		"too high": entityFile(1, leaf, cbh.EntityLinks{Left: 0, Right: 2, Balance: 1}, leaf),
	} {
		e := annotators(t, b).Lookup()
		var last error
		n := 0
		for _, err := range e.From(func([]byte) bool { return false }) {
			n, last = n+1, err
		}
		if !errors.Is(last, model.ErrCorrupt) || n > 3 {
			t.Errorf("%s: %d steps, %v", name, n, last)
		}
	}
}

// In trees of all sizes, whichever link is cut: a walk is as if it were not, or
// ends with an error.
func TestWalkNoticesEveryCut(t *testing.T) {
	tree := avl.New()
	for n := range int32(26) {
		// Ids are in the order of the names.
		must.Get(tree.Add(func(id int32) int { return cmp.Compare(n, id) }))(t)
		links := make([]cbh.EntityLinks, len(tree.Nodes))
		for id, node := range tree.Nodes {
			links[id] = cbh.EntityLinks{Left: node.Left, Right: node.Right, Balance: node.Balance}
		}
		for id := range links {
			for _, cut := range []cbh.EntityLinks{
				{Left: -1, Right: links[id].Right, Balance: links[id].Balance},
				{Left: links[id].Left, Right: -1, Balance: links[id].Balance},
			} {
				if cut != links[id] {
					damaged := slices.Clone(links)
					damaged[id] = cut
					walkFromAll(t, annotators(t, entityFile(tree.Root, damaged...)))
				}
			}
		}
	}
}

// walkFromAll looks every name up, each on a walk of its own that ends there.
func walkFromAll(t *testing.T, e *Entities) {
	t.Helper()
	noticed := false
	for want := range e.Count {
		found := int32(-1)
		for r, err := range e.Lookup().From(func(p []byte) bool { return p[0] < byte('a'+want) }) {
			if found = r.ID; err != nil {
				found, noticed = want, true
			}
			break
		}
		if found != want {
			t.Fatalf("found %d instead of %d of %d", found, want, e.Count)
		}
	}
	if !noticed {
		t.Fatalf("no walk through the %d noticed the cut", e.Count)
	}
}

// FuzzEntityWalk: a walk ends, whatever the file holds.
func FuzzEntityWalk(f *testing.F) {
	leaf := cbh.EntityLinks{Left: -1, Right: -1}
	f.Add(entityFile(1, leaf, cbh.EntityLinks{Left: 0, Right: 2}, leaf), byte('b'))
	f.Add(entityFile(0, cbh.EntityLinks{Left: 0, Right: 0}), byte('a'))
	f.Add(entityFile(2, leaf, cbh.EntityLinks{Left: 0, Right: -1, Balance: -1}, cbh.EntityLinks{Left: 1, Right: 3, Balance: -1}, leaf), byte('b'))
	f.Fuzz(func(t *testing.T, b []byte, from byte) {
		m := empty()
		m.put(".cbc", b)
		e, err := New(m).Entities(&cbh.Annotators.EntityFile)
		if err != nil {
			return
		}
		n := int32(0)
		for r, err := range e.Lookup().From(func(p []byte) bool { return p[0] < from }) {
			if n++; err == nil && (r.ID < 0 || r.ID >= e.Count) || n > e.Count+1 {
				t.Fatalf("step %d, record %d of %d", n, r.ID, e.Count)
			}
		}
	})
}
