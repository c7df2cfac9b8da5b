//go:build unix

package fsys

import (
	"io/fs"
	"syscall"
)

func linksOf(_ string, info fs.FileInfo) (int, error) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink), nil
	}
	return 1, nil
}
