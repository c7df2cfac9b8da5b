package lines_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/board"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/lines"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/stats"
)

// ofText adds the games of a text to a repertoire.
func ofText(text string) *lines.Repertoire {
	r := lines.NewRepertoire()
	for rec, err := range pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}).Records(context.Background(), 1, model.WantMoves) {
		if err == nil {
			r.Add(rec.Game)
		}
	}
	return r
}

// Two repertoires part where one goes on in a position that the other does not have;
// another order of moves is no difference.
func ExampleRepertoire_Missing() {
	mine := ofText("1. d4 Nf6 2. c4 e6 (2... g6 3. Nc3 Bg7) 3. Nc3 *")
	theirs := ofText("1. c4 e6 2. d4 Nf6 3. Nc3 Bb4 (3... d5 4. Bg5) *")
	for l := range theirs.Missing(mine) {
		p := board.Start()
		fmt.Print(stats.FormatLine(p, l.Line), ": ")
		for _, m := range l.Line {
			p.Make(m)
		}
		fmt.Println(stats.FormatLine(p, l.Moves))
	}
	// Output:
	// 1.c4 e6 2.d4 Nf6 3.Nc3: 3...Bb4
	// 1.c4 e6 2.d4 Nf6 3.Nc3: 3...d5 4.Bg5
}

// ends returns the positions in which lines of games end, and all positions.
func ends(games []*model.Game) (last, all map[uint64]bool) {
	last, all = map[uint64]bool{}, map[uint64]bool{}
	moved := map[uint64]bool{}
	for _, g := range games {
		if p, err := board.New(g.Start); err == nil {
			all[p.PolyglotKey()] = true
		}
		for node, before := range board.Walk(g.Start, &g.Moves) {
			after := *before
			after.Make(g.Moves.Move(node))
			all[after.PolyglotKey()], moved[before.PolyglotKey()] = true, true
		}
	}
	for key := range all {
		if !moved[key] {
			last[key] = true
		}
	}
	return last, all
}

// What is missing of A in B is just the ends of A's lines that B does not have, each once
// and parting behind a position of B; of A in A nothing is.
func TestMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var games [2][]*model.Game
		var reps [2]*lines.Repertoire
		shared := rapid.SliceOfN(gen.Moves(gen.Config{}), 0, 2).Draw(t, "shared")
		for i := range games {
			games[i] = append(slices.Clone(shared), rapid.SliceOfN(gen.Moves(gen.Config{}), 0, 2).Draw(t, "games")...)
			reps[i] = lines.NewRepertoire()
			for _, g := range games[i] {
				reps[i].Add(g)
			}
		}
		for l := range reps[0].Missing(reps[0]) {
			t.Fatalf("of itself: %+v", l)
		}
		last, _ := ends(games[0])
		_, there := ends(games[1])
		found := map[uint64]bool{}
		for l := range reps[0].Missing(reps[1]) {
			p := must.Get(board.New(&l.Start))(t)
			for _, m := range l.Line {
				p.Make(m)
			}
			if len(l.Line) > 0 && !there[p.PolyglotKey()] || len(l.Moves) == 0 {
				t.Fatalf("parts behind what only one has: %+v", l)
			}
			for _, m := range l.Moves {
				if p.Make(m); there[p.PolyglotKey()] {
					t.Fatalf("comes back: %+v", l)
				}
			}
			key := p.PolyglotKey()
			if !last[key] || found[key] {
				t.Fatalf("no end, or twice: %+v", l)
			}
			found[key] = true
		}
		for key := range last {
			if !there[key] && !found[key] {
				// A game without moves has no line.
				if !slices.ContainsFunc(games[0], func(g *model.Game) bool {
					p, err := board.New(g.Start)
					return err == nil && p.PolyglotKey() == key
				}) {
					t.Fatalf("a line is not told")
				}
			}
		}
	})
}
