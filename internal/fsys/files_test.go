package fsys_test

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/must"
)

// A file system in memory is one for readers, and does for writers what the machine's
// does.
func TestFiles(t *testing.T) {
	files := fsys.NewFiles()
	var _ fsys.FS = files
	for _, name := range []string{"a.txt", "folder/b.txt", "folder/deep/c.txt"} {
		f, err := fsys.CreateNew(files, name, 0o600)
		if err == nil {
			_, err = f.Write([]byte(name))
		}
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := fstest.TestFS(files, "a.txt", "folder/b.txt", "folder/deep/c.txt"); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{
		"rename onto a file": files.Rename("a.txt", "folder/b.txt"),
		"make what is there": files.Mkdir("folder", 0o777),
	} {
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := fsys.CreateNew(files, "a.txt/below", 0); err == nil {
		t.Error("a file in a file")
	}
	if err := files.Remove("folder"); err == nil {
		t.Error("a folder was removed with what is in it")
	}
	if err := errors.Join(files.Rename("folder", "moved"), files.Remove("moved/deep/c.txt"), files.Remove("moved/deep")); err != nil {
		t.Error(err)
	}
	f := must.Get(files.OpenFile("moved/b.txt", os.O_RDWR, 0))(t)
	before, _ := files.Stat("moved/b.txt")
	if err := errors.Join(f.Truncate(3), f.Close()); err != nil {
		t.Error(err)
	}
	after, _ := files.Stat("moved/b.txt")
	if after.Size() != 3 || before.Size() != 12 || !after.ModTime().After(before.ModTime()) || after.Mode() != 0o600 {
		t.Errorf("%v, %v", before, after)
	}
	if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed file is read: %v", err)
	}
	for _, err := range []error{files.Remove("folder"), files.Chmod("none", 0), files.Rename("none", "x")} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("what is not there: %v", err)
		}
	}
}
