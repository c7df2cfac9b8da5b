//go:build unix

package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cbkit/internal/testkit/must"
)

// A lock file that another user left in a folder where each can remove his own alone is
// told as that; a folder that cannot be written to is not.
func TestAnotherUsersLock(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "Games.cbh.cbkit-lock")
	for _, c := range []struct {
		mode          fs.FileMode
		there, theirs bool
	}{{0o777, false, false}, {0o777, true, false}, {0o777 | fs.ModeSticky, true, true}, {0o777 | fs.ModeSticky, false, false}} {
		must.Do(t, os.Chmod(dir, c.mode))
		_ = os.Remove(path)
		if c.there {
			must.Do(t, os.WriteFile(path, nil, 0o444))
		}
		err := pathError(path, syscall.EACCES)
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "another user's") != c.theirs {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
