package ctgwrite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime/metrics"
	"testing"
	"time"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/model"
)

// peakHeap measures the most memory in use while f runs, in bytes.
func peakHeap(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	base, peak := sample[0].Value.Uint64(), uint64(0)
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
				metrics.Read(sample)
				peak = max(peak, sample[0].Value.Uint64())
			}
		}
	}()
	f()
	close(done)
	<-stopped
	return peak - min(peak, base)
}

// wideDatabase makes games of 60 plies in which nearly every position is new.
func wideDatabase(games int) *model.Database {
	rng := rand.New(rand.NewPCG(uint64(games), 0))
	db := new(model.Database)
	var moves []model.Move
	for range games {
		g := &model.Game{Header: model.NewHeader()}
		g.Result, g.WhiteElo, g.BlackElo = model.Draw, 2400, 2300
		p := board.Start()
		for range 60 {
			if moves = p.AppendLegal(moves[:0]); len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			g.Moves.Append(m)
			p.Make(m)
		}
		db.AddGame(g)
	}
	return db
}

// BenchmarkBuild builds books of random games, in which nearly every position
// is new: per op the time must grow with the positions and no more.
func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct{ games, memory int }{
		{1_800, 0}, {18_000, 0}, {18_000, 64 << 20}, {18_000, 16 << 20},
	} {
		name := fmt.Sprintf("games=%d/memory=%dMiB", c.games, c.memory>>20)
		b.Run(name, func(b *testing.B) {
			db := wideDatabase(c.games)
			dir := b.TempDir()
			var r ctgwrite.Result
			var peak uint64
			for b.Loop() {
				opt := ctgwrite.BuilderOptions{MaxPly: 60}
				opt.Force, opt.Memory, opt.TempDir = true, c.memory, dir
				peak = max(peak, peakHeap(func() { r = build(b, db, filepath.Join(dir, "b.ctg"), opt) }))
			}
			perOp := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(r.Positions), "positions")
			b.ReportMetric(float64(r.Positions)/perOp, "positions/s")
			b.ReportMetric(float64(r.Bytes)/float64(r.Positions), "bytes/position")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
		})
	}
}

// BenchmarkBuildLichess builds a book of real games, PGN parsing included.
func BenchmarkBuildLichess(b *testing.B) {
	dir := b.TempDir()
	var r ctgwrite.Result
	for b.Loop() {
		opt := ctgwrite.BuilderOptions{MaxPly: 60}
		opt.Force = true
		r = build(b, lichess(b), filepath.Join(dir, "b.ctg"), opt)
	}
	perOp := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(r.Positions)/perOp, "positions/s")
	b.ReportMetric(float64(r.Games)/perOp, "games/s")
}

// BenchmarkWrite rewrites a book in the exact form.
func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	source := filepath.Join(dir, "a.ctg")
	r := build(b, randomDatabase(2, 3000, 60), source, ctgwrite.BuilderOptions{})
	book := openBook(b, source)
	for b.Loop() {
		if _, err := ctgwrite.Write(context.Background(), filepath.Join(dir, "b.ctg"), book,
			ctgwrite.Options{Exact: true, Force: true}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(r.Positions)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// BenchmarkInsert puts entries into a book one by one.
func BenchmarkInsert(b *testing.B) {
	list := randomEntries(5, 20_000)
	path := filepath.Join(b.TempDir(), "a.ctg")
	for b.Loop() {
		removeBook(path)
		insert(b, path, list, ctgwrite.Options{Exact: true})
	}
	b.ReportMetric(float64(len(list))*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// BenchmarkProbe looks positions of a book up again, in an order without
// relation to that of the pages.
func BenchmarkProbe(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.ctg")
	build(b, randomDatabase(3, 3000, 60), path, ctgwrite.BuilderOptions{})
	book := openBook(b, path)
	var list []model.Position
	for i := range randomDatabase(3, 3000, 60).List {
		if i%10 == 0 {
			g := randomDatabase(3, i+1, 60).List[i].Game
			for _, p := range positions(g) {
				list = append(list, p.Model())
			}
		}
		if len(list) > 3000 {
			break
		}
	}
	var e model.BookEntry
	b.Run("entry", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if found, err := book.Find(list[i%len(list)], &e); !found || err != nil {
				b.Fatal(found, err)
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "probes/s")
	})
	b.Run("with figures of moves", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			found, err := book.Find(list[i%len(list)], &e)
			if err == nil {
				err = book.Figures(&e)
			}
			if !found || err != nil {
				b.Fatal(found, err)
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "probes/s")
	})
}
