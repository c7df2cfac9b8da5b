package journal_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// onDisk puts files into a folder of the machine.
func onDisk(t *testing.T, files state) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	return dir
}

// list returns the names of all files in a folder.
func list(t *testing.T, dir string) []string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A second writer of the set, or of another set of its name, is refused and
// leaves nothing behind; so is a recovery while the set is open.
func TestSecondWriter(t *testing.T) {
	dir := onDisk(t, state{"b.one": nil, "b.ctg": nil, "c.one": nil})
	in := func(name string) string { return filepath.Join(dir, name) }
	set := must.Get(journal.Open(t.Context(), fsys.OS{}, in("b.one"), journal.Options{}))(t)
	before := list(t, dir)
	for _, name := range []string{"b.one", "b.ctg"} {
		_, err := journal.Open(t.Context(), fsys.OS{}, in(name), journal.Options{Wait: time.Millisecond})
		if held := new(lock.HeldError); !errors.As(err, &held) || held.PID != os.Getpid() {
			t.Errorf("opening %s: %v", name, err)
		}
		if _, err := journal.Recover(t.Context(), fsys.OS{}, in(name), journal.RecoverOptions{}); !errors.Is(err, model.ErrLocked) {
			t.Errorf("recovering %s: %v", name, err)
		}
	}
	if after := list(t, dir); !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
	other, err := journal.Open(t.Context(), fsys.OS{}, in("c.one"), journal.Options{})
	if err := errors.Join(err, other.Close(), set.Close(), set.Close()); err != nil {
		t.Error(err)
	}
	if got := list(t, dir); !slices.Equal(got, []string{"b.ctg", "b.one", "c.one"}) {
		t.Errorf("left: %v", got)
	}
	if err := set.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("committing a closed set: %v", err)
	}
}

// The journal of another set of the name is left to that.
func TestJournalOfAnotherSet(t *testing.T) {
	disk, old := interrupted(t)
	disk.WriteFile("b.ctg", []byte("book"))
	if left, err := journal.Interrupted(disk, "b.ctg"); left != "" || err != nil {
		t.Errorf("the book is said to be interrupted: %q, %v", left, err)
	}
	if did, err := journal.Recover(t.Context(), disk, "b.ctg", journal.RecoverOptions{}); did.PlayedBack || len(did.Cleared) > 0 || err != nil {
		t.Errorf("recovering the book: %+v, %v", did, err)
	}
	if _, err := journal.Open(t.Context(), disk, "b.ctg", journal.Options{}); !errors.Is(err, model.ErrNeedsRecovery) || !strings.Contains(err.Error(), "b.one") {
		t.Errorf("opening the book: %v", err)
	}
	must.Do(t, disk.Remove("b.ctg"))
	recovered(t, "the database", disk, old)
}

// A new file has the permissions of the one whose place it takes, or of the
// main file.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions there")
	}
	dir := onDisk(t, state{"b.one": []byte("1"), "b.two": []byte("2")})
	for name, mode := range map[string]fs.FileMode{"b.one": 0o640, "b.two": 0o666} {
		must.Do(t, os.Chmod(filepath.Join(dir, name), mode))
	}
	set := must.Get(journal.Open(t.Context(), fsys.OS{}, filepath.Join(dir, "b.one"), journal.Options{}))(t)
	for _, name := range []string{"b.two", "b.new"} {
		must.Do(t, (step{do: "rewrite", name: name, data: []byte("new")}).perform(set))
	}
	must.Do(t, set.Commit(), set.Close())
	for name, want := range map[string]fs.FileMode{"b.one": 0o640, "b.two": 0o666, "b.new": 0o640} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
}

// A link is not followed: what it leads to can belong to another set.
func TestLinks(t *testing.T) {
	dir := onDisk(t, state{"b.one": []byte("1"), "other": []byte("o")})
	if err := os.Symlink(filepath.Join(dir, "other"), filepath.Join(dir, "b.two")); err != nil {
		t.Skip(err)
	}
	for _, work := range []string{"b.cbkit-scratch", "b.cbkit-journal-new"} {
		must.Do(t, os.Symlink(filepath.Join(dir, "other"), filepath.Join(dir, work)))
	}
	set := must.Get(journal.Open(t.Context(), fsys.OS{}, filepath.Join(dir, "b.one"), journal.Options{Memory: 1}))(t)
	defer set.Close()
	if _, err := set.File("b.two"); err == nil {
		t.Error("a link was opened")
	}
	f, err := set.File("b.one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.WriteAt(make([]byte, 1<<20), 0); err == nil {
		err = set.Commit()
	}
	if err == nil {
		t.Error("links in the places of working files were no error")
	}
	if b, err := os.ReadFile(filepath.Join(dir, "other")); string(b) != "o" || err != nil {
		t.Errorf("the file behind the links is %q, %v", b, err)
	}
}

