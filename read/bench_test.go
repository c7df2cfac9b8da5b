package read_test

import (
	"context"
	"testing"

	"cbkit/internal/corpus"
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
