package moveenc

import (
	"errors"
	"testing"

	"cbkit/board"
	"cbkit/internal/replay"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Decode finds the same move as board.Validate in games with variations where
// checks are overlooked now and then.
func TestExposedAgainstBoard(t *testing.T) {
	fens := append([]string{
		"8/8/8/K2pP2r/8/8/6q1/4k3 w - d6 0 1", // en passant opens a rank
		"4k3/8/8/8/7b/8/3P4/r2QK2R w K - 0 1",
		"q6k/8/8/8/8/8/6P1/7K w - - 0 1",
	}, acceptsFENs...)
	rapid.Check(t, func(t *rapid.T) {
		start := must.Get(board.ParseModel(rapid.SampledFrom(fens).Draw(t, "fen")))(t)
		tree := overlooking(t, &start)
		rec := must.Get(Append(nil, &start, &tree, nil))(t)
		g := Game{CheckKings: true}
		must.Do(t, Decode(rec, &g))
		want := model.NoNode
		var illegal *board.MoveError
		if errors.As(board.Validate(g.SetUp(), &g.Moves), &illegal) {
			want = illegal.Node
		}
		if g.Exposed != want {
			t.Fatalf("%v: exposed by move %d, board says %d: %v", board.FormatFEN(&start), g.Exposed, want, tree.Nodes())
		}
	})
}

// overlooking draws a game whose moves are accepted, and mostly legal.
func overlooking(t *rapid.T, start *model.Position) model.Tree {
	p := must.Get(board.New(start))(t)
	builder := new(model.TreeBuilder)
	after := []board.Position{p}
	for n := range rapid.IntRange(1, 40).Draw(t, "moves") {
		parent := n - 1
		if rapid.IntRange(0, 5).Draw(t, "branch") == 0 {
			parent = rapid.IntRange(-1, n-1).Draw(t, "parent")
		}
		p := after[parent+1]
		moves := append(p.AppendLegal(nil), model.NullMove)
		if rapid.IntRange(0, 20).Draw(t, "overlook") == 0 {
			moves = accepted(&p)
		}
		m := rapid.SampledFrom(moves).Draw(t, "move")
		builder.Add(parent, m)
		p.Make(m)
		after = append(after, p)
	}
	return builder.Tree()
}

// accepted returns all moves that are accepted but castling.
func accepted(p *board.Position) (moves []model.Move) {
	var b replay.Board
	b.Set(p, false)
	for m := range model.Move(1 << 15) {
		if _, ok := b.Accept(m); ok {
			moves = append(moves, m)
		}
	}
	return moves
}

// Without being asked, Decode does not look at kings.
func TestKingsNotAsked(t *testing.T) {
	start := must.Get(board.ParseModel("q6k/8/8/8/8/8/6P1/7K w - - 0 1"))(t)
	var moves model.Tree
	moves.Append(model.NewMove(model.G2, model.G4)) // opens the diagonal of the queen
	rec := must.Get(Append(nil, &start, &moves, nil))(t)
	for asked, want := range map[bool]int{false: model.NoNode, true: 0} {
		g := Game{CheckKings: asked}
		if err := Decode(rec, &g); err != nil || g.Exposed != want {
			t.Errorf("asked %v: exposed %d, %v", asked, g.Exposed, err)
		}
	}
}
