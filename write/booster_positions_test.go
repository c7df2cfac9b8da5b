package write_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/posindex"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// indexed returns a database with an index of positions and boosters, and neighbours in
// the folder.
func indexed(t *testing.T) (path, index string) {
	t.Helper()
	path = withBoosters(t, create(t, games(10, 12, 60), write.Options{}))
	result, err := write.Boosters(context.Background(), path, write.BoosterOptions{Positions: 20})
	if err != nil || !slices.Equal(result.Files, []string{"new" + posindex.Ext}) || result.Records == 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	return path, strings.TrimSuffix(path, ".cbh") + posindex.Ext
}

// isThere reports whether a file is there.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// stateOf returns what a check says of the index.
func stateOf(t testing.TB, path string) check.BoosterState {
	t.Helper()
	list, err := check.Boosters(context.Background(), path, check.Options{Files: []string{"cbkit-positions"}})
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	return list[0].State
}

// An index is made alone, without touching boosters or their seal, the same each time,
// and with the boosters that are asked for.
func TestPositionIndexIsMade(t *testing.T) {
	path, index := indexed(t)
	if state := stateOf(t, path); state != check.BoosterValid {
		t.Errorf("it is %s", state)
	}
	before := contentsOf(t, filepath.Dir(path))
	if _, err := write.Boosters(context.Background(), path, write.BoosterOptions{Positions: 20, Memory: 1, Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	for name, b := range contentsOf(t, filepath.Dir(path)) {
		if !bytes.Equal(b, before[name]) {
			t.Errorf("%s is another file", name)
		}
	}
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	r, err := write.Boosters(context.Background(), path, write.BoosterOptions{Positions: 5, Files: []string{"cbb"}})
	if err != nil || len(r.Files) != 2 || stateOf(t, path) != check.BoosterValid {
		t.Errorf("%+v, %v", r, err)
	}
	for _, plies := range []int{-1, 10001} {
		if _, err := write.Boosters(context.Background(), path, write.BoosterOptions{Positions: plies}); !errors.Is(err, model.ErrOption) {
			t.Errorf("%d plies: %v", plies, err)
		}
	}
}

// contentsOf returns the files of a folder.
func contentsOf(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = b
	}
	return files
}

// An edit takes the index away in its transaction, says so beforehand too, and leaves it
// where nothing changes. Databases beside it keep theirs.
func TestEditDropsPositionIndex(t *testing.T) {
	path, index := indexed(t)
	street := neighbours.Beside(t, path)
	name := filepath.Base(index)
	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Close()
	if err := ed.Commit(); err != nil || !isThere(index) {
		t.Fatalf("nothing was changed; it is there %v, %v", isThere(index), err)
	}
	if err := ed.Delete(1); err != nil {
		t.Fatal(err)
	}
	if r, err := ed.DryRun(); err != nil || !slices.Equal(r.DroppedBoosters, []string{name}) || !isThere(index) {
		t.Errorf("%+v, %v", r, err)
	}
	if err := ed.Delete(1); err != nil {
		t.Fatal(err)
	}
	if err := ed.Commit(); err != nil || isThere(index) || !slices.Equal(ed.Result().DroppedBoosters, []string{name}) {
		t.Errorf("%+v, %v", ed.Result(), err)
	}
	street.Check(t, filepath.Dir(path))
}

// A copy has none; a compaction that changes numbers makes one anew.
func TestCopyLeavesPositionIndex(t *testing.T) {
	path, index := indexed(t)
	db, err := read.Open(path, read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	to := filepath.Join(t.TempDir(), "copy.cbh")
	sink, err := write.CreateCopy(context.Background(), to, db.(*read.ChessBase), write.Options{})
	if err == nil {
		err = model.Copy(context.Background(), sink, db, model.CopyOptions{})
	}
	if err != nil || isThere(strings.TrimSuffix(to, ".cbh")+posindex.Ext) || !isThere(strings.TrimSuffix(to, ".cbh")+".cbb") {
		t.Errorf("the copy: %v", err)
	}
	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
	if err == nil {
		err = errors.Join(ed.Delete(2), ed.Commit(), ed.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write.Boosters(context.Background(), path, write.BoosterOptions{Positions: 7}); err != nil {
		t.Fatal(err)
	}
	r, err := write.Compact(context.Background(), path, write.CompactOptions{Purge: true})
	if err != nil || !slices.Contains(r.MadeBoosters, filepath.Base(index)) || stateOf(t, path) != check.BoosterValid {
		t.Errorf("%+v, %v, %s", r, err, stateOf(t, path))
	}
	set, err := read.FindFiles(path)
	if err != nil || !set.Has(posindex.Ext) {
		t.Fatal(err)
	}
}
