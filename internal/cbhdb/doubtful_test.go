package cbhdb

import (
	"slices"
	"testing"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// entityTable returns a file of so many players, some of them deleted, with the
// references to them.
func entityTable(t *rapid.T, n int) (*Table, []cbh.EntityUse) {
	names := rapid.SliceOfNDistinct(rapid.IntRange(0, 4*n), n, n, rapid.ID).Draw(t, "names")
	uses := make([]cbh.EntityUse, n)
	for id := range int32(n) {
		// Those of one game are alike.
		uses[id] = cbh.EntityUse{Count: int32(1 + rapid.IntRange(0, 1).Draw(t, "references")), First: id/2 + 1}
	}
	return tableOf(t, names, uses, rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(n)-1), 0, n/4, rapid.ID).Draw(t, "deleted"))
}

// tableOf returns a file of players with these names and references, some of them deleted.
func tableOf(t must.TB, names []int, uses []cbh.EntityUse, deleted []int32) (*Table, []cbh.EntityUse) {
	n := int32(len(names))
	e := &Entities{Kind: &cbh.Players.EntityFile, Count: n}
	e.Head = cbh.NewEntityHeader(e.Kind)
	table := &Table{Entities: e, Tree: *avl.New()}
	for id := range n {
		payload, _ := cbh.Players.Append(nil, model.Player{LastName: string([]byte{'A' + byte(names[id]/26), 'a' + byte(names[id]%26)})}, cbh.CodePage{})
		uses[id].Put(payload)
		table.Records = append(append(table.Records, make([]byte, cbh.EntityLinksSize)...), payload...)
		if got, err := table.Tree.Allocate(); got != id || err != nil {
			t.Fatal(got)
		}
		must.Do(t, table.Tree.Insert(id, func(other int32) int { return table.Compare(id, other, false) }))
	}
	for _, id := range deleted {
		must.Do(t, table.Tree.Delete(id, func(other int32) int { return table.Compare(id, other, false) }))
		must.Do(t, table.Tree.Release(id))
		uses[id] = cbh.EntityUse{}
	}
	table.Head.Capacity = n
	return table, uses
}

// A live record that was exchanged with a deleted one is known by the links alone: one leads
// to the deleted one, and none to the live one.
func TestDoubtfulDeleted(t *testing.T) {
	for live := int32(1); live < 7; live++ {
		table, _ := tableOf(t, []int{0, 1, 2, 3, 4, 5, 28}, make([]cbh.EntityUse, 7), []int32{0})
		slots := []int32{0, 1, 2, 3, 4, 5, 6}
		slots[0], slots[live] = live, 0
		doubtful, err := table.arranged(slots).Doubtful(func() (Uses, error) { return Uses{}, nil })
		if err != nil || !slices.Equal(doubtful, []int32{0, live}) {
			t.Errorf("%d: %v, %v", live, doubtful, err)
		}
	}
}

// arranged returns a table of the records of another one, as they stand now.
func (t *Table) arranged(slots []int32) *Table {
	e := *t.Entities
	e.Count = int32(len(slots))
	to := &Table{Entities: &e, Tree: *t.Tree.Clone()}
	to.Tree.Nodes = nil
	for _, slot := range slots {
		to.Records = append(to.Records, t.record(slot)...)
		to.Tree.Nodes = append(to.Tree.Nodes, t.Tree.Nodes[slot])
	}
	return to
}

// Of one entity record that is missing, there twice or exchanged with another, no id
// whose record is another's is certain; in a file that is sound, or
// cut and has links, all are.
func TestDoubtful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "records")
		table, found := entityTable(t, n)
		uses := Uses{Found: found, Whole: true}
		hasTree := rapid.Bool().Draw(t, "links")
		if hasTree && rapid.Bool().Draw(t, "no references") {
			uses = Uses{}
		}
		if !hasTree {
			for id := range table.Tree.Nodes {
				if node := &table.Tree.Nodes[id]; node.Live() {
					*node = avl.Node{Left: avl.None, Right: avl.None}
				}
			}
			table.Tree.Root = avl.None
		}
		slots := make([]int32, n)
		for i := range slots {
			slots[i] = int32(i)
		}
		at, how := rapid.IntRange(0, n-1).Draw(t, "at"), rapid.IntRange(0, 4).Draw(t, "how")
		switch how {
		case 0:
			slots = slices.Delete(slots, at, at+1)
			uses = Uses{Found: found, Whole: true} // the links may be those of a file that is cut
		case 1:
			slots = slices.Insert(slots, at, slots[at])
		case 2:
			other := rapid.IntRange(0, n-1).Draw(t, "other")
			if !hasTree && found[at] == found[other] {
				return // nothing shows it
			}
			slots[at], slots[other] = slots[other], slots[at]
		case 3:
			slots = slots[:at]
		}
		damaged := table.arranged(slots)
		doubtful := must.Get(damaged.Doubtful(func() (Uses, error) { return uses, nil }))(t)
		if how >= 3 && (hasTree || how == 4) && slices.ContainsFunc(doubtful, table.IsLive) {
			t.Fatalf("of %d the first %d are there; doubtful are %v", n, len(slots), doubtful)
		}
		for id, slot := range slots {
			if id < n && slot != int32(id) && table.IsLive(int32(id)) && !slices.Contains(doubtful, int32(id)) {
				t.Fatalf("id %d has the record of %d; doubtful are %v", id, slot, doubtful)
			}
		}
	})
}
