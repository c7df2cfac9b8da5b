package read_test

import (
	"testing"

	"cbkit/internal/dcdb"
	"cbkit/model"
	"cbkit/read"
)

// A number of jobs that makes no sense is not an error, and not a panic.
func TestJobsOutOfRange(t *testing.T) {
	for _, path := range []string{newDatabase(t, 5), newSimple(dcdb.V1, []byte{}, []byte{}).save(t, t.TempDir())} {
		for _, n := range []int{-3, 2_000_000_000} {
			db, err := read.Open(path, read.Options{Jobs: n})
			if err != nil {
				t.Fatal(err)
			}
			games := 0
			for _, err := range db.Records(t.Context(), 1, model.WantAll) {
				if err != nil {
					t.Fatal(err)
				}
				games++
			}
			if games != db.Count() {
				t.Errorf("%s, %d jobs: %d of %d records", path, n, games, db.Count())
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
