package parquet_test

import (
	"context"
	"iter"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/read"
)

// repeated is a database that is read over and over until so many games have
// come, as one large database would be.
type repeated struct {
	read.Database
	games int
}

// Count implements [model.Source].
func (r repeated) Count() int { return r.games }

// LegalMoves implements [model.Referee], as the database does.
func (r repeated) LegalMoves() bool { return true }

// Records implements [model.Source].
func (r repeated) Records(ctx context.Context, _ model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for n := 0; n < r.games; {
			for rec, err := range r.Database.Records(ctx, 1, want) {
				if n++; n > r.games {
					return
				}
				rec.ID = model.RecordID(n)
				if !yield(rec, err) {
					return
				}
			}
		}
	}
}

// benchGames is how many games a benchmark writes: CBKIT_BENCH_GAMES, else as
// many as twic1134 has.
func benchGames(b *testing.B) int {
	s := os.Getenv("CBKIT_BENCH_GAMES")
	if s == "" {
		return 6117
	}
	return must.Get(strconv.Atoi(s))(b)
}

// counted counts bytes.
type counted struct{ n int64 }

func (c *counted) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// cpuTime returns what the process has used on all processors.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchmarkWrite(b *testing.B, opt parquet.Options) {
	db := must.Get(read.Open(corpus.Path(b, "cbh/twic1134/twic1134.cbh"), read.Options{}))(b)
	defer db.Close()
	games := benchGames(b)
	rows, size := int64(0), int64(0)
	b.ReportAllocs()
	cpu := cpuTime(b)
	for b.Loop() {
		var out counted
		opt.AcceptLosses = true
		w, err := parquet.NewWriter(&out, opt)
		if err != nil {
			b.Fatal(err)
		}
		if err := model.Copy(b.Context(), w, repeated{db, games}, model.CopyOptions{}); err != nil {
			b.Fatal(err)
		}
		rows, _ = w.Rows(opt.Tables[0])
		size = out.n
	}
	cpu = cpuTime(b) - cpu
	n := float64(b.N) * float64(rows)
	b.ReportMetric(n/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(cpu.Nanoseconds())/n, "cpu-ns/row")
	b.ReportMetric(float64(size)/float64(rows), "bytes/row")
}

func BenchmarkGames(b *testing.B) {
	benchmarkWrite(b, parquet.Options{Tables: []parquet.Table{parquet.Games}})
}

func BenchmarkGamesWithoutGame(b *testing.B) {
	benchmarkWrite(b, parquet.Options{Tables: []parquet.Table{parquet.Games}, NoGame: true})
}

func BenchmarkPositions(b *testing.B) {
	benchmarkWrite(b, parquet.Options{Tables: []parquet.Table{parquet.Positions}})
}

func BenchmarkPositionsWithFEN(b *testing.B) {
	benchmarkWrite(b, parquet.Options{Tables: []parquet.Table{parquet.Positions}, FEN: true})
}
