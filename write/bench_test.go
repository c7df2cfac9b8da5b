package write_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// reportGames adds games per second to a benchmark's figures.
func reportGames(b *testing.B, games int) {
	b.ReportMetric(float64(games)*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// lichessCopies returns PGN text with the games of the corpus several times.
func lichessCopies(b *testing.B, copies int) []byte {
	b.Helper()
	text := must.Get(os.ReadFile(corpus.Path(b, "pgn/lichess-big.pgn")))(b)
	return bytes.Repeat(text, copies)
}

// BenchmarkImport makes a database of 10,000 games of PGN with comments on
// every move.
func BenchmarkImport(b *testing.B) {
	text := lichessCopies(b, 10)
	b.SetBytes(int64(len(text)))
	for i := 0; b.Loop(); i++ {
		sink, err := write.Create(context.Background(), filepath.Join(b.TempDir(), fmt.Sprint("db", i)), write.Options{AcceptLosses: true})
		if err != nil {
			b.Fatal(err)
		}
		src := pgn.NewReader(bytes.NewReader(text), pgn.ReaderOptions{})
		if err := model.Copy(context.Background(), sink, src, model.CopyOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	reportGames(b, 10_000)
}

// BenchmarkCreate writes a database from games in memory, without comments
// (twic1134) and with (lichess).
func BenchmarkCreate(b *testing.B) {
	db, err := read.Open(corpus.Path(b, "cbh/twic1134/twic1134.cbh"), read.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for name, src := range map[string]model.Source{
		"plain":     db,
		"commented": pgn.NewReader(bytes.NewReader(lichessCopies(b, 1)), pgn.ReaderOptions{}),
	} {
		games, err := model.Load(context.Background(), src)
		if err != nil {
			b.Fatal(err)
		}
		games.Extra = nil // written afresh
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				sink, err := write.Create(context.Background(), filepath.Join(b.TempDir(), fmt.Sprint("db", i)), write.Options{AcceptLosses: true})
				if err != nil {
					b.Fatal(err)
				}
				if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			reportGames(b, len(games.List))
		})
	}
}

// BenchmarkCopy copies a ChessBase database as it is.
func BenchmarkCopy(b *testing.B) {
	db, err := read.Open(corpus.Path(b, "cbh/twic1134/twic1134.cbh"), read.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for i := 0; b.Loop(); i++ {
		sink, err := write.Create(context.Background(), filepath.Join(b.TempDir(), fmt.Sprint("db", i)), write.Options{AcceptLosses: true})
		if err != nil {
			b.Fatal(err)
		}
		if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	reportGames(b, db.Count())
}
