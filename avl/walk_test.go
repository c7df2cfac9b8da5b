package avl

import (
	"iter"
	"slices"
	"testing"
)

// A loop over records may stop at any of them and go over them again.
func TestIterationStops(t *testing.T) {
	k := sample(t)
	for name, seq := range map[string]iter.Seq[int32]{
		"All": k.All(), "From": k.From(k.find("c")), "LiveIDs": k.LiveIDs(),
		"Equal": k.Equal(func(int32) int { return 0 }),
	} {
		all := slices.Collect(seq)
		for n := range len(all) {
			var got []int32
			for id := range seq {
				if got = append(got, id); len(got) > n {
					break
				}
			}
			if !slices.Equal(got, all[:n+1]) {
				t.Errorf("%s stopped after %d: %v of %v", name, n+1, got, all)
			}
		}
	}
}

// Old programs wrote a live count of 0 beside a live record
// (docs/formats/real-databases.md 10): it is read all the same.
func TestReadDespiteLiveCount(t *testing.T) {
	k := letters(t, "a")
	k.Live = 0
	if id, ok := k.Find(k.find("a")); !ok || id != 0 {
		t.Errorf("found %d, %v", id, ok)
	}
	if got := slices.Collect(k.All()); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestEmptyTree(t *testing.T) {
	for _, root := range []int32{0, None, 5, Deleted} {
		for _, nodes := range [][]Node{nil, {{Deleted, None, 0}}} {
			k := newKeyed[string]()
			k.Tree = &Tree{Nodes: slices.Clone(nodes), Root: root, Free: int32(len(nodes)) - 1}
			if _, ok := k.Find(k.find("a")); ok || k.Height() != 0 || len(slices.Collect(k.All())) > 0 {
				t.Errorf("root %d: something in an empty tree", root)
			}
			if id := k.add(t, "a"); id != 0 || k.Root != 0 {
				t.Errorf("root %d: first id %d, then root %d", root, id, k.Root)
			}
			mustBeSound(t, k.Tree, k.order)
		}
	}
}
