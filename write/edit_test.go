package write_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/soundness"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// edit opens a database for change.
func edit(t testing.TB, path string) *write.Editor {
	t.Helper()
	ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	judged.Store(ed, soundness.Before(t, path))
	t.Cleanup(func() {
		_ = ed.Close()
		judged.Delete(ed)
	})
	return ed
}

// judged has the judges of all editors that edit has opened.
var judged sync.Map

// commit commits and closes an editor. It closes every edit: check finds no error that
// was not there before.
func commit(t testing.TB, ed *write.Editor) write.EditResult {
	t.Helper()
	if err := errors.Join(ed.Commit(), ed.Close()); err != nil {
		t.Fatal(err)
	}
	if after, ok := judged.Load(ed); ok {
		after.(func())()
	}
	return ed.Result()
}

// load reads a database into memory.
func load(t testing.TB, path string) *model.Database {
	t.Helper()
	db, err := read.Open(path, read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	loaded, err := model.Load(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// findings are what check says of a database; that some boosters are missing goes
// without saying.
func findings(t testing.TB, path string) []string {
	t.Helper()
	var list []string
	made := check.Database(context.Background(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if !strings.Contains(f.Message, "of the search boosters") {
			list = append(list, f.String())
		}
	}
	_, err := made.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// sound fails the test if check finds anything that is not among what was found
// before.
func sound(t testing.TB, path string, before ...string) {
	t.Helper()
	for _, f := range findings(t, path) {
		if !slices.Contains(before, f) {
			t.Errorf("%s: %s", filepath.Base(path), f)
		}
	}
}

// filesOf reads all files of a database, by their endings.
func filesOf(t testing.TB, path string) map[string]string {
	t.Helper()
	base := strings.TrimSuffix(path, filepath.Ext(path))
	list, err := filepath.Glob(base + ".*")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range list {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(name, base)] = string(b)
	}
	return all
}

// A game that is added is there after the commit, with everything that follows
// from it, and not before.
func TestEditAppend(t *testing.T) {
	path := create(t, oneGame("first"), write.Options{})
	ed := edit(t, path)
	if err := model.Copy(context.Background(), ed, oneGame("second"), model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	result := ed.Result()
	commit(t, ed)
	if result.Appended != 1 || result.EntitiesAdded != 1 || result.BytesMoved != 0 {
		t.Errorf("%+v", result)
	}
	sound(t, path)
	want := oneGame("first")
	g := want.List[0].Game.Clone()
	g.White = want.Tables.Players.Intern(model.Player{LastName: "second"})
	want.AddGame(g)
	if got := load(t, path); !model.Equal(want, got) {
		t.Error(difference(want, got))
	}
}

func TestEditNothing(t *testing.T) {
	if _, err := write.Edit(context.Background(), filepath.Join(gen.Folder(t), "none.cbh"), write.EditOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// Each game that comes has a creation stamp of its own, later than those before, whatever
// the clock says: in one transaction, the next one and that of another editor.
func TestEditStampsGoOn(t *testing.T) {
	path := create(t, oneGame("first"), write.Options{})
	for range 2 {
		ed := edit(t, path)
		for range 2 {
			must(t, appendAll(ed, oneGame("next"), oneGame("another")))
			must(t, ed.Commit())
		}
		must(t, ed.Close())
	}
	db := cbhdb.New(cbhdb.FilesOf(findFiles(t, path)))
	defer db.Close()
	headers, err := db.Reader(1 << 12)
	must(t, err)
	last := uint64(0)
	for id := model.RecordID(1); id <= headers.Count(); id++ {
		h, err := headers.At(id)
		must(t, err)
		stamp := cbh.DecodeExtRecord(h.Ext).Created
		if stamp <= last {
			t.Errorf("game %d has stamp %d after %d", id, stamp, last)
		}
		last = stamp
	}
	if headers.Count() != 9 {
		t.Errorf("%d games", headers.Count())
	}
}
