package write_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// manyGames returns games without moves.
func manyGames(n int) *model.Database {
	db := &model.Database{}
	for range n {
		db.AddGame(model.NewGame())
	}
	return db
}

// TestCommitStopsWithTheContext: before the database is in place there is
// nothing to keep.
func TestCommitStopsWithTheContext(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "b.cbh")
	ctx, cancel := context.WithCancel(t.Context())
	sink := must.Get(write.Create(ctx, path, write.Options{}))(t)
	must.Do(t, sink.Begin(manyGames(0)))
	cancel()
	if err := sink.Commit(); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := sink.Abort(); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
