package moveenc

import (
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Decode finds the signs that a board finds, in games with variations, null moves
// in check, promotions and many pieces of a kind.
func TestSignsAgainstBoard(t *testing.T) {
	fens := append([]string{
		"r3k2r/PPPPPPPP/8/8/8/8/pppppppp/R3K2R w KQkq - 0 1",
		"k7/8/K7/8/1Q1Q1Q2/8/1Q1Q1Q2/5Q1Q w - - 0 1",  // more queens than have numbers
		"4k3/8/8/2N1N3/1N3N2/8/1N3N2/r2NK3 w - - 0 1", // one of them pinned
		"8/8/8/K2pP2r/8/8/6q1/4k3 w - d6 0 1",
		"r3k3/8/8/8/8/8/8/4K2R b - - 0 1",
		"4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", // in check without the move
	}, acceptsFENs...)
	rapid.Check(t, func(t *rapid.T) {
		start := must.Get(board.ParseModel(rapid.SampledFrom(fens).Draw(t, "fen")))(t)
		tree := overlooking(t, &start)
		CompareSigns(t, &start, &tree)
	})
}

// CompareSigns encodes a game, and decodes it with the signs of its moves and
// without.
func CompareSigns(t *rapid.T, start *model.Position, tree *model.Tree) {
	rec, err := Append(nil, start, tree, nil)
	if err != nil {
		t.Skip(err)
	}
	g := Game{WantSigns: true, CheckKings: rapid.Bool().Draw(t, "kings")}
	must.Do(t, Decode(rec, &g))
	if len(g.Signs) != g.Moves.Len() {
		t.Fatalf("%d signs of %d moves", len(g.Signs), g.Moves.Len())
	}
	p := must.Get(board.New(g.SetUp()))(t)
	after := []board.Position{p}
	for node, n := range g.Moves.Nodes() {
		p := after[n.Parent+1]
		if want := p.Sign(n.Move); g.Signs[node] != want {
			t.Fatalf("%s: %v has the sign %08b, on a board %08b", p.FEN(), n.Move, g.Signs[node], want)
		}
		p.Make(n.Move)
		after = append(after, p)
	}
	if g.WantSigns = false; Decode(rec, &g) != nil || len(g.Signs) > 0 {
		t.Fatalf("%d signs that were not wanted", len(g.Signs))
	}
}
