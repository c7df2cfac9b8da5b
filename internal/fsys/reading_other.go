//go:build !linux

package fsys

import "os"

func openFile(name string) (*os.File, error) { return os.Open(name) }
