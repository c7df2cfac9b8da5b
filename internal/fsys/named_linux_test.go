package fsys

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"cbkit/internal/testkit/must"
)

// An error of the folder in which the program runs has its name, and not ".".
func TestFolderIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	folder := must.Get(os.Getwd())(t)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Skip(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 0, Max: was.Max}); err != nil {
		t.Skip(err)
	}
	_, reading := OS{}.ReadDir(".")
	syncing := OS{}.SyncDir(".")
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was))
	for _, err := range []error{reading, syncing} {
		if err == nil || !strings.HasPrefix(err.Error(), "open "+folder+": ") {
			t.Errorf("%v", err)
		}
	}
}

// A file without a name is never in its folder.
func TestUnnamed(t *testing.T) {
	dir := t.TempDir()
	f := Unnamed(OS{}, dir, "x")
	if f == nil {
		t.Skip("the file system of ", dir, " cannot")
	}
	defer f.Close()
	must.Get(f.WriteAt([]byte("text"), 0))(t)
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("in the folder: %v, %v", list, err)
	}
	if f := Unnamed(OS{}, dir+"/missing", "x"); f != nil {
		t.Error("in a folder that is not there")
	}
}
