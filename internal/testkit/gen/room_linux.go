package gen

import "golang.org/x/sys/unix"

// room returns how many bytes a folder has room for, 0 if there is none.
func room(folder string) uint64 {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return 0
	}
	return s.Bavail * uint64(s.Bsize)
}
