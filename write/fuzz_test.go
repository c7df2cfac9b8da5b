package write_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// faultless looks for errors in a database.
func faultless(t *testing.T, path string) {
	t.Helper()
	made := check.Database(context.Background(), path, check.Options{Jobs: 1})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			t.Errorf("%v", f)
		}
	}
	_, err := made.Summary()
	if err != nil {
		t.Error(err)
	}
}

// Whatever JSON Lines hold, leftovers too, a database that is made of them without
// a word about damage has none.
func FuzzJSONLines(f *testing.F) {
	db := fuzzDatabase(1)
	source := filepath.Join(f.TempDir(), "source.cbh")
	sink := must.Get(write.Create(context.Background(), source, write.Options{AcceptLosses: true}))(f)
	must.Do(f, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	stored := must.Get(read.Open(source, read.Options{}))(f)
	defer stored.Close()
	var lines bytes.Buffer
	must.Do(f, model.Copy(context.Background(), jsonl.NewWriter(&lines, jsonl.WriterOptions{}), stored, model.CopyOptions{}))
	f.Add(lines.Bytes())
	for line := range bytes.Lines(lines.Bytes()) {
		f.Add(line)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(dir, "games.cbh")
		sink := must.Get(write.Create(context.Background(), path, write.Options{Force: true, AcceptLosses: true}))(t)
		damaged := false
		err := model.Copy(context.Background(), sink, jsonl.NewReader(bytes.NewReader(text), jsonl.ReaderOptions{}), model.CopyOptions{
			Keep: func(r model.Record) bool {
				damaged = damaged || len(r.Faults()) > 0
				return true
			},
			OnError: func(model.RecordID, error) error { return nil },
		})
		if err == nil && !damaged {
			faultless(t, path)
		}
	})
}

// Whatever a file of a database holds, boosters that are made of it are those that
// a check expects, or it is told why not.
func FuzzBoosters(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "games.cbh")
	db := fuzzDatabase(2)
	sink, err := write.Create(context.Background(), path, write.Options{AcceptLosses: true})
	if err == nil {
		err = model.Copy(context.Background(), sink, db, model.CopyOptions{})
	}
	entries, listErr := os.ReadDir(dir)
	if err != nil || listErr != nil {
		f.Fatal(err, listErr)
	}
	sound := map[string][]byte{}
	for _, e := range entries {
		sound[e.Name()] = must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(f)
	}
	names := slices.Sorted(maps.Keys(sound))
	for i, name := range names {
		f.Add(uint8(i), sound[name])
	}
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		name := names[int(which)%len(names)]
		replace(t, filepath.Join(dir, name), content)
		defer replace(t, filepath.Join(dir, name), sound[name])
		result, err := write.Boosters(context.Background(), path, write.BoosterOptions{Jobs: 1})
		if err != nil {
			return
		}
		list, err := check.Boosters(context.Background(), path, check.Options{Jobs: 1})
		if err != nil && len(result.Skipped) == 0 {
			t.Fatal(err)
		}
		for _, b := range list {
			if b.State == check.BoosterWrong && slices.Contains(result.Files, b.File) {
				t.Errorf("%s: %v", b.File, b.Findings)
			}
		}
	})
}

// fuzzDatabase draws a small database that has games.
func fuzzDatabase(seed int) *model.Database {
	return gen.Database(gen.Config{Records: 5, Plies: 8, TextBytes: 20, NameBytes: 8}).
		Filter(func(db *model.Database) bool { return len(db.List) >= 3 }).Example(seed)
}
