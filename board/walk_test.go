package board_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// drawTree draws a game with variations and the position before each move.
func drawTree(t *rapid.T, start *model.Position) (model.Tree, []board.Position) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	b := new(model.TreeBuilder)
	var before, after []board.Position // by number of adding
	for n := range r.IntN(100) {
		parent := n - 1
		if r.IntN(4) == 0 {
			parent = r.IntN(n+1) - 1
		}
		p := open(t, start)
		if parent >= 0 {
			p = after[parent]
		}
		m := model.NullMove
		if moves := p.AppendLegal(nil); len(moves) > 0 && r.IntN(20) > 0 {
			m = moves[r.IntN(len(moves))]
		}
		b.Add(parent, m)
		before = append(before, p)
		p.Make(m)
		after = append(after, p)
	}
	var tree model.Tree
	order := b.Build(&tree)
	if order == nil {
		return tree, before
	}
	sorted := make([]board.Position, len(before))
	for i, node := range order {
		sorted[node] = before[i]
	}
	return tree, sorted
}

func TestWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := drawStart(t)
		tree, want := drawTree(t, &start)
		next := 0
		for node, p := range board.Walk(&start, &tree) {
			if node != next || *p != want[node] {
				t.Fatalf("node %d, want %d: %s, want %s", node, next, p.FEN(), want[node].FEN())
			}
			next++
		}
		if next != tree.Len() {
			t.Fatalf("%d nodes of %d", next, tree.Len())
		}
		must.Do(t, board.Validate(&start, &tree))
		var line []int
		for node, p := range board.Replay(&start, &tree) {
			line = append(line, node)
			if *p != want[node] {
				t.Fatalf("node %d: %s, want %s", node, p.FEN(), want[node].FEN())
			}
		}
		if !slices.Equal(line, slices.Collect(tree.Line(model.NoNode))) {
			t.Fatalf("main line %v", line)
		}
		for node := range tree.Len() {
			got, err := board.After(&start, &tree, tree.Parent(node))
			if err != nil || got != want[node] {
				t.Fatalf("after the parent of %d: %s (%v), want %s", node, got.FEN(), err, want[node].FEN())
			}
		}
	})
}

func TestWalkStops(t *testing.T) {
	var tree model.Tree
	for range 10 {
		tree.Append(model.NullMove)
	}
	n := 0
	for node := range board.Walk(nil, &tree) {
		if n = node; n == 4 {
			break
		}
	}
	for node := range board.Replay(nil, &tree) {
		if n += node; node == 3 {
			break
		}
	}
	if n != 4+0+1+2+3 {
		t.Errorf("stopped at %d", n)
	}
	tree = game()
	for node := range board.Walk(nil, &tree) {
		if n = node; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("stopped at %d", n)
	}
}

// An alternative to every move of a very long game: time and memory stay
// linear.
func TestWalkDeepTree(t *testing.T) {
	b := new(model.TreeBuilder)
	parent := model.NoNode
	for range 50_000 {
		next := b.Add(parent, model.NullMove)
		b.Add(parent, model.NullMove)
		parent = next
	}
	tree := b.Tree()
	n := 0
	for range board.Walk(nil, &tree) {
		n++
	}
	if n != 100_000 {
		t.Errorf("%d nodes", n)
	}
}

func TestValidate(t *testing.T) {
	var tree model.Tree
	for _, m := range []model.Move{
		model.NewMove(model.E2, model.E4), model.NullMove, model.NewMove(model.G1, model.F3),
		model.NullMove, model.NewMove(model.F3, model.F5),
	} {
		tree.Append(m)
	}
	err := board.Validate(nil, &tree)
	var e *board.MoveError
	if !errors.As(err, &e) || e.Node != 4 || e.Move != tree.Move(4) {
		t.Fatalf("got %v", err)
	}
	const want = "move f3f5 (node 4) is not legal in rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 3 3"
	if err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	bad := model.StartPosition()
	bad.Board[model.D4] = model.WhiteKing
	if err := board.Validate(&bad, &tree); !errors.Is(err, board.TwoKings) {
		t.Errorf("two kings: %v", err)
	}
	if _, err := board.After(&bad, &tree, 0); !errors.Is(err, board.TwoKings) {
		t.Errorf("two kings: %v", err)
	}
	for range board.Walk(&bad, &tree) {
		t.Error("a walk from a bad start yields something")
	}
}
