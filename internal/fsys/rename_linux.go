package fsys

import "golang.org/x/sys/unix"

// renameFlagged renames without replacing anything, if the file system can.
func renameFlagged(from, to string) error {
	return unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
}
