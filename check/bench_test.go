package check_test

import (
	"context"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/corpus"
)

// benchGames is the number of games of the database below.
const benchGames = 6117

func BenchmarkDatabase(b *testing.B) {
	path := corpus.Path(b, "cbh/twic1134/twic1134.cbh")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := check.Database(context.Background(), path, check.Options{}).Summary(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(benchGames*b.N)/b.Elapsed().Seconds(), "games/s")
}

func BenchmarkVerify(b *testing.B) {
	path := corpus.Path(b, "cbh/twic1134/twic1134.cbh")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := check.Verify(context.Background(), path, check.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(benchGames*b.N)/b.Elapsed().Seconds(), "games/s")
}
