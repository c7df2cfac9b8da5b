package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// countingFS counts what unpacking asks of the machine, but waits for no disk. After
// some renamings, if that is not 0, names cannot be changed any more, as after a kill.
type countingFS struct {
	fsys.OS
	folders, syncs  int // working folders made, each under locks of its own, and folders synced
	renames, diesAt int
}

// unsynced is a file that is not waited for.
type unsynced struct{ fsys.File }

func (unsynced) Sync() error { return nil }

func (f *countingFS) OpenFile(name string, flag int, perm fs.FileMode) (fsys.File, error) {
	file, err := f.OS.OpenFile(name, flag, perm)
	return unsynced{file}, err
}

var errKilled = errors.New("killed")

func (f *countingFS) dead() bool { return f.diesAt > 0 && f.renames >= f.diesAt }

func (f *countingFS) Mkdir(name string, perm fs.FileMode) error {
	if strings.HasSuffix(name, dbfile.SuffixWriting) {
		f.folders++
	}
	return f.OS.Mkdir(name, perm)
}

func (f *countingFS) SyncDir(name string) error {
	f.syncs++
	if f.dead() {
		return errKilled
	}
	return nil
}

func (f *countingFS) Rename(from, to string) error {
	if f.dead() {
		return errKilled
	}
	f.renames++
	return f.OS.Rename(from, to)
}

func (f *countingFS) Remove(name string) error {
	if f.dead() {
		return errKilled
	}
	return f.OS.Remove(name)
}

// manyFiles returns an archive of n files, none of them of the same database but for
// the first two, with manyContent.
func manyFiles(t *testing.T, n int) *Archive {
	t.Helper()
	names := []string{"Games.cbg", "Games.cbh"}
	for i := range n - len(names) {
		names = append(names, fmt.Sprintf("%05d.bmp", i))
	}
	files := make([]File, n)
	for i, name := range names {
		content := manyContent(name)
		files[i] = File{Name: name, Size: int64(len(content)), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(content)), nil
		}}
	}
	path := filepath.Join(gen.Folder(t), "x.cbv")
	out := must.Get(os.Create(path))(t)
	size := must.Get(Write(t.Context(), out, files, WriterOptions{}))(t)
	a := must.Get(NewReader(out, size, path, Options{}))(t)
	t.Cleanup(func() { _ = out.Close() })
	return a
}

// manyContent is what a file has: its name, or the header of a database.
func manyContent(name string) string {
	if name == "Games.cbh" {
		head := cbh.NewFileHeader(0)
		return string(head.Append(nil))
	}
	return name
}

// bystander is a file of somebody else in the folder that is unpacked to.
const bystander = "Games2.cbh"

// folderWith returns a folder with somebody's file.
func folderWith(t *testing.T) string {
	t.Helper()
	dir := gen.Folder(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, bystander), []byte("mine"), 0o666))
	return dir
}

// checkUnpacked compares a folder with the members of an archive, and what else was
// there.
func checkUnpacked(t *testing.T, a *Archive, dir string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var want, got []string
	for _, m := range a.Members() {
		want = append(want, m.Name)
	}
	for _, e := range entries {
		got = append(got, e.Name())
		data := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(t)
		if mine := e.Name() == bystander; mine != (string(data) == "mine") || !mine && string(data) != manyContent(e.Name()) {
			t.Errorf("%s: %q", e.Name(), data)
		}
	}
	want = append(want, bystander)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// Many files that are none of one database take one lock and a few syncs of the
// folder for all.
func TestManyFilesTogether(t *testing.T) {
	a := manyFiles(t, 3000)
	dir := folderWith(t)
	files := new(countingFS)
	must.Do(t, a.unpackTo(t.Context(), files, dir, UnpackOptions{}))
	checkUnpacked(t, a, dir)
	if files.folders > 2 || files.syncs > 40 {
		t.Errorf("%d locks, %d syncs of folders", files.folders, files.syncs)
	}
	t.Logf("%d locks, %d syncs of folders", files.folders, files.syncs)
}

// After a kill in the middle, no main file is there without the rest of its database,
// nothing of others is touched, and both recovering and unpacking again bring all.
func TestManyFilesKilled(t *testing.T) {
	for _, at := range []int{1, 2, 3, 20, 31, 32} {
		for _, again := range []bool{false, true} {
			a := manyFiles(t, 30)
			dir := folderWith(t)
			files := &countingFS{diesAt: at}
			err := a.unpackTo(t.Context(), files, dir, UnpackOptions{})
			if !errors.Is(err, errKilled) {
				t.Fatalf("rename %d: %v", at, err)
			}
			if data, err := os.ReadFile(filepath.Join(dir, "Games.cbh")); err == nil && string(data) == manyContent("Games.cbh") {
				if data, err := os.ReadFile(filepath.Join(dir, "Games.cbg")); string(data) != "Games.cbg" {
					t.Errorf("rename %d: a main file without the rest: %v", at, err)
				}
			}
			if again {
				if err := a.unpackTo(t.Context(), new(countingFS), dir, UnpackOptions{Force: true}); err != nil {
					t.Errorf("rename %d: %v", at, err)
				}
				checkUnpacked(t, a, dir)
				continue
			}
			if _, err := atomicset.Recover(new(countingFS), filepath.Join(dir, "Games.cbh"), atomicset.Options{}); err != nil {
				t.Errorf("rename %d: %v", at, err)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 && len(entries) != 31 {
				t.Errorf("rename %d: %d files after recovering, %v", at, len(entries), err)
			}
			if data, err := os.ReadFile(filepath.Join(dir, bystander)); !bytes.Equal(data, []byte("mine")) {
				t.Errorf("rename %d: %q, %v", at, data, err)
			}
		}
	}
}
