package fsys

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openFile opens a file for reading. [os.Open] would try to have it watched for
// readiness, which files do not know: four calls of the system and a half of what
// opening costs.
func openFile(name string) (*os.File, error) {
	for {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			return os.NewFile(uintptr(fd), name), nil
		}
		if err != unix.EINTR {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
	}
}
