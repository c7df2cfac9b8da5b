package write_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

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

// TestNewBoostersStopWithTheContext: the boosters of a new database are computed
// after it is in place. They show how far they are and stop with the context,
// and the database stays.
func TestNewBoostersStopWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.cbh")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const games = 2000
	told := 0
	sink, err := write.Create(path, write.Options{
		Boosters: true, Context: ctx, Jobs: 1,
		Progress: func(done, total int) {
			told++
			if total != games {
				t.Errorf("%d of %d records, there are %d", done, total, games)
			}
			cancel()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = model.Copy(context.WithoutCancel(ctx), sink, manyGames(games), model.CopyOptions{})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, write.ErrNoBoosters) || told != 1 {
		t.Fatalf("error %v, told of progress %d times", err, told)
	}
	files := findFiles(t, path)
	if !files.Has(".cbh") || files.Has(".cbb") || files.Has(".cit") {
		t.Errorf("files %v, want a database without boosters", files.Endings())
	}
}

// TestCommitStopsWithTheContext: before the database is in place there is
// nothing to keep.
func TestCommitStopsWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.cbh")
	ctx, cancel := context.WithCancel(t.Context())
	sink, err := write.Create(path, write.Options{Context: ctx})
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Begin(manyGames(0)); err != nil {
		t.Fatal(err)
	}
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
