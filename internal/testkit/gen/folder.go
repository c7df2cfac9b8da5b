package gen

import (
	"os"
	"testing"
)

// Folder returns an empty folder for what a test writes, in memory where there is
// room: disks take their time to sync.
func Folder(t testing.TB) string {
	const memory, enough = "/dev/shm", 2 << 30
	if room(memory) < enough {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "cbkit")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err) // as TempDir has it: something is still open, or cannot be removed
		}
	})
	return dir
}
