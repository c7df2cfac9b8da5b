package fsys_test

import (
	"fmt"
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
}
