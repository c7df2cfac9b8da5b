package house

import (
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"cbkit"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	_ "cbkit/parquet"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/search"
)

var heapGames = flag.Int("heap-games", 10_000, "how many games TestHeapIsFlat reads and writes; docs/library.md has the figures of a million")

// opened saves games and opens them, with one decoder.
func opened(t testing.TB, name string, games int) *cbkit.Source {
	t.Helper()
	path := filepath.Join(gen.Folder(t), name)
	must.Do(t, cbkit.Save(t.Context(), path, bulk.New(bulk.Options{Games: games}), cbkit.SaveOptions{AcceptLosses: true}))
	src := must.Get(cbkit.Open(path, cbkit.Options{Jobs: 1}))(t)
	t.Cleanup(func() { src.Close() })
	return src
}

// each goes through records and returns how many there are.
func each(t testing.TB, records iter.Seq2[model.Record, error]) (n int) {
	t.Helper()
	for range must.All(t, records) {
		n++
	}
	return n
}

// What each sequence of records allocates for a game, as docs/library.md says. The
// difference of two databases leaves out what is there once.
func TestAllocationsOfSequences(t *testing.T) {
	const few, many = 1000, 5000
	runs := 2
	if testing.Short() {
		runs = 1
	}
	type made struct {
		name  string
		games int
	}
	sources := map[made]*cbkit.Source{}
	all := model.WantMoves | model.WantAnnotations
	passes := map[string]func(*cbkit.Source) int{
		"headers": func(s *cbkit.Source) int { return each(t, s.Records(t.Context(), 1, model.WantHeaders)) },
		"records": func(s *cbkit.Source) int { return each(t, s.Records(t.Context(), 1, all)) },
		"kept":    func(s *cbkit.Source) int { return each(t, model.Kept(t.Context(), s, all)) },
		"games":   func(s *cbkit.Source) int { return each(t, model.Games(t.Context(), s, all)) },
		"read.Header": func(s *cbkit.Source) (n int) {
			for _, err := range s.Unwrap().(*read.ChessBase).Headers(t.Context(), 1) {
				if n++; err != nil {
					t.Fatal(err)
				}
			}
			return n
		},
		"selected": func(s *cbkit.Source) int {
			chosen := must.Get(search.Select(s, search.Games()))(t)
			return each(t, chosen.Records(t.Context(), 1, model.WantHeaders))
		},
	}
	for i, c := range []struct {
		name, pass string
		most       float64
	}{
		{"a.cbh", "read.Header", 0.1}, {"a.cbh", "headers", 0.1}, {"a.cbh", "records", 0.1}, {"a.cbh", "selected", 0.1},
		{"a.cbh", "kept", 2.1}, {"a.cbh", "games", 2.1}, {"b.dci", "headers", 0.1}, {"b.dci", "records", 2.1},
		{"c.pgn", "headers", 2.1}, {"c.pgn", "records", 2.1}, {"d.jsonl", "headers", 7.1}, {"d.jsonl", "records", 7.1},
	} {
		if testing.Short() && i%5 > 0 {
			continue
		}
		count := func(games int) float64 {
			src := sources[made{c.name, games}]
			if src == nil {
				src = opened(t, c.name, games)
				sources[made{c.name, games}] = src
			}
			return testing.AllocsPerRun(runs, func() {
				if n := passes[c.pass](src); n != games {
					t.Fatalf("%d games of %d", n, games)
				}
			})
		}
		if got := (count(many) - count(few)) / (many - few); got > c.most {
			t.Errorf("%s: %s: %.3f allocations for a game, more than %v", c.name, c.pass, got, c.most)
		} else {
			t.Logf("%s: %s: %.3f", c.name, c.pass, got)
		}
	}
}

// The heap does not grow with the games that are read, written, converted and edited in a
// text: what is there after half of them is there at the end.
func TestHeapIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads many games; without -short it does")
	}
	games := *heapGames
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	flat := func(name string, run func(step func(model.RecordID)) error) {
		var half, most uint64
		must.Do(t, run(func(id model.RecordID) {
			switch n := int(id); {
			case n == games/2:
				half = heap()
			case n > games/2 && n%(games/10) == 0:
				most = max(most, heap())
			}
		}))
		t.Logf("%s: %d games: %.1f MB after half, %.1f MB at most behind", name, games, float64(half)/1e6, float64(most)/1e6)
		if half == 0 || most == 0 || most > half+half/2+8<<20 {
			t.Errorf("%s: the heap has grown from %d to %d bytes", name, half, most)
		}
	}
	db, dir := opened(t, "a.cbh", games), gen.Folder(t)
	for _, target := range []string{"b.cbh", "c.pgn.zst", "d.jsonl.zst", "e.pgn", "f.jsonl", "g.parquet"} {
		flat(target, func(step func(model.RecordID)) error {
			opt := cbkit.SaveOptions{AcceptLosses: true, Fresh: true, Progress: step}
			return cbkit.Save(t.Context(), filepath.Join(dir, target), db, opt)
		})
	}
	for _, text := range []string{"e.pgn", "f.jsonl"} {
		f := must.Get(os.Open(filepath.Join(dir, text)))(t)
		defer f.Close()
		flat("edit of "+text, func(step func(model.RecordID)) error {
			change := func(rec *model.Record, _ *model.Entities) (model.Change, error) {
				step(rec.ID)
				rec.Game.Round = 77
				return model.ChangedHeader, nil
			}
			edit := func() (int, error) { return pgn.Edit(t.Context(), io.Discard, f, pgn.EditOptions{}, change) }
			if text == "f.jsonl" {
				edit = func() (int, error) { return jsonl.Edit(t.Context(), io.Discard, f, jsonl.EditOptions{}, change) }
			}
			changed, err := edit()
			if err == nil && changed < games*9/10 {
				err = fmt.Errorf("%d games are changed", changed)
			}
			return err
		})
	}
}

// Two goroutines read one open database, each with its own loop and one decoder.
func BenchmarkGoroutines(b *testing.B) {
	db := opened(b, "a.cbh", 20_000)
	for _, n := range []int{1, 2} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				var wait sync.WaitGroup
				for range n {
					wait.Go(func() {
						for _, err := range db.Records(context.Background(), 1, model.WantMoves) {
							if err != nil {
								b.Error(err)
							}
						}
					})
				}
				wait.Wait()
			}
			b.ReportMetric(float64(n*db.Count()*b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
}
