package write_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/check"
	"cbkit/internal/cbhdb"
	"cbkit/internal/posindex"
	"cbkit/internal/testkit/must"
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
	must.Get(write.Boosters(context.Background(), path, write.BoosterOptions{Positions: 20, Memory: 1, Jobs: 1}))(t)
	for name, b := range contentsOf(t, filepath.Dir(path)) {
		if !bytes.Equal(b, before[name]) {
			t.Errorf("%s is another file", name)
		}
	}
	must.Do(t, os.Remove(index))
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
	list := must.Get(os.ReadDir(dir))(t)
	files := map[string][]byte{}
	for _, e := range list {
		b := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(t)
		files[e.Name()] = b
	}
	return files
}

// An edit keeps the index in step: what is added, replaced or deleted, and where nothing
// changes. Databases beside it keep theirs.
func TestEditKeepsPositionIndex(t *testing.T) {
	path, index := indexed(t)
	street := neighbours.Beside(t, path)
	ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{}))(t)
	defer ed.Close()
	must.Do(t, ed.Commit())
	more := games(70, 3)
	for name, do := range map[string]func() error{
		"nothing":   func() error { return nil },
		"deleted":   func() error { return ed.Delete(1) },
		"undeleted": func() error { return ed.Undelete(1) },
		"added":     func() error { return ed.Append(context.Background(), more, model.CopyOptions{}) },
		"replaced":  func() error { return ed.Replace(2, more.List[0], &more.Tables) },
	} {
		before := must.Get(os.ReadFile(index))(t)
		must.Do(t, do())
		if r, err := ed.DryRun(); err != nil || r.DroppedBoosters != nil {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if now, err := os.ReadFile(index); err != nil || !bytes.Equal(now, before) {
			t.Errorf("%s: a dry run has changed it, %v", name, err)
		}
		if err := errors.Join(do(), ed.Commit()); err != nil || ed.Result().DroppedBoosters != nil || stateOf(t, path) != check.BoosterValid {
			t.Errorf("%s: %s, %+v, %v", name, stateOf(t, path), ed.Result(), err)
		}
		if now, err := os.ReadFile(index); err != nil || len(now) > len(before)+1024*2 {
			t.Errorf("%s: it grew from %d bytes to %d, %v", name, len(before), len(now), err)
		}
	}
	street.Check(t, filepath.Dir(path))
}

// Compacting keeps the index in step, where records move and where what goes lies behind the
// last one.
func TestCompactKeepsPositionIndex(t *testing.T) {
	for _, replaced := range []model.RecordID{1, 3} {
		path, _ := indexed(t)
		ed := edit(t, path)
		must.Do(t, replaceBy(ed, replaced, 3))
		commit(t, ed)
		must.Do(t, ed.Close())
		result, err := write.Compact(context.Background(), path, write.CompactOptions{})
		if err != nil || result.Holes == 0 || result.DroppedBoosters != nil || stateOf(t, path) != check.BoosterValid {
			t.Errorf("game %d: %s, %+v, %v", replaced, stateOf(t, path), result, err)
		}
		once := filesOf(t, path)
		if _, err := write.Compact(context.Background(), path, write.CompactOptions{}); err != nil || !maps.Equal(once, filesOf(t, path)) {
			t.Errorf("game %d: a second time something changed, %v", replaced, err)
		}
	}
}

// Edits that bring more than an index has room for behind its end make segments of it, until
// it is written anew: no edit takes it away, and each is a transaction as before.
func TestEditRenewsPositionIndex(t *testing.T) {
	before := posindex.MostChanged
	posindex.MostChanged = 600
	defer func() { posindex.MostChanged = before }()
	path, index := indexed(t)
	street := neighbours.Beside(t, path)
	ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{}))(t)
	defer ed.Close()
	for n := range 12 {
		more := games([]int{5 + 3*n, 30, 12}[:1+n%3]...)
		do := func() error {
			return errors.Join(ed.Append(context.Background(), more, model.CopyOptions{}), ed.Replace(model.RecordID(1+n), more.List[0], &more.Tables))
		}
		was := must.Get(os.ReadFile(index))(t)
		must.Do(t, do())
		if r, err := ed.DryRun(); err != nil || r.DroppedBoosters != nil {
			t.Errorf("%d: %+v, %v", n, r, err)
		}
		if now, err := os.ReadFile(index); err != nil || !bytes.Equal(now, was) {
			t.Errorf("%d: a dry run has changed it, %v", n, err)
		}
		if err := errors.Join(do(), ed.Commit()); err != nil || ed.Result().DroppedBoosters != nil || stateOf(t, path) != check.BoosterValid {
			t.Fatalf("%d: %s, %+v, %v", n, stateOf(t, path), ed.Result(), err)
		}
	}
	street.Check(t, filepath.Dir(path))
}

