package fsys

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// An error of the folder in which the program runs has its name, and not ".".
func TestFolderIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Skip(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 0, Max: was.Max}); err != nil {
		t.Skip(err)
	}
	_, reading := OS{}.ReadDir(".")
	syncing := OS{}.SyncDir(".")
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{reading, syncing} {
		if err == nil || !strings.HasPrefix(err.Error(), "open "+folder+": ") {
			t.Errorf("%v", err)
		}
	}
}

// A file without a name is never in its folder.
func TestUnnamed(t *testing.T) {
	dir := t.TempDir()
	f := Unnamed(OS{}, dir)
	if f == nil {
		t.Skip("the file system of ", dir, " cannot")
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("text"), 0); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("in the folder: %v, %v", list, err)
	}
	if f := Unnamed(OS{}, dir+"/missing"); f != nil {
		t.Error("in a folder that is not there")
	}
}
