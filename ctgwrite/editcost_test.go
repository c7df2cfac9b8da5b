package ctgwrite_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// meter is the machine's file system, which counts the bytes that are written.
type meter struct {
	fsys.OS
	written atomic.Int64
}

func (c *meter) OpenFile(name string, flag int, perm fs.FileMode) (fsys.File, error) {
	f, err := c.OS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return meteredFile{f, &c.written}, nil
}

type meteredFile struct {
	fsys.File
	written *atomic.Int64
}

func (f meteredFile) Write(b []byte) (int, error) {
	f.written.Add(int64(len(b)))
	return f.File.Write(b)
}

func (f meteredFile) WriteAt(b []byte, at int64) (int, error) {
	f.written.Add(int64(len(b)))
	return f.File.WriteAt(b, at)
}

// playedGames makes games of so many plies that share their first moves as games
// do: each move is one of a few, and more of them come later.
func playedGames(seed uint64, games, plies int) *model.Database {
	rng := rand.New(rand.NewPCG(seed, 0))
	db := new(model.Database)
	var moves []model.Move
	for range games {
		g := &model.Game{Header: model.NewHeader()}
		g.Result, g.WhiteElo, g.BlackElo = model.Draw, 2400, 2300
		p := board.Start()
		for ply := range plies {
			if moves = p.AppendLegal(moves[:0]); len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(min(len(moves), 2+ply/3))]
			g.Moves.Append(m)
			p.Make(m)
		}
		db.AddGame(g)
	}
	return db
}

// Adding 100 games to a book of 1,000,000 positions takes less than a quarter of
// the time that building it takes, and writes 16 KiB for each new position at most,
// journal included.
func TestAddCosts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a book of 1,000,000 positions")
	}
	const positions = 1_000_000
	path := filepath.Join(t.TempDir(), "book.ctg")
	db := playedGames(1, positions/62, 80)
	begin := time.Now()
	r := build(t, db, path, ctgwrite.BuilderOptions{})
	building := time.Since(begin)
	if r.Positions < positions {
		t.Fatalf("%+v: not enough positions", r)
	}
	files := new(meter)
	begin = time.Now()
	ctx := context.Background()
	ed, err := ctgwrite.Edit(ctx, path, ctgwrite.WithEditFiles(ctgwrite.EditOptions{AcceptLosses: true}, files))
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Close()
	b := ed.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	if err := b.Add(ctx, playedGames(2, 100, 80)); err != nil {
		t.Fatal(err)
	}
	if err := ed.Add(ctx, b); err != nil {
		t.Fatal(err)
	}
	if err := ed.Commit(); err != nil {
		t.Fatal(err)
	}
	adding, did := time.Since(begin), ed.Result()
	written := files.written.Load()
	t.Logf("built %d positions in %v; added %d and changed %d in %v, and wrote %d bytes, %.1f KiB for each new one",
		r.Positions, building, did.Added, did.Changed, adding, written, float64(written)/1024/float64(did.Added))
	if adding > building/4 {
		t.Error("adding takes too long")
	}
	if did.Added < 1000 || written > int64(did.Added)<<14 {
		t.Error("too much is written, or too few positions are new")
	}
}
