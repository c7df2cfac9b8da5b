package fsys

import (
	"errors"
	"fmt"
	"io/fs"
)

// ErrLinked says that a file has another name, a hard link: what is written into it
// is in both.
var ErrLinked = errors.New("has another name (a hard link)")

// RefuseLinked returns an error if a file, of which Stat has told, has another name, in
// whatever folder. Who changes a file in its place asks this; one that is replaced leaves
// its other names what they are.
func RefuseLinked(name string, info fs.FileInfo) error {
	switch n, err := links(name, info); {
	case err != nil:
		return err
	case n > 1:
		return fmt.Errorf("%s: %w, which a change would change too: put a copy of the file into its place first", name, ErrLinked)
	}
	return nil
}

// RefuseSpecial returns an error if there is no file of that name, or something else than
// a file with bytes that stay: a folder, a pipe, a device. It opens nothing, since a pipe
// would wait for a writer.
func RefuseSpecial(files FS, name string) error {
	info, err := files.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: is a folder, a pipe or a device, which cannot be changed in place: name a file", name)
	}
	return err
}

// Linked is implemented by descriptions of files that know how many names the file
// has.
type Linked interface {
	fs.FileInfo
	Links() int
}

// links returns how many names a file has: 1 where the system does not say.
func links(name string, info fs.FileInfo) (int, error) {
	if l, ok := info.(Linked); ok {
		return l.Links(), nil
	}
	return linksOf(name, info)
}
