package fsys

import (
	"errors"
	"fmt"
	"io/fs"
)

// ErrLinked says that a file has another name, a hard link: what is written into it
// is in both.
var ErrLinked = errors.New("has another name (a hard link)")

// RefuseLinked returns an error if a file has another name, in whatever folder. Who
// changes a file in its place asks this; one that is replaced leaves its other
// names what they are.
func RefuseLinked(files FS, name string) error {
	switch n, err := links(files, name); {
	case err != nil:
		return err
	case n > 1:
		return fmt.Errorf("%s: %w, which a change would change too: put a copy of the file into its place first", name, ErrLinked)
	}
	return nil
}

// Linked is implemented by descriptions of files that know how many names the file
// has.
type Linked interface {
	fs.FileInfo
	Links() int
}

// links returns how many names a file has: 1 where the system does not say.
func links(files FS, name string) (int, error) {
	info, err := files.Stat(name)
	if err != nil {
		return 0, err
	}
	if l, ok := info.(Linked); ok {
		return l.Links(), nil
	}
	return linksOf(name, info)
}