// An edit takes an index away that did not fit before, and says so
// beforehand too.
func TestEditDropsPositionIndex(t *testing.T) {
	for name, spoil := range map[string]func(path, index string) error{
		"another time": func(path, _ string) error {
			at := time.Now().Add(time.Hour)
			return os.Chtimes(strings.TrimSuffix(path, ".cbh")+".cbg", at, at)
		},
		"damaged": func(_, index string) error { return os.Truncate(index, 5000) },
	} {
		path, index := indexed(t)
		must.Do(t, spoil(path, index))
		want := []string{filepath.Base(index)}
		ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{}))(t)
		defer ed.Close()
		must.Do(t, ed.Delete(1))
		if r, err := ed.DryRun(); err != nil || !slices.Equal(r.DroppedBoosters, want) || !isThere(index) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if err := errors.Join(ed.Delete(1), ed.Commit()); err != nil || isThere(index) || !slices.Equal(ed.Result().DroppedBoosters, want) {
			t.Errorf("%s: %+v, %v", name, ed.Result(), err)
		}
	}
}

// A file system with a coarser clock cuts the times of all files alike: the index and the
// boosters go on, also in edits there. Where one file alone has its time cut, it was
// changed, and its time put back.
func TestCutTimes(t *testing.T) {
	path, _ := indexed(t)
	cut := func(unit time.Duration, exts ...string) {
		t.Helper()
		for _, ext := range exts {
			name := beside(path, ext)
			info, err := os.Stat(name)
			if err == nil {
				at := time.Unix(0, info.ModTime().UnixNano()/int64(unit)*int64(unit))
				err = os.Chtimes(name, at, at)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	all := append([]string{".cbh", ".cbj", ".cbg"}, write.BoosterExts()...)
	for _, unit := range []time.Duration{time.Millisecond, 2 * time.Second} {
		cut(unit, all...)
		if got := stateOf(t, path); got != check.BoosterValid {
			t.Errorf("times cut to %v: %s", unit, got)
		}
		ed := edit(t, path)
		must.Do(t, ed.Delete(1))
		commit(t, ed)
		if gone := ed.Result().DroppedBoosters; gone != nil || stateOf(t, path) != check.BoosterValid {
			t.Errorf("after an edit, times cut to %v: %s, %v", unit, stateOf(t, path), gone)
		}
	}
	path, _ = indexed(t)
	info, err := os.Stat(beside(path, ".cbg"))
	must.Do(t, err)
	flip(t, beside(path, ".cbg"), 60)
	must.Do(t, os.Chtimes(beside(path, ".cbg"), info.ModTime(), info.ModTime()))
	cut(2*time.Second, ".cbg")
	list, err := check.BoosterStates(context.Background(), path, check.Options{Files: []string{"cbkit-positions", "cbb"}})
	if err != nil || len(list) != 2 || list[0].State == check.BoosterValid || list[1].State == check.BoosterValid {
		t.Errorf("a changed .cbg is believed: %+v, %v", list, err)
	}
}

// A copy has none; a compaction that changes numbers makes one anew.
func TestCopyLeavesPositionIndex(t *testing.T) {
	path, index := indexed(t)
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	to := filepath.Join(t.TempDir(), "copy.cbh")
	sink, err := write.CreateCopy(context.Background(), to, db.(*read.ChessBase), write.Options{})
	if err == nil {
		err = model.Copy(context.Background(), sink, db, model.CopyOptions{})
	}
	if err != nil || isThere(strings.TrimSuffix(to, ".cbh")+posindex.Ext) || !isThere(strings.TrimSuffix(to, ".cbh")+".cbb") {
		t.Errorf("the copy: %v", err)
	}
	ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{}))(t)
	must.Do(t, errors.Join(ed.Delete(2), ed.Commit(), ed.Close()))
	must.Get(write.Boosters(context.Background(), path, write.BoosterOptions{Positions: 7}))(t)
	r, err := write.Compact(context.Background(), path, write.CompactOptions{Purge: true})
	if err != nil || !slices.Contains(r.MadeBoosters, filepath.Base(index)) || stateOf(t, path) != check.BoosterValid {
		t.Errorf("%+v, %v, %s", r, err, stateOf(t, path))
	}
	set, err := read.FindFiles(path)
	if err != nil || !set.Has(posindex.Ext) {
		t.Fatal(err)
	}
}

// Structures are listed where they are asked for, alone too, and edits and compactions keep
// them.
func TestPositionIndexKeepsStructures(t *testing.T) {
	path, _ := indexed(t)
	result, err := write.Boosters(context.Background(), path, write.BoosterOptions{Structures: true})
	if err != nil || !slices.Equal(result.Files, []string{"new" + posindex.Ext}) {
		t.Fatalf("%+v, %v", result, err)
	}
	proven := func(after string) {
		t.Helper()
		set := must.Get(read.FindFiles(path))(t)
		x, err := posindex.Open(cbhdb.FilesOf(set))
		if err != nil || !x.Structures || x.Plies != posindex.DefaultPlies || stateOf(t, path) != check.BoosterValid {
			t.Fatalf("%s: %+v, %v, %s", after, x, err, stateOf(t, path))
		}
		x.Close()
	}
	proven("made")
	more := games(70, 3)
	ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{}))(t)
	must.Do(t, errors.Join(ed.Delete(1), ed.Replace(2, more.List[0], &more.Tables), ed.Append(context.Background(), more, model.CopyOptions{}), ed.Commit(), ed.Close()))
	proven("edited")
	must.Get(write.Compact(context.Background(), path, write.CompactOptions{Purge: true}))(t)
	proven("compacted")
}
