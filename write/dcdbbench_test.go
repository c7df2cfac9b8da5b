package write_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// benchGames is how many games the benchmarks of Simple Chess Databases have.
const benchGames = 100_000

// repeated is a database whose games come again and again.
type repeated struct {
	*model.Database
	games []*model.Game
}

func (r *repeated) Count() int { return benchGames }

func (r *repeated) Records(_ context.Context, from model.RecordID, _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for id := from; id <= benchGames; id++ {
			if !yield(model.Record{ID: id, Game: r.games[int(id)%len(r.games)]}, nil) {
				return
			}
		}
	}
}

// repeatedTwic returns the games of twic1134, repeated.
func repeatedTwic(b *testing.B) *repeated {
	db := must.Get(read.Open(corpus.Path(b, "cbh/twic1134/twic1134.cbh"), read.Options{}))(b)
	defer db.Close()
	r := &repeated{Database: loadSource(b, db)}
	for _, rec := range r.List {
		if rec.Game != nil {
			r.games = append(r.games, rec.Game)
		}
	}
	return r
}

// simpleSize returns the size of all files of a database.
func simpleSize(b *testing.B, path string) (size int64) {
	for _, ext := range []string{".dci", ".dcn", ".dcs", ".dce", ".dcg"} {
		info := must.Get(os.Stat(strings.TrimSuffix(path, ".dci") + ext))(b)
		size += info.Size()
	}
	return size
}

// report reports the rate at which databases of a size were gone through.
func report(b *testing.B, size int64) {
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(benchGames)*float64(b.N)/seconds, "games/s")
	b.ReportMetric(float64(size)*float64(b.N)/seconds/1e6, "MB/s")
}

func BenchmarkSimpleWrite(b *testing.B) {
	src := repeatedTwic(b)
	for _, layout := range layouts {
		b.Run(layout.String(), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "bench.dci")
			for b.Loop() {
				sink, err := write.CreateSimple(context.Background(), path, write.Options{Layout: layout, Force: true})
				if err != nil {
					b.Fatal(err)
				}
				if err := model.Copy(context.Background(), sink, src, model.CopyOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			report(b, simpleSize(b, path))
		})
	}
}

func BenchmarkSimpleRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "bench.dci")
	writeSimple(b, path, repeatedTwic(b), write.Options{})
	for _, v := range []struct {
		name string
		want model.Want
	}{{"headers", model.WantHeaders}, {"moves", model.WantMoves}, {"all", model.WantAll}} {
		for _, jobs := range []int{1, 0} {
			b.Run(fmt.Sprintf("%s/jobs=%d", v.name, jobs), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					db, err := read.Open(path, read.Options{Jobs: jobs})
					if err != nil {
						b.Fatal(err)
					}
					for _, err := range db.Records(context.Background(), 1, v.want) {
						if err != nil {
							b.Fatal(err)
						}
					}
					db.Close()
				}
				report(b, simpleSize(b, path))
			})
		}
	}
}
