package read_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// copied copies a real database.
func copied(t *testing.T, name string) string {
	t.Helper()
	dir := gen.Folder(t)
	must.Do(t, os.CopyFS(dir, os.DirFS(corpus.Path(t, "cbh/"+name))))
	list, err := filepath.Glob(filepath.Join(dir, "*.cbh"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0]
}

// changeNames writes to the player file of a database in a transaction.
func changeNames(t *testing.T, path string) {
	t.Helper()
	set := must.Get(journal.Open(t.Context(), fsys.OS{}, path, journal.Options{}))(t)
	f, err := set.File(filepath.Base(path[:len(path)-len(".cbh")]) + ".cbp")
	if err == nil {
		_, err = f.WriteAt([]byte("X"), 60)
	}
	must.Do(t, err, set.Commit(), set.Close())
}

// A reader that a commit overtakes ends with ErrChanged, also if the commit has
// changed another file than those that are read; opened anew it reads on.
func TestReaderIsOvertaken(t *testing.T) {
	path := copied(t, "twic1134")
	db := must.Get(read.Open(path, read.Options{Jobs: 1}))(t)
	defer db.Close()
	seen := 0
	for rec, err := range db.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			if !errors.Is(err, model.ErrChanged) || rec.ID != 0 {
				t.Errorf("after %d records: %v", seen, err)
			}
			break
		}
		if seen++; seen == 1000 {
			changeNames(t, path)
		}
	}
	if seen < 1000 || seen > 3000 {
		t.Errorf("%d records were read", seen)
	}
	if _, err := db.Record(context.Background(), 1, model.WantHeaders); !errors.Is(err, model.ErrChanged) {
		t.Errorf("a single record: %v", err)
	}
	again := must.Get(read.Open(path, read.Options{}))(t)
	if _, err := model.Load(context.Background(), again); err != nil {
		t.Error(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// A journal that is left over means that the files are of two states: nothing is
// read of them, and the error says what to do.
func TestInterruptedEditIsNotRead(t *testing.T) {
	path := copied(t, "mate2")
	left := path[:len(path)-len(".cbh")] + journal.Ending
	must.Do(t, os.WriteFile(left, []byte("cbkitjnl"), 0o600))
	if _, err := read.Open(path, read.Options{}); !errors.Is(err, model.ErrNeedsRecovery) {
		t.Errorf("%v", err)
	}
	must.Do(t, os.Remove(left))
	db := must.Get(read.Open(path, read.Options{}))(t)
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// A set that was found before a commit is listed again when it is watched, and one
// without a commit since is not.
func TestSetBeforeACommit(t *testing.T) {
	path := copied(t, "twic1134")
	set := must.Get(read.FindFiles(path))(t)
	same, w, err := set.Watch(".cbh")
	if err != nil || same != set || w.Check() != nil {
		t.Errorf("nothing has changed: %v, %v", err, w.Check())
	}
	changeNames(t, path)
	must.Do(t, os.Remove(path[:len(path)-len(".cbh")]+".ini"))
	now, w, err := set.Watch(".cbh")
	if err != nil || now == set || now.Has(".ini") || w.Check() != nil {
		t.Errorf("after a commit: %v", err)
	}
}
