package model_test

import (
	"fmt"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

// Any tree is rebuilt by adding its own nodes in order, into memory that held
// another one before.
func TestAddStoredRebuildsAnyTree(t *testing.T) {
	var reused model.Tree
	rapid.Check(t, func(t *rapid.T) {
		b := new(model.TreeBuilder)
		for i := range rapid.IntRange(0, 60).Draw(t, "moves") {
			b.Add(rapid.IntRange(model.NoNode, i-1).Draw(t, "parent"), model.Move(i+1))
		}
		want := b.Tree()
		reused.Reset()
		for i, n := range want.Nodes() {
			if got := reused.AddStored(int(n.Parent), n.Move); got != i {
				t.Fatalf("move %d became node %d", i, got)
			}
		}
		if !reused.Equal(&want) {
			t.Fatalf("got %v, want %v", reused.Nodes(), want.Nodes())
		}
	})
}

func TestAddStoredPanicsOutOfOrder(t *testing.T) {
	for _, parent := range []int{-2, 1, 4, 1 << 20} {
		var tree model.Tree
		// Node 1 and what follows it are complete once node 3 is there.
		for _, p := range []int{-1, 0, 1, 0} {
			tree.AddStored(p, 1)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("parent %d: no panic", parent)
				}
			}()
			tree.AddStored(parent, 1)
		}()
	}
}

// A position with very many alternatives must not take quadratic time.
func TestAddStoredManyAlternatives(t *testing.T) {
	const n = 1 << 20
	var tree model.Tree
	for i := range n {
		tree.AddStored(model.NoNode, model.Move(i))
	}
	seen := 0
	for range tree.Children(model.NoNode) {
		seen++
	}
	if seen != n {
		t.Fatalf("%d first moves, want %d", seen, n)
	}
}

func TestAddStoredDoesNotAllocateOnceWarm(t *testing.T) {
	var tree model.Tree
	build := func() {
		tree.Reset()
		for i := range 100 {
			tree.AddStored(i-1, 1)
		}
		tree.AddStored(50, 2)
	}
	if allocs := testing.AllocsPerRun(10, build); allocs != 0 {
		t.Fatalf("%v allocations", allocs)
	}
}

func ExampleTree_AddStored() {
	// 1.e4 e5 (1...c5)
	var tree model.Tree
	e4 := tree.AddStored(model.NoNode, model.NewMove(model.E2, model.E4))
	e5 := tree.AddStored(e4, model.NewMove(model.E7, model.E5))
	tree.AddStored(e4, model.NewMove(model.C7, model.C5))
	fmt.Println(tree.Move(tree.NextAlternative(e5)))
	// Output: c7c5
}
