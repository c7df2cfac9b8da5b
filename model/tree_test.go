package model_test

import (
	"slices"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

// pointerNode is a move of a tree as textbooks draw it.
type pointerNode struct {
	move     model.Move
	added    int // the number Add gave it
	parent   *pointerNode
	children []*pointerNode
}

// preorder lists the nodes below n: each before its children.
func (n *pointerNode) preorder(list []*pointerNode) []*pointerNode {
	for _, c := range n.children {
		list = append(list, c)
		list = c.preorder(list)
	}
	return list
}

// drawTree adds moves to a builder and to a tree of pointers alike.
func drawTree(t *rapid.T, b *model.TreeBuilder) (root *pointerNode) {
	root = &pointerNode{added: model.NoNode}
	nodes := []*pointerNode{root}
	branching := rapid.IntRange(0, 4).Draw(t, "branching")
	for i := range rapid.IntRange(0, 30).Draw(t, "moves") {
		parent := nodes[len(nodes)-1]
		if rapid.IntRange(0, 4).Draw(t, "branch") < branching {
			parent = rapid.SampledFrom(nodes).Draw(t, "parent")
		}
		n := &pointerNode{move: model.Move(rapid.Uint16().Draw(t, "move")), added: i, parent: parent}
		parent.children = append(parent.children, n)
		nodes = append(nodes, n)
		if got := b.Add(parent.added, n.move); got != i || b.Len() != i+1 || b.Parent(got) != parent.added {
			t.Fatalf("Add returns %d for move %d, Len is %d, Parent %d", got, i, b.Len(), b.Parent(got))
		}
	}
	return root
}

func TestTreeBuilder(t *testing.T) {
	builder := new(model.TreeBuilder) // used again and again
	var tree model.Tree
	rapid.Check(t, func(t *rapid.T) {
		builder.Reset()
		root := drawTree(t, builder)
		order := builder.Build(&tree)
		stored := root.preorder(nil)
		if tree.Len() != len(stored) {
			t.Fatalf("%d nodes, want %d", tree.Len(), len(stored))
		}
		index := map[*pointerNode]int{root: model.NoNode}
		for i, n := range stored {
			index[n] = i
			at := n.added
			if order != nil {
				at = int(order[n.added])
			}
			if at != i {
				t.Fatalf("move %d has gone to node %d, want %d", n.added, at, i)
			}
		}
		checkNode(t, &tree, root, index)
		for _, n := range stored {
			checkNode(t, &tree, n, index)
			checkMove(t, &tree, n, index)
		}
		checkMainLine(t, &tree, root)
	})
}

// checkNode compares what follows a node.
func checkNode(t *rapid.T, tree *model.Tree, n *pointerNode, index map[*pointerNode]int) {
	var children []int
	for _, c := range n.children {
		children = append(children, index[c])
	}
	node := index[n]
	if got := slices.Collect(tree.Children(node)); !slices.Equal(got, children) {
		t.Fatalf("node %d: children %v, want %v", node, got, children)
	}
	next := model.NoNode
	if len(children) > 0 {
		next = children[0]
	}
	if got := tree.Main(node); got != next {
		t.Fatalf("node %d: main continuation %d, want %d", node, got, next)
	}
	var line []int
	if n.parent != nil {
		line = append(line, node)
	}
	for m := n; len(m.children) > 0; {
		m = m.children[0]
		line = append(line, index[m])
	}
	if got := slices.Collect(tree.Line(node)); !slices.Equal(got, line) {
		t.Fatalf("node %d: line %v, want %v", node, got, line)
	}
}

// checkMove compares what a node itself is, and what stands beside it.
func checkMove(t *rapid.T, tree *model.Tree, n *pointerNode, index map[*pointerNode]int) {
	node := index[n]
	if tree.Move(node) != n.move || tree.Parent(node) != index[n.parent] {
		t.Fatalf("node %d: move %v after %d, want %v after %d", node, tree.Move(node), tree.Parent(node), n.move, index[n.parent])
	}
	ply := 0
	for p := n.parent; p.parent != nil; p = p.parent {
		ply++
	}
	if got := tree.Ply(node); got != ply {
		t.Fatalf("node %d: ply %d, want %d", node, got, ply)
	}
	place := slices.Index(n.parent.children, n)
	if got := tree.IsMain(node); got != (place == 0) {
		t.Fatalf("node %d: IsMain %v at place %d", node, got, place)
	}
	var alternatives []int
	for _, c := range n.parent.children[place+1:] {
		alternatives = append(alternatives, index[c])
	}
	if got := slices.Collect(tree.Alternatives(node)); !slices.Equal(got, alternatives) {
		t.Fatalf("node %d: alternatives %v, want %v", node, got, alternatives)
	}
	next := model.NoNode
	if len(alternatives) > 0 {
		next = alternatives[0]
	}
	if got := tree.NextAlternative(node); got != next {
		t.Fatalf("node %d: next alternative %d, want %d", node, got, next)
	}
}

func checkMainLine(t *rapid.T, tree *model.Tree, root *pointerNode) {
	plies, variations := 0, false
	for n := root; len(n.children) > 0; n = n.children[0] {
		plies++
	}
	for _, n := range append(root.preorder(nil), root) {
		variations = variations || len(n.children) > 1
	}
	if tree.MainLen() != plies || tree.HasVariations() != variations {
		t.Fatalf("main line of %d plies, variations %v; want %d, %v", tree.MainLen(), tree.HasVariations(), plies, variations)
	}
}

// TestStoredOrder is the example of the specification (docs/formats/cba.md 4): the
// alternative that was met last comes first.
func TestStoredOrder(t *testing.T) {
	uci := func(s string) model.Move {
		from, _ := model.ParseSquare(s[:2])
		to, _ := model.ParseSquare(s[2:])
		return model.NewMove(from, to)
	}
	b := new(model.TreeBuilder) // in PGN order: 1.e4 c5 (1...c6 2.d4) 2.Nf3 (2.c3)
	e4 := b.Add(model.NoNode, uci("e2e4"))
	c5 := b.Add(e4, uci("c7c5"))
	c6 := b.Add(e4, uci("c7c6"))
	b.Add(c6, uci("d2d4"))
	b.Add(c5, uci("g1f3"))
	b.Add(c5, uci("c2c3"))
	tree := b.Tree()
	var moves []string
	for _, n := range tree.Nodes() {
		moves = append(moves, n.Move.String())
	}
	want := []string{"e2e4", "c7c5", "g1f3", "c2c3", "c7c6", "d2d4"}
	if !slices.Equal(moves, want) {
		t.Errorf("have %v, want %v", moves, want)
	}
}

func TestTreeAppend(t *testing.T) {
	var tree model.Tree
	b := new(model.TreeBuilder)
	last := model.NoNode
	for i := range 5 {
		m := model.Move(i)
		if got := tree.Append(m); got != i {
			t.Fatalf("Append returns %d, want %d", got, i)
		}
		last = b.Add(last, m)
	}
	if built := b.Tree(); !tree.Equal(&built) {
		t.Errorf("have %v, want %v", tree.Nodes(), built.Nodes())
	}
	copied := tree.Clone()
	copied.Append(7)
	if tree.Len() != 5 || tree.Equal(&copied) {
		t.Error("a clone shares its moves")
	}
	b.Add(model.NoNode, 9)
	branched := b.Tree()
	defer func() {
		if recover() == nil {
			t.Error("Append to a tree with variations does not panic")
		}
	}()
	branched.Append(1)
}

// TestIterationStops leaves every loop over a tree early.
func TestIterationStops(t *testing.T) {
	b := new(model.TreeBuilder)
	for range 3 {
		b.Add(b.Add(model.NoNode, 1), 2)
	}
	tree := b.Tree()
	n := 0
	for range tree.Children(model.NoNode) {
		n++
		break
	}
	for range tree.Alternatives(0) {
		n++
		break
	}
	for range tree.Line(model.NoNode) {
		n++
		break
	}
	if n != 3 {
		t.Errorf("%d steps, want 3", n)
	}
}

func TestTreeBuilderReuse(t *testing.T) {
	b := new(model.TreeBuilder)
	var tree model.Tree
	build := func() {
		b.Reset()
		for i := range 100 {
			b.Add(i/2-1, model.Move(i))
		}
		b.Build(&tree)
	}
	build()
	if n := testing.AllocsPerRun(10, build); n != 0 {
		t.Errorf("%v allocations per game", n)
	}
}

func BenchmarkTreeBuilder(b *testing.B) {
	builder := new(model.TreeBuilder)
	var tree model.Tree
	const plies = 120
	for b.Loop() {
		builder.Reset()
		for i := range plies {
			parent := i - 1
			if i%10 == 9 {
				parent = i - 3
			}
			builder.Add(parent, model.Move(i))
		}
		builder.Build(&tree)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/plies, "ns/ply")
}

func TestZeroTreeBuilder(t *testing.T) {
	var b model.TreeBuilder
	var tree model.Tree
	if b.Build(&tree); tree.Len() != 0 {
		t.Errorf("%d moves", tree.Len())
	}
	first := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(first, model.NewMove(model.E7, model.E5))
	b.Add(model.NoNode, model.NewMove(model.D2, model.D4))
	if b.Build(&tree); tree.Len() != 3 || tree.MainLen() != 2 {
		t.Errorf("%d moves, %d in the main line", tree.Len(), tree.MainLen())
	}
}
