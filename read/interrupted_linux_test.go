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
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// Where the system does not tell who changes a database, it needs recovery all the same.
func TestInterruptedEditWithoutOwner(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "Games.cbh")
	for _, name := range []string{main, filepath.Join(dir, "Games.cbkit-journal"), lock.File(main, lock.Commit)} {
		must.Do(t, os.WriteFile(name, nil, 0))
	}
	must.Do(t, os.Chmod(filepath.Dir(dir), 0o755))
	runtime.LockOSThread() // as nobody, who may not open the files
	defer runtime.UnlockOSThread()
	before := must.Get(unix.SetfsuidRetUid(65534))(t)
	err := interruptedEdit(main)
	must.Get(unix.SetfsuidRetUid(before))(t)
	if !errors.Is(err, model.ErrNeedsRecovery) || !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}
