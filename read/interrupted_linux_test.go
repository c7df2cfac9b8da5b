package read

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"cbkit/internal/lock"
	"cbkit/model"
)

// Where the system does not tell who changes a database, it needs recovery all the same.
func TestInterruptedEditWithoutOwner(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "Games.cbh")
	for _, name := range []string{main, filepath.Join(dir, "Games.cbkit-journal"), lock.File(main, lock.Commit)} {
		if err := os.WriteFile(name, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread() // as nobody, who may not open the files
	defer runtime.UnlockOSThread()
	before, err := unix.SetfsuidRetUid(65534)
	if err != nil {
		t.Fatal(err)
	}
	err = interruptedEdit(main)
	if _, again := unix.SetfsuidRetUid(before); again != nil {
		t.Fatal(again)
	}
	if !errors.Is(err, model.ErrNeedsRecovery) || !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}
