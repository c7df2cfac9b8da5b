package fsys

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openFile opens a file for reading, and waits for nothing: a pipe without a writer is
// opened, too, or an error. [os.Open] would wait for one, so that its files would have
// to be looked at before, and makes three calls of the system more.
func openFile(name string) (*os.File, error) {
	for {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
		if err == nil {
			return os.NewFile(uintptr(fd), name), nil
		}
		if err == unix.EINTR {
			continue
		}
		if info, e := os.Stat(name); e == nil && regular(info) != nil {
			return nil, ErrNotRegular // a socket, or what may not be read
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
}

// unnamed creates a file that has no name, or returns nil where the file system cannot.
func unnamed(dir, called string) File {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), called)
}
