//go:build !linux && !darwin && !windows

package fsys

// renameTo renames without replacing anything that is there.
func renameTo(from, to string) error { return renameIfFree(from, to) }
