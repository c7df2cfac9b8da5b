package moveenc_test

import (
	"errors"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"

	"pgregory.net/rapid"
)

// What Trim leaves can be written; of a game with some other moves it is all
// that does not come after one of them.
func TestTrim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t, rapid.Bool().Draw(t, "chess960"))
		b := new(model.TreeBuilder)
		bad := map[int]bool{}
		for i, n := range g.moves.Nodes() {
			m := n.Move
			if rapid.IntRange(0, 9).Draw(t, "bad") == 0 {
				m, bad[i] = model.NewPromotion(model.A4, model.A4, model.Queen), true
			}
			b.Add(int(n.Parent), m)
		}
		moves := b.Tree() // in the same order, which was the stored one
		got := must.Get(moveenc.Trim(g.start, &moves))(t)
		must.Get(moveenc.Append(nil, g.start, &got.Moves, nil))(t)
		kept, cut, after := 0, 0, 0
		for i := range moves.Nodes() {
			lost := false
			for up := i; up != model.NoNode && !lost; up = moves.Parent(up) {
				lost = bad[up]
			}
			node := int(got.Order[i])
			if lost != (node == model.NoNode) {
				t.Fatalf("node %d has gone to %d", i, node)
			}
			if lost {
				cut++
				continue
			}
			kept++
			parent := model.NoNode
			if p := moves.Parent(i); p != model.NoNode {
				parent = int(got.Order[p])
			}
			if got.Moves.Move(node) != moves.Move(i) || got.Moves.Parent(node) != parent {
				t.Fatalf("node %d became %v after %d", i, got.Moves.Move(node), got.Moves.Parent(node))
			}
		}
		for _, c := range got.Cuts {
			if after += 1 + c.After; !bad[c.Node] || !errors.Is(c.Err, model.ErrCorrupt) {
				t.Fatalf("%+v", c)
			}
		}
		if kept != got.Moves.Len() || after != cut {
			t.Fatalf("%d moves of %d, %d said to be cut of %d", got.Moves.Len(), kept, after, cut)
		}
	})
}

// A game that can be written stays as it is.
func TestTrimOfGoodGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t, rapid.Bool().Draw(t, "chess960"))
		got, err := moveenc.Trim(g.start, &g.moves)
		if err != nil || len(got.Cuts) > 0 || !got.Moves.Equal(&g.moves) || !slices.IsSorted(got.Order) {
			t.Fatalf("%+v, %v", got.Cuts, err)
		}
	})
}

func TestTrimStart(t *testing.T) {
	kings := model.StartPosition()
	kings.Board[model.E5] = model.WhiteKing
	if _, err := moveenc.Trim(&kings, &model.Tree{}); !errors.Is(err, model.ErrUnsupported) {
		t.Errorf("two kings: %v", err)
	}
	// Castling with the inner of two rooks, when the record names the outer one.
	p := must.Get(board.ParseModel960("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1"))(t)
	var moves model.Tree
	moves.Append(model.NewCastling(model.E1, model.B1))
	got, err := moveenc.Trim(&p, &moves)
	if err != nil || len(got.Cuts) != 1 || !errors.Is(got.Cuts[0].Err, model.ErrUnsupported) {
		t.Errorf("%+v, %v", got, err)
	}
}
