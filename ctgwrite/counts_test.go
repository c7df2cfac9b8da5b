package ctgwrite_test

import (
	"context"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// counted counts the games of a database as an engine does: a line for each
// position, as a FEN without its counters, and move.
func counted(db *model.Database, maxPly int) iter.Seq2[*model.BookCount, error] {
	type key struct{ fen, move string }
	lines := map[key]*model.BookCount{}
	var order []key
	for _, rec := range db.List {
		g := rec.Game
		if g == nil || rec.Deleted || g.MovesErr != nil || g.Start != nil && g.Start.Chess960 {
			continue
		}
		p, err := board.New(g.Start)
		if err != nil {
			continue
		}
		seen := map[uint64]bool{}
		for ply := 0; ; ply++ {
			k := key{fen: strings.Join(strings.Fields(p.FEN())[:4], " ")}
			m, last := model.NullMove, ply == g.Moves.MainLen() || maxPly > 0 && ply == maxPly
			if !last {
				m = g.Moves.Move(ply)
				last = m.IsNull() || !p.Legal(m)
			}
			if !last {
				k.move = m.String()
			}
			c := lines[k]
			if c == nil {
				c = &model.BookCount{Position: p.Model(), Move: m, HasMove: !last}
				lines[k], order = c, append(order, k)
			}
			c.Played++
			if book := p.BookKey(); !seen[book] {
				seen[book] = true
				countGame(c, g, p.Turn())
			}
			if last {
				break
			}
			p.Make(m)
		}
	}
	return func(yield func(*model.BookCount, error) bool) {
		for _, k := range order {
			if !yield(lines[k], nil) {
				return
			}
		}
	}
}

// countGame adds a game to the figures of a line.
func countGame(c *model.BookCount, g *model.Game, turn model.Color) {
	own, opponent, tenths := uint64(g.WhiteElo), uint64(g.BlackElo), uint64(5)
	won, lost := &c.Wins, &c.Losses
	if turn == model.Black {
		own, opponent, won, lost = opponent, own, lost, won
	}
	c.Games++
	judged := g.LineEvaluation
	for _, a := range g.AnnotationsAt(g.Moves.MainLen() - 1) {
		if s, ok := a.Value.(model.Symbols); ok && judged == 0 {
			judged = s.Position
		}
	}
	switch g.Result.String() {
	case "1-0":
		*won++
		tenths = 10
	case "0-1":
		*lost++
		tenths = 0
	case "1/2-1/2":
		c.Draws++
	case "*":
		if n, ok := map[model.NAG]uint64{14: 6, 15: 4, 16: 7, 17: 3, 18: 9, 19: 1}[judged]; ok {
			tenths = n
		}
	}
	if turn == model.Black {
		tenths = 10 - tenths
	}
	if g.Result == model.BothLose {
		tenths = 0
	}
	c.Score += tenths
	if own > 0 {
		c.OwnGames++
		c.OwnSum += own
	}
	if opponent > 0 {
		c.OpponentGames++
		c.OpponentSum += opponent
	}
}

// TestCountsMakeTheSameBook builds a book of games and one of what was counted
// of them: all files are the same, byte for byte.
func TestCountsMakeTheSameBook(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(rt *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(rt, "db")
		for i := range db.List { // of others a book has nothing, or not all
			if g := db.List[i].Game; g != nil && g.Start != nil && g.Start.Chess960 {
				db.List[i].Deleted = true
			}
		}
		opt := ctgwrite.BuilderOptions{
			MaxPly:  rapid.SampledFrom([]int{0, 0, 3}).Draw(rt, "max ply"),
			Options: ctgwrite.Options{Force: true, Memory: 1 << 20, TempDir: dir, AcceptLosses: true},
		}
		games, counts := filepath.Join(dir, "games.ctg"), filepath.Join(dir, "counts.ctg")
		build(t, db, games, opt)
		b := ctgwrite.NewBuilder(opt)
		defer b.Close()
		if err := b.AddCounts(context.Background(), counted(db, opt.MaxPly)); err != nil {
			rt.Fatal(err)
		}
		if _, err := b.Write(context.Background(), counts); err != nil {
			rt.Fatal(err)
		}
		if d := cmp.Diff(files(t, games), files(t, counts)); d != "" {
			rt.Fatalf("the book of counts differs (-games +counts):\n%s", d)
		}
	})
}

// TestCountsThatCannotBe refuses figures that contradict each other.
func TestCountsThatCannotBe(t *testing.T) {
	start := model.StartPosition()
	for name, c := range map[string]model.BookCount{
		"more outcomes than games": {Games: 1, Wins: 1, Draws: 1},
		"more points than games":   {Games: 1, Score: 11},
		"more ratings than games":  {Games: 1, OwnGames: 2},
		"ratings above 65535":      {Games: 1, OpponentGames: 1, OpponentSum: 65536},
		"beyond 64 bits":           {Games: 1 << 60},
	} {
		c.Position = start
		b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Options: ctgwrite.Options{TempDir: gen.Folder(t)}})
		err := b.AddCounts(t.Context(), func(yield func(*model.BookCount, error) bool) { yield(&c, nil) })
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
