package cbhdb

import (
	"slices"
	"testing"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/model"

	"pgregory.net/rapid"
)

// entityTable returns a file of so many players, some of them deleted, with the
// references to them.
func entityTable(t *rapid.T, n int) (*Table, []cbh.EntityUse) {
	e := &Entities{Kind: &cbh.Players.EntityFile, Count: int32(n)}
	e.Head = cbh.NewEntityHeader(e.Kind)
	table, uses := &Table{Entities: e, Tree: *avl.New()}, make([]cbh.EntityUse, n)
	names := rapid.SliceOfNDistinct(rapid.IntRange(0, 4*n), n, n, rapid.ID).Draw(t, "names")
	for id := range int32(n) {
		// Those of one game are alike.
		uses[id] = cbh.EntityUse{Count: int32(1 + rapid.IntRange(0, 1).Draw(t, "references")), First: id/2 + 1}
		payload, _ := cbh.Players.Append(nil, model.Player{LastName: string([]byte{'A' + byte(names[id]/26), 'a' + byte(names[id]%26)})}, cbh.CodePage{})
		uses[id].Put(payload)
		table.Records = append(append(table.Records, make([]byte, cbh.EntityLinksSize)...), payload...)
		if got, err := table.Tree.Allocate(); got != id || err != nil {
			t.Fatal(got)
		}
		if err := table.Tree.Insert(id, func(other int32) int { return table.Compare(id, other, false) }); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(n)-1), 0, n/4, rapid.ID).Draw(t, "deleted") {
		if err := table.Tree.Delete(id, func(other int32) int { return table.Compare(id, other, false) }); err != nil {
			t.Fatal(err)
		}
		if err := table.Tree.Release(id); err != nil {
			t.Fatal(err)
		}
		uses[id] = cbh.EntityUse{}
	}
	table.Head.Capacity = int32(n)
	return table, uses
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

// One entity record that is missing, there twice or exchanged with another is found
// by the links alone; an id never has another's record and is not uncertain.
func TestFindEntityRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "records")
		table, found := entityTable(t, n)
		slots := make([]int32, n)
		for i := range slots {
			slots[i] = int32(i)
		}
		at, how := rapid.IntRange(0, n-1).Draw(t, "at"), rapid.IntRange(0, 3).Draw(t, "how")
		switch how {
		case 0:
			slots = slices.Delete(slots, at, at+1)
		case 1:
			slots = slices.Insert(slots, at, slots[at])
		case 2:
			other := rapid.IntRange(0, n-1).Draw(t, "other")
			slots[at], slots[other] = slots[other], slots[at]
		}
		uses := Uses{Found: found, Whole: true}
		if rapid.Bool().Draw(t, "no references") {
			uses = Uses{}
		}
		damaged := table.arranged(slots)
		row, err := damaged.FindRow(func() (Uses, error) { return uses, nil })
		if err != nil {
			t.Fatal(err)
		}
		for id := range int32(n) {
			slot := row.Slot(id)
			isThere := slot != avl.None && int(slot) < len(slots)
			switch {
			case !table.IsLive(id):
			case isThere && slots[slot] != id:
				t.Fatalf("id %d has the record of %d; %q", id, slots[slot], row.Words(".cbp"))
			case isThere == (how == 0 && int(id) == at):
				t.Fatalf("id %d has its record: %v; %q", id, isThere, row.Words(".cbp"))
			case row.IsUncertain(id):
				t.Fatalf("id %d is doubtful; %q", id, row.Words(".cbp"))
			}
		}
	})
}

// Where there is no tree, counts prove it: an id that has another's record is uncertain,
// unless that is exchanged with one of which as many references tell the same.
func TestFindEntityRowByCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(t, "records")
		table, found := entityTable(t, n)
		for id := range table.Tree.Nodes {
			if node := &table.Tree.Nodes[id]; node.Live() {
				*node = avl.Node{Left: avl.None, Right: avl.None}
			}
		}
		table.Tree.Root = avl.None
		slots := make([]int32, n)
		for i := range slots {
			slots[i] = int32(i)
		}
		at, how := rapid.IntRange(0, n-1).Draw(t, "at"), rapid.IntRange(0, 2).Draw(t, "how")
		switch how {
		case 0:
			slots = slices.Delete(slots, at, at+1)
		case 1:
			slots = slices.Insert(slots, at, slots[at])
		case 2:
			other := rapid.IntRange(0, n-1).Draw(t, "other")
			if found[at] == found[other] {
				return // nothing proves it
			}
			slots[at], slots[other] = slots[other], slots[at]
		}
		damaged := table.arranged(slots)
		row, err := damaged.FindRow(func() (Uses, error) { return Uses{Found: found, Whole: true}, nil })
		if err != nil {
			t.Fatal(err)
		}
		for id := range int32(n) {
			slot := row.Slot(id)
			isThere := slot != avl.None && int(slot) < len(slots)
			if table.IsLive(id) && isThere && slots[slot] != id && !row.IsUncertain(id) {
				t.Fatalf("id %d has the record of %d; %q", id, slots[slot], row.Words(".cbp"))
			}
		}
	})
}
