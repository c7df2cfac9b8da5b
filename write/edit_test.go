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
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/soundness"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// edit opens a database for change.
func edit(t testing.TB, path string) *write.Editor {
	t.Helper()
	ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{Now: clock}))(t)
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
	must.Do(t, ed.Commit(), ed.Close())
	if after, ok := judged.Load(ed); ok {
		after.(func())()
	}
	return ed.Result()
}

// load reads a database into memory.
func load(t testing.TB, path string) *model.Database {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	return must.Get(model.Load(context.Background(), db))(t)
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
	must.Get(made.Summary())(t)
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
	list := must.Get(filepath.Glob(base + ".*"))(t)
	all := map[string]string{}
	for _, name := range list {
		b := must.Get(os.ReadFile(name))(t)
		all[strings.TrimPrefix(name, base)] = string(b)
	}
	return all
}

// A game that is added is there after the commit, with everything that follows
// from it, and not before.
func TestEditAppend(t *testing.T) {
	path := create(t, oneGame("first"), write.Options{})
	ed := edit(t, path)
	must.Do(t, model.Copy(context.Background(), ed, oneGame("second"), model.CopyOptions{}))
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
			must.Do(t, appendAll(ed, oneGame("next"), oneGame("another")))
			must.Do(t, ed.Commit())
		}
		must.Do(t, ed.Close())
	}
	db := cbhdb.New(cbhdb.FilesOf(findFiles(t, path)))
	defer db.Close()
	headers, err := db.Reader(1 << 12)
	must.Do(t, err)
	last := uint64(0)
	for id := model.RecordID(1); id <= headers.Count(); id++ {
		h, err := headers.At(id)
		must.Do(t, err)
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
