package search_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/roomy"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"
)

// largeGames is the size of the database that is searched.
const largeGames = 200_000

// repeated is a source that yields the games of another one again and again,
// every time between other players: those of the first round keep their names,
// the others get the number of the round as their first name.
type repeated struct {
	model.Source
	tables model.Entities
	games  int
}

// Entities implements model.Source.
func (r *repeated) Entities() *model.Entities { return &r.tables }

// Count implements model.Source.
func (r *repeated) Count() int { return r.games }

// Leftover implements model.Source.
func (r *repeated) Leftover() *model.Leftover { return nil }

// Records implements model.Source.
func (r *repeated) Records(ctx context.Context, _ model.RecordID, _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		players := &r.Source.Entities().Players
		for n, round := 0, 0; n < r.games; round++ {
			for rec, err := range r.Source.Records(ctx, 1, model.WantMoves) {
				if err != nil || n == r.games {
					break
				}
				for _, id := range []*model.EntityID{&rec.Game.White, &rec.Game.Black} {
					p := players.Value(*id)
					if round > 0 {
						p.FirstName = fmt.Sprint(round)
					}
					*id = r.tables.Players.Intern(p)
				}
				n++
				rec.ID = model.RecordID(n)
				if !yield(rec, nil) {
					return
				}
			}
		}
	}
}

// largeDatabase writes the database that is searched, once for all benchmarks.
var largeDatabase = sync.OnceValues(func() (path string, err error) {
	dir, err := os.MkdirTemp("", "cbkit-search")
	if err != nil {
		return "", err
	}
	db, err := read.Open(largeSource, read.Options{})
	if err != nil {
		return "", err
	}
	defer db.Close()
	src := &repeated{Source: db, tables: db.Entities().Clone(), games: largeGames}
	path = filepath.Join(dir, "large.cbh")
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err == nil {
		err = model.Copy(context.Background(), sink, src, model.CopyOptions{})
	}
	if err != nil {
		return "", err
	}
	start := time.Now()
	_, err = write.Boosters(context.Background(), path, write.BoosterOptions{})
	fmt.Printf("%d games; boosters computed at %.0f games/s\n", largeGames, largeGames/time.Since(start).Seconds())
	return path, err
})

// largeSource is the database whose games are repeated.
var largeSource string

func TestMain(m *testing.M) {
	status := roomy.Run(m)
	if largeSource != "" {
		if path, err := largeDatabase(); err == nil {
			os.RemoveAll(filepath.Dir(path))
		}
	}
	os.Exit(status)
}

// BenchmarkFind searches a database of 200,000 games with boosters and without.
// Opening the database is part of the time.
func BenchmarkFind(b *testing.B) {
	largeSource = corpus.Path(b, "cbh/twic1134/twic1134.cbh")
	path, err := largeDatabase()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, query string }{
		{"player", `player:"Neuman, P"`},
		{"prefix", "player:potapov*"},
		{"opponents", "opponents:Neuman*/?*"},
		{"tournament", "tournament:*Poikovsky*"},
		{"player-piece", "player:Svidler* piece:Nd5"},
		{"fen", `fen:"1n1r2k1/6p1/1Q2p2p/3P4/1P1P4/P1R5/3K1q1P/6R1 w - - 0 26"`},
		{"piece", "piece:Ka8"},
		{"pawns", "pawns:8/pp3pp1/2p1p2p/8/2PP4/8/PP3PPP/8"},
		{"end", "end:KQ-KR"},
	} {
		condition, err := search.Parse(c.query)
		if err != nil {
			b.Fatal(err)
		}
		var want []model.RecordID
		var slow time.Duration
		for _, boosters := range []bool{false, true} {
			name := c.name + "/scan"
			if boosters {
				name = c.name + "/boosters"
			}
			b.Run(name, func(b *testing.B) {
				var result search.Result
				for b.Loop() {
					result = findOnce(b, path, condition, !boosters)
				}
				each := b.Elapsed() / time.Duration(b.N)
				if boosters {
					b.ReportMetric(float64(slow)/float64(each), "times-faster")
					if !slices.Equal(result.IDs, want) {
						b.Errorf("%d games with boosters, %d without", len(result.IDs), len(want))
					}
				} else {
					slow, want = each, result.IDs
				}
				b.ReportMetric(float64(len(result.IDs)), "found")
			})
		}
	}
}

func findOnce(b *testing.B, path string, c search.Condition, noBoosters bool) search.Result {
	s := must.Get(search.Open(path, search.Options{NoBoosters: noBoosters}))(b)
	defer s.Close()
	return must.Get(s.Find(context.Background(), c))(b)
}
