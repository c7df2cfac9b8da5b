package ctgwrite_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
)

// meter is the machine's file system, which counts the bytes that are read and written.
type meter struct {
	fsys.OS
	read, written atomic.Int64
}

func (c *meter) OpenFile(name string, flag int, perm fs.FileMode) (fsys.File, error) {
	f, err := c.OS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return meteredFile{f, c}, nil
}

type meteredFile struct {
	fsys.File
	meter *meter
}

func (f meteredFile) Read(b []byte) (int, error) {
	n, err := f.File.Read(b)
	f.meter.read.Add(int64(n))
	return n, err
}

func (f meteredFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b, at)
	f.meter.read.Add(int64(n))
	return n, err
}

func (f meteredFile) Write(b []byte) (int, error) {
	f.meter.written.Add(int64(len(b)))
	return f.File.Write(b)
}

func (f meteredFile) WriteAt(b []byte, at int64) (int, error) {
	f.meter.written.Add(int64(len(b)))
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

// addTo adds games to a book and counts what is read and written.
func addTo(tb testing.TB, path string, games *model.Database) (ctgwrite.EditResult, *meter) {
	tb.Helper()
	files, ctx := new(meter), context.Background()
	ed := must.Get(ctgwrite.Edit(ctx, path, ctgwrite.WithEditFiles(ctgwrite.EditOptions{AcceptLosses: true}, files)))(tb)
	defer ed.Close()
	b := ed.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	must.Do(tb, b.Add(ctx, games))
	must.Do(tb, ed.Add(ctx, b))
	must.Do(tb, ed.Commit())
	return ed.Result(), files
}

// Adding 100 games to a book of 1,000,000 positions reads 32 KiB for each new position
// and writes 16 KiB at most, journal included.
func TestAddCosts(t *testing.T) {
	positions := 1_000_000
	switch {
	case testing.Short():
		positions = 50_000
	case !seeds.InCI:
		positions = 200_000
	}
	path := filepath.Join(gen.Folder(t), "book.ctg")
	r := build(t, playedGames(1, positions/62, 80), path, ctgwrite.BuilderOptions{})
	if r.Positions < positions*9/10 {
		t.Fatalf("%+v: not enough positions", r)
	}
	did, files := addTo(t, path, playedGames(2, 100, 80))
	read, written := files.read.Load(), files.written.Load()
	t.Logf("to %d positions added %d and changed %d: read %d bytes, wrote %d, %.1f KiB for each new one",
		r.Positions, did.Added, did.Changed, read, written, float64(written)/1024/float64(did.Added))
	if did.Added < 1000 || read > int64(did.Added)<<15 || written > int64(did.Added)<<14 {
		t.Error("too much is read or written, or too few positions are new")
	}
}

// BenchmarkAdd adds 100 games to a book of 1,000,000 positions again and again.
func BenchmarkAdd(b *testing.B) {
	path := filepath.Join(gen.Folder(b), "book.ctg")
	build(b, playedGames(1, 1_000_000/62, 80), path, ctgwrite.BuilderOptions{})
	games := playedGames(2, 100, 80)
	for b.Loop() {
		addTo(b, path, games)
	}
}
