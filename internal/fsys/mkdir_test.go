package fsys_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
)

// A folder that was made is there after a crash, and so are those it is in.
func TestMkdirAllLasts(t *testing.T) {
	disk := crashfs.New()
	disk.FoldersApart()
	for _, made := range []string{"[a a/b a/b/c]", "[]"} {
		if got, err := fsys.MkdirAll(disk, "a/b/c"); fmt.Sprint(got) != made || err != nil {
			t.Errorf("made %v, %v; want %s", got, err, made)
		}
		if _, err := disk.Restart(nil, nil).Stat("a/b/c"); err != nil {
			t.Error(err)
		}
	}
	disk.WriteFile("file", nil)
	if got, err := fsys.MkdirAll(disk, "file/b"); len(got) > 0 || err == nil || err.Error() != "file: is a file; name a folder" {
		t.Errorf("made %v, %v", got, err)
	}
	// What another makes meanwhile is not ours, nor is a link that leads nowhere a folder.
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err == nil {
		if got, err := fsys.MkdirAll(fsys.OS{}, filepath.Join(dir, "link")); len(got) > 0 || !errors.Is(err, fs.ErrExist) {
			t.Errorf("a link: made %v, %v", got, err)
		}
	}
	late := crashfs.New()
	late.Before = func(op, name string) {
		if op == "mkdir" {
			late.Before = nil
			_ = late.Mkdir(name, 0o777)
		}
	}
	if got, err := fsys.MkdirAll(late, "theirs"); len(got) > 0 || err != nil {
		t.Errorf("made by another: %v, %v", got, err)
	}
}
