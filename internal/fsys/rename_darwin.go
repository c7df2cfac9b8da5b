package fsys

import "golang.org/x/sys/unix"

// renameFlagged renames without replacing anything, if the file system can.
func renameFlagged(from, to string) error { return unix.RenamexNp(from, to, unix.RENAME_EXCL) }
