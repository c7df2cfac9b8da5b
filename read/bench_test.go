package read_test

import (
	"context"
	"os"
	"strconv"
	"testing"

	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// BenchmarkRecords reads a real database: headers alone, with moves, and with
// everything a copy needs.
func BenchmarkRecords(b *testing.B) {
	db, err := read.Open(corpus.Path(b, "cbh/twic1134/twic1134.cbh"), read.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for _, c := range []struct {
		name string
		want model.Want
	}{{"headers", model.WantHeaders}, {"moves", model.WantMoves}, {"all", model.WantAll}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range db.Records(context.Background(), 1, c.want) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(db.Count())*float64(b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
}

// benchGames is how many games BenchmarkHeadersWithNames makes: CBKIT_BENCH_GAMES,
// else 100,000.
func benchGames(b *testing.B) int {
	s := os.Getenv("CBKIT_BENCH_GAMES")
	if s == "" {
		return 100_000
	}
	return must.Get(strconv.Atoi(s))(b)
}

// BenchmarkHeadersWithNames passes over the headers of made games: records and
// stored headers, alone and with the names of both players; and it opens the
// database, and lists all players.
func BenchmarkHeadersWithNames(b *testing.B) {
	path := store(b, bulk.New(bulk.Options{Games: benchGames(b)}))
	database, err := read.Open(path, read.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer database.Close()
	db, players := database.(*read.ChessBase), &database.Entities().Players
	use := func(white, black model.EntityID) int {
		return len(players.Value(white).LastName) + len(players.Value(black).LastName)
	}
	n := 0
	records := func(names bool) func() {
		return func() {
			for rec := range db.Records(b.Context(), 1, model.WantHeaders) {
				if n += int(rec.Game.White); names {
					n += use(rec.Game.White, rec.Game.Black)
				}
			}
		}
	}
	for _, c := range []struct {
		name string
		pass func()
	}{
		{"records", records(false)},
		{"records and names", records(true)},
		{"headers", func() {
			for h := range db.Headers(b.Context(), 1) {
				n += int(h.White()) + int(h.Black()) + int(h.Result()) + int(h.Date().Year)
			}
		}},
		{"headers and names", func() {
			for h := range db.Headers(b.Context(), 1) {
				n += use(h.White(), h.Black()) + int(h.Result()) + int(h.Date().Year)
			}
		}},
		{"open", func() {
			again, err := read.Open(path, read.Options{})
			if err != nil {
				b.Fatal(err)
			}
			again.Close()
		}},
		{"list players", func() {
			for _, s := range players.All() {
				n += len(s.Value.LastName)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.pass()
			}
		})
	}
}

// BenchmarkRecord finds single games.
func BenchmarkRecord(b *testing.B) {
	db, err := read.Open(corpus.Path(b, "cbh/twic1134/twic1134.cbh"), read.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	id := model.RecordID(0)
	for b.Loop() {
		id = (id+997)%model.RecordID(db.Count()) + 1
		if _, err := db.Record(context.Background(), id, model.WantAll); err != nil {
			b.Fatal(err)
		}
	}
}
