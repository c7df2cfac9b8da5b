package gen

import (
	"os"
	"testing"
)

// Folder returns an empty folder for what a test writes again and again, in memory
// where there is such a thing: disks take their time to sync.
func Folder(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "cbkit")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
