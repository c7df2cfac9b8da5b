package pgn

import (
	"bytes"
	"context"
	"io"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// benchmarkText returns lichess-big.pgn.
func benchmarkText(b *testing.B) (text []byte, games int) {
	db, text := benchmarkGames(b)
	return text, len(db.List)
}

func benchmarkGames(b *testing.B) (*model.Database, []byte) {
	b.Helper()
	text := corpus.Read(b, "pgn/lichess-big.pgn")
	db := must.Get(model.Load(context.Background(), NewReader(bytes.NewReader(text), ReaderOptions{})))(b)
	return db, text
}

func BenchmarkParse(b *testing.B) {
	for _, bench := range []struct {
		name string
		want model.Want
	}{
		{"all", model.WantAll},
		{"moves", model.WantMoves},
	} {
		b.Run(bench.name, func(b *testing.B) {
			text, games := benchmarkText(b)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := NewReader(bytes.NewReader(text), ReaderOptions{})
				for _, err := range r.Records(context.Background(), 1, bench.want) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(games)*float64(b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	db, text := benchmarkGames(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(io.Discard, WriterOptions{AcceptLosses: true})
		if err := model.Copy(context.Background(), w, db, model.CopyOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(db.List))*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

func BenchmarkSplit(b *testing.B) {
	text, _ := benchmarkText(b)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		splitAll(bytes.NewReader(text))
	}
}
