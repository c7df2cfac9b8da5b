package fsys

import (
	"os"

	"golang.org/x/sys/windows"
)

// renameTo renames without replacing anything.
func renameTo(from, to string) error {
	names := [2]*uint16{}
	for i, name := range []string{from, to} {
		p, err := windows.UTF16PtrFromString(name)
		if err != nil {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
		}
		names[i] = p
	}
	// Without the flag that lets it replace, it does not.
	if err := windows.MoveFileEx(names[0], names[1], 0); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
