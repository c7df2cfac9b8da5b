//go:build unix

package fsys

import "golang.org/x/sys/unix"

func mayWrite(name string) bool { return unix.Access(name, unix.W_OK) == nil }
