package ctgwrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
)

// readTree reads the one game of a text.
func readTree(t *testing.T, text string) *model.Game {
	t.Helper()
	var g *model.Game
	for rec, err := range pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}).Records(t.Context(), 1, model.WantMoves|model.WantAnnotations) {
		if err != nil || g != nil {
			t.Fatalf("%v, and a game before: %v", err, g != nil)
		}
		g = rec.Game.Clone()
	}
	return g
}

// edges returns the moves of all positions of a tree, by key.
func edges(p board.Position, tree *model.Tree) map[string]bool {
	found := map[string]bool{}
	var walk func(p board.Position, node int)
	walk = func(p board.Position, node int) {
		for n := range tree.Children(node) {
			found[fmt.Sprintf("%016x %v", p.PolyglotKey(), tree.Move(n))] = true
			next := p
			next.Make(tree.Move(n))
			walk(next, n)
		}
	}
	walk(p, model.NoNode)
	return found
}

// A tree has each move of each position that can be reached, and no other; with a limit
// of plies each that can be reached within it.
func TestPGNHasEveryMove(t *testing.T) {
	book, _ := randomBook(t, 80, 14)
	for _, plies := range []int{0, 1, 4, 7} {
		var out bytes.Buffer
		n := must.Get(WritePGN(t.Context(), &out, book, PGNOptions{MaxPly: plies}))(t)
		g := readTree(t, out.String())
		if g.Moves.Len() != n {
			t.Errorf("%d moves, %d are read", n, g.Moves.Len())
		}
		want := map[string]bool{}
		least := map[uint64]int{} // plies of a position
		var walk func(p board.Position, ply int)
		walk = func(p board.Position, ply int) {
			if before, seen := least[p.PolyglotKey()]; seen && before <= ply || plies > 0 && ply >= plies {
				return
			}
			least[p.PolyglotKey()] = ply
			e, err := book.Lookup(p)
			if errors.Is(err, model.ErrNoRecord) {
				return
			} else if err != nil {
				t.Fatal(err)
			}
			for _, m := range e.Moves {
				want[fmt.Sprintf("%016x %v", p.PolyglotKey(), m.Move)] = true
				next := p
				next.Make(m.Move)
				walk(next, ply+1)
			}
		}
		walk(board.Start(), 0)
		if got := edges(board.Start(), &g.Moves); !maps.Equal(got, want) {
			t.Errorf("%d plies: %d moves of positions, want %d", plies, len(got), len(want))
		}
		for node := range g.Moves.Len() {
			if plies > 0 && g.Moves.Ply(node) >= plies {
				t.Fatalf("a move after %d plies of %d", g.Moves.Ply(node), plies)
			}
		}
	}
}

// A book that leads back to where it began has an end, and a line that ends in another
// names it.
func TestPGNTranspositions(t *testing.T) {
	var out bytes.Buffer
	db := new(model.Database)
	for _, line := range []string{"1. d4 Nf6 2. c4 e6 1-0", "1. d4 d5 1-0", "1. c4 Nf6 2. d4 1/2-1/2", "1. Nf3 Nf6 2. Ng1 Ng8 *"} {
		g := readTree(t, line)
		g.WhiteElo = 2400
		db.AddGame(g)
	}
	must.Get(WritePGN(t.Context(), &out, bookOf(t, db), PGNOptions{Name: "My book"}))(t)
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		`[Event "My book"]`, "= 1.d4 Nf6 2.c4", "= the first position", "1. d4 {+2 =0 -0, 2400} (1. c4 {+0 =1 -0, 2400}",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if _, err := WritePGN(t.Context(), &out, bookOf(t, db), PGNOptions{MinGames: 100}); !errors.Is(err, ErrTree) {
		t.Errorf("a book without a move: %v", err)
	}
}

// A tree that no reader takes is refused, and nothing is written.
func TestPGNTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a tree of as many moves as a game may have")
	}
	var out bytes.Buffer
	if _, err := WritePGN(t.Context(), &out, endless{}, PGNOptions{}); !errors.Is(err, ErrTree) || out.Len() > 0 {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := WritePGN(ctx, &out, endless{}, PGNOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// endless is a book of all moves of all positions.
type endless struct{ model.Book }

func (endless) Figures(*model.BookEntry) error { return nil }

func (endless) Find(p model.Position, e *model.BookEntry) (bool, error) {
	at, err := board.New(&p)
	e.Moves = e.Moves[:0]
	for _, m := range at.AppendLegal(nil) {
		e.Moves = append(e.Moves, model.BookMove{Move: m, MoveWeight: 1})
	}
	return true, err
}
