package ctgwrite_test

import (
	"context"
	"testing"
	"time"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
)

func lichess(t testing.TB) *pgn.Reader {
	t.Helper()
	return must.Get(pgn.Open(pgn.ReaderOptions{}, corpus.Path(t, "pgn/lichess-big.pgn")))(t)
}

// TestLichess builds a book of real games and finds every position of every
// game again, with our reader and with the naive one; moves and figures equal
// a recount with maps.
func TestLichess(t *testing.T) {
	path := bookPath(t)
	opt := ctgwrite.BuilderOptions{MaxPly: 60}
	opt.OnError = func(err error) error { t.Log(err); return nil }
	began := time.Now()
	r := build(t, lichess(t), path, opt)
	took := time.Since(began)

	want := newRecount(60, false)
	book, naive := openBook(t, path), openNaive(t, path)
	visits := 0
	var e model.BookEntry
	for rec, err := range lichess(t).Records(context.Background(), 1, model.WantMoves) {
		if err != nil {
			t.Log(err)
			continue
		}
		want.add(rec.Game)
		for ply, p := range positions(rec.Game) {
			if ply > 60 {
				break
			}
			visits++
			key, _ := ctg.Encode(p)
			if _, _, found := naive.find(key.Bytes()); !found {
				t.Fatalf("the naive reader misses %s", p.FEN())
			}
			m := p.Model()
			if found, err := book.Find(m, &e); !found || err != nil {
				t.Fatalf("our reader misses %s: %v", p.FEN(), err)
			}
		}
	}
	want.checkBook(t, path, 0)
	// The numbers of book B of docs/formats/ctg.md 8, which another program wrote.
	if r.Games != 1000 || r.Positions != 46241 || r.Pages != 1006 || r.Positions != len(want.positions) {
		t.Errorf("%+v; want 1000 games, 46241 positions, 1006 pages; the recount has %d positions", r, len(want.positions))
	}
	t.Logf("%d games, %d visits, %d positions, %d pages, %.1f bytes of file a position, built in %v",
		r.Games, visits, r.Positions, r.Pages, float64(r.Bytes)/float64(r.Positions), took)
}

// positions yields the positions of a game's main line, the last one too, by
// the number of plies before it.
func positions(g *model.Game) func(func(int, *board.Position) bool) {
	return func(yield func(int, *board.Position) bool) {
		n := 0
		var last board.Position
		for node, p := range board.Replay(g.Start, &g.Moves) {
			if !yield(n, p) {
				return
			}
			last = *p
			last.Make(g.Moves.Move(node))
			n++
		}
		if n > 0 {
			yield(n, &last)
		}
	}
}
