package fsys_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/must"
)

// Renaming replaces nothing: no file, no empty folder, no link.
func TestRenameReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"new", "file"} {
		must.Do(t, os.WriteFile(in(name), []byte(name), 0o666))
	}
	must.Do(t, os.Mkdir(in("folder"), 0o777))
	there := []string{"file", "folder"}
	if err := os.Symlink("nowhere", in("link")); err == nil {
		there = append(there, "link")
	}
	for _, name := range there {
		if err := (fsys.OS{}).Rename(in("new"), in(name)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("onto a %s: %v", name, err)
		}
	}
	if b, err := os.ReadFile(in("file")); string(b) != "file" || err != nil {
		t.Errorf("the file is %q, %v", b, err)
	}
	if err := (fsys.OS{}).Rename(in("none"), in("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	for _, move := range [][2]string{{"new", "moved"}, {"folder", "moved folder"}} {
		if err := (fsys.OS{}).Rename(in(move[0]), in(move[1])); err != nil {
			t.Error(err)
		}
	}
	if b, err := os.ReadFile(in("moved")); string(b) != "new" || err != nil {
		t.Errorf("the moved file is %q, %v", b, err)
	}
}
