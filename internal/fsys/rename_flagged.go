//go:build linux || darwin

package fsys

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameTo renames without replacing anything.
func renameTo(from, to string) error {
	err := renameFlagged(from, to)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, errors.ErrUnsupported):
		return renameIfFree(from, to) // the file system does not know the flag
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
