package read_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// TestConcurrentUse: several goroutines read one ChessBase database, each in
// its own way. The race detector has the last word.
func TestConcurrentUse(t *testing.T) {
	db := must.Get(read.Open(newDatabase(t, 600), read.Options{Jobs: 2}))(t)
	defer db.Close()
	ctx := t.Context()
	uses := []func() error{
		func() error { return db.Preflight(ctx) },
		func() error { _, err := db.Info(ctx); return err },
		func() error { _, err := model.Load(ctx, db); return err },
		func() error { _, err := model.Load(ctx, db); return err },
		func() error {
			for id := range model.RecordID(100) {
				rec, err := db.Record(ctx, id+1, model.WantAll)
				if err != nil {
					return err
				}
				if _, ok := db.Entities().Players.Get(rec.Game.White); !ok {
					return errors.New("a player is missing")
				}
			}
			return nil
		},
	}
	var group sync.WaitGroup
	for i, use := range uses {
		group.Go(func() {
			if err := use(); err != nil {
				t.Errorf("use %d: %v", i, err)
			}
		})
	}
	group.Wait()
}

// TestRecordStopsWithTheContext in both formats.
func TestRecordStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, db := range map[string]read.Database{"cbh": new(read.ChessBase), "dci": new(read.SimpleDB)} {
		if _, err := db.Record(ctx, 1, model.WantAll); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
