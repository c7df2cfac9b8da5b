package write_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// codesFound returns the codes of what a check finds.
func codesFound(t *testing.T, path string) map[string]string {
	t.Helper()
	codes := map[string]string{}
	made := check.Database(t.Context(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		codes[f.Code] = f.String()
	}
	must.Get(made.Summary())(t)
	return codes
}

// Copying some of the records of a real database, whichever, and by whichever
// writer, adds no finding that the database itself does not have.
func TestCopyOfSomeAddsNoFindings(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 1
	}
	for _, name := range []string{"hedgehog/Hedgehog", "mate2/Mate2", "small/small", "cbh_cbj_test/cbh_cbj_test"} {
		path := corpus.Path(t, "cbh/"+name+".cbh")
		was := codesFound(t, path)
		for seed := range rounds {
			r := rand.New(rand.NewPCG(uint64(seed), 10))
			share := r.Float64()
			kept := map[model.RecordID]bool{}
			keep := func(rec model.Record) bool {
				if _, drawn := kept[rec.ID]; !drawn {
					kept[rec.ID] = r.Float64() < share
				}
				return kept[rec.ID]
			}
			for writer, begin := range someWriters {
				db := openDatabase(t, path)
				target := filepath.Join(gen.Folder(t), "some.cbh")
				sink, err := begin(target, db)
				if err == nil {
					err = model.Copy(context.Background(), sink, db, model.CopyOptions{Keep: keep})
				}
				if err != nil {
					t.Fatalf("%s by %s: %v", name, writer, err)
				}
				for code, what := range codesFound(t, target) {
					if was[code] == "" {
						t.Errorf("%s by %s, seed %d: %s", name, writer, seed, what)
					}
				}
			}
		}
	}
}

// someWriters begin a ChessBase database of another one.
var someWriters = map[string]func(path string, db *read.ChessBase) (model.Sink, error){
	"Create": func(path string, _ *read.ChessBase) (model.Sink, error) {
		return sinkOf(write.Create(context.Background(), path, write.Options{AcceptLosses: true}))
	},
	"CreateCopy": func(path string, db *read.ChessBase) (model.Sink, error) {
		return sinkOf(write.CreateCopy(context.Background(), path, db, write.Options{AcceptLosses: true}))
	},
}

func sinkOf[S model.Sink](sink S, err error) (model.Sink, error) {
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	return sink, nil
}