// Files are listed as they are on the disk; locks and working files are none.
func TestFilesOfSet(t *testing.T) {
	disk := crashfs.New() // a twin would say that case matters
	for name, data := range start() {
		disk.WriteFile(name, data)
	}
	for _, name := range []string{"B.Upper", "b.two.cbkit-undo", "b.cbkit-scratch", "b.one.cbkit-lock"} {
		disk.WriteFile(name, nil)
	}
	set := must.Get(journal.Open(t.Context(), disk, "b.one", journal.Options{}))(t)
	files, err := set.Files()
	if want := []string{".four", ".one", ".three", ".two", ".upper"}; err != nil || !slices.Equal(files.Endings(), want) || files.Name(".upper") != "B.Upper" {
		t.Errorf("%v, %v; want %v", files.Endings(), err, want)
	}
	if got := disk.Names(); slices.Contains(got, "b.cbkit-scratch") || !slices.Contains(got, "b.one.cbkit-lock") {
		t.Errorf("on the disk: %v", got)
	}
}

// A file of the transaction's own holds what is written to it and is never on
// the disk; with the end of the transaction it is empty.
func TestTemp(t *testing.T) {
	disk := diskWith(start())
	set := must.Get(journal.Open(t.Context(), disk, "b.one", journal.Options{Memory: 1 << 13}))(t)
	temp := set.Temp()
	for _, end := range []func() error{set.Commit, set.Rollback} {
		want := make([]byte, 50000)
		for i := range want {
			want[i] = byte(i >> 3)
		}
		for at := 0; at < len(want); at += 5000 {
			if place, err := temp.Append(want[at : at+5000]); place != int64(at) || err != nil {
				t.Fatal(place, err)
			}
		}
		got := make([]byte, len(want))
		if _, err := temp.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
			t.Errorf("what was written is not there, %v", err)
		}
		must.Do(t, end())
		if temp.Size() != 0 || !holds(disk, start()) {
			t.Error("something is left")
		}
	}
}

// The number of syncs of a commit depends on the files that it changes and on
// nothing else.
func TestSyncs(t *testing.T) {
	for _, c := range []struct {
		script []step
		want   int // files, the journal, the folder before and after, and before the first new file
	}{
		{[]step{{do: "write", name: "b.one", at: 5, data: []byte("x")}, {do: "commit"}}, 4},
		{[]step{{do: "write", name: "b.one", at: 5, data: make([]byte, 1<<16)}, {do: "write", name: "b.two", data: []byte("y")}, {do: "commit"}}, 5},
		{[]step{{do: "rewrite", name: "b.one", data: []byte("x")}, {do: "commit"}}, 8},
		{[]step{{do: "commit"}}, 0},
	} {
		disk := &countingFS{FS: diskWith(start())}
		if _, _, err := run(disk, c.script, journal.Options{}); err != nil {
			t.Fatal(err)
		}
		if n := int(disk.syncs.Load()); n != c.want {
			t.Errorf("%v: %d syncs, want %d", c.script, n, c.want)
		}
	}
}

// countingFS counts syncs.
type countingFS struct {
	*crashfs.FS
	syncs atomic.Int32
}

func (f *countingFS) SyncDir(name string) error {
	f.syncs.Add(1)
	return f.FS.SyncDir(name)
}

func (f *countingFS) OpenFile(name string, flag int, perm fs.FileMode) (fsys.File, error) {
	h, err := f.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &countingFile{h, f}, nil
}

type countingFile struct {
	fsys.File
	fs *countingFS
}

func (f *countingFile) Sync() error {
	f.fs.syncs.Add(1)
	return f.File.Sync()
}

// A commit waits for who holds its lock: who asks how things are, for a moment.
func TestCommitIsLocked(t *testing.T) {
	dir := onDisk(t, state{"b.one": []byte("1")})
	main := filepath.Join(dir, "b.one")
	set := must.Get(journal.Open(t.Context(), fsys.OS{}, main, journal.Options{}))(t)
	must.Do(t, (step{do: "write", name: "b.one", data: []byte("2")}).perform(set))
	held := must.Get(lock.Acquire(t.Context(), fsys.OS{}, main, lock.Commit, 0))(t)
	var released atomic.Bool
	time.AfterFunc(100*time.Millisecond, func() {
		if b, err := os.ReadFile(main); string(b) != "1" || err != nil {
			t.Errorf("while the commit waits the file is %q, %v", b, err)
		}
		released.Store(true)
		if err := held.Release(); err != nil {
			t.Error(err)
		}
	})
	if err := set.Commit(); err != nil || !released.Load() {
		t.Errorf("the commit did not wait: %v", err)
	}
	if err := set.Close(); err != nil {
		t.Error(err)
	}
}
