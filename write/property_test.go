package write_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"cbkit/internal/testkit/gen"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// clock stands still, so that the same input gives the same bytes.
func clock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// trip writes a database to a new file and reads it back.
func trip(t require, dir string, db model.Source, opt write.Options) (*model.Database, []model.Loss) {
	t.Helper()
	var losses []model.Loss
	opt.Now, opt.Report = clock, func(l model.Loss) { losses = append(losses, l) }
	path := filepath.Join(dir, "trip.cbh")
	opt.Force = true
	sink, err := write.Create(context.Background(), path, opt)
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
		t.Fatalf("Copy: %v", err)
	}
	return loaded(t, path, opt.CodePage), losses
}

// copyTrip copies those records of the database that trip has written which keep
// selects, and reads the copy.
func copyTrip(t require, dir, codePage string, keep func(model.Record) bool) *model.Database {
	t.Helper()
	db, err := read.Open(filepath.Join(dir, "trip.cbh"), read.Options{CodePage: codePage})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	defer db.Close()
	path := filepath.Join(dir, "copy.cbh")
	sink, err := write.CreateCopy(context.Background(), path, db.(*read.ChessBase), write.Options{Force: true})
	if err != nil {
		t.Fatalf("CreateCopy: %v", err)
	}
	if err := model.Copy(context.Background(), sink, db, model.CopyOptions{Keep: keep}); err != nil {
		t.Fatalf("Copy: %v", err)
	}
	return loaded(t, path, codePage)
}

// loaded reads everything of a database.
func loaded(t require, path, codePage string) *model.Database {
	t.Helper()
	again, err := read.Open(path, read.Options{CodePage: codePage})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	defer again.Close()
	if err := again.Preflight(context.Background()); err != nil {
		t.Fatalf("Preflight: %v", err)
	}
	back, err := model.Load(context.Background(), again)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return back
}

// require is the part of testing.T and rapid.T that the tests use.
type require interface {
	Helper()
	Fatalf(format string, args ...any)
}

// difference explains where two databases are not equal.
func difference(a, b *model.Database) string {
	if len(a.List) != len(b.List) {
		return cmp.Diff(len(a.List), len(b.List))
	}
	for i := range a.List {
		x, y := a.List[i], b.List[i]
		if model.EqualRecords(x, &a.Tables, y, &b.Tables) {
			continue
		}
		if x.Game != nil && y.Game != nil {
			return cmp.Diff(x.Game.Resolve(&a.Tables), y.Game.Resolve(&b.Tables))
		}
		if x.Text != nil && y.Text != nil {
			return cmp.Diff(x.Text.Resolve(&a.Tables), y.Text.Resolve(&b.Tables))
		}
		return "one is a game, the other a text"
	}
	return ""
}

// What is not reported as lost reads back, and what has been through the
// format once goes through it again unchanged.
func TestDatabaseRoundTrip(t *testing.T) {
	lossless := 0
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		c := gen.Config{NoTags: true, NoHalfMoves: true, NameBytes: rapid.SampledFrom([]int{12, 60}).Draw(t, "name bytes")}
		db := gen.Database(c).Draw(t, "database")
		page := rapid.SampledFrom([]string{"", "1251", "koi8-r", "437"}).Draw(t, "code page")
		once, losses := trip(t, dir, db, write.Options{CodePage: page})
		if len(losses) == 0 {
			lossless++
			if !model.Equal(db, once) {
				t.Fatalf("nothing was reported, but there is a difference:\n%s", difference(db, once))
			}
		}
		if copied := copyTrip(t, dir, page, nil); !model.Identical(once, copied) {
			t.Fatalf("a copy is not identical:\n%s", difference(once, copied))
		}
		twice, losses := trip(t, dir, once, write.Options{CodePage: page})
		if len(losses) > 0 {
			t.Fatalf("second trip: %v", losses)
		}
		if !model.Equal(once, twice) {
			t.Fatalf("second trip:\n%s", difference(once, twice))
		}
	})
	if lossless == 0 {
		t.Error("no database went through without a loss")
	}
}
