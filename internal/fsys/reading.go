package fsys

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReadFS is all that readers ask of a file system. Names are those of package
// os.
type ReadFS interface {
	// Open opens a regular file. What is none is ErrNotRegular, and is not
	// waited for.
	Open(name string) (ReadFile, error)
	// ReadDir lists a folder in the order of names.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat describes a file or folder.
	Stat(name string) (fs.FileInfo, error)
}

// ReadFile is an open file that is read at any place.
type ReadFile interface {
	io.ReaderAt
	io.Closer
	// Size returns the size in bytes: of a file of a ReadFS, when it was opened.
	Size() int64
}

// Open implements ReadFS.
func (OS) Open(name string) (ReadFile, error) {
	f, err := disk.Open(name)
	if err != nil {
		return nil, err
	}
	return opened(f)
}

// opened returns a file that is open, which is closed if it is none that can be read at
// any place, or is in memory then.
func opened(f fs.File) (ReadFile, error) {
	info, err := f.Stat()
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, cmp.Or(err, f.Close())
	}
	if at, ok := f.(io.ReaderAt); ok {
		return sized{at, f, info.Size()}, nil
	}
	b, err := buffered(f, info.Size())
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return NewMemory(b), nil
}

// ErrNotRegular says that something is not a file but a folder, a pipe, a device.
var ErrNotRegular = errors.New("not a regular file")

// regular returns an error for what is not a regular file.
func regular(info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return ErrNotRegular
}

// sized is a file with the size that it had when it was opened.
type sized struct {
	io.ReaderAt
	io.Closer
	size int64
}

// Size implements ReadFile.
func (s sized) Size() int64 { return s.size }

// maxBuffered is the size in bytes up to which a file that cannot be read at any
// place is taken into memory.
const maxBuffered = 256 << 20

// FromFS returns the files of a file system of the standard library. Those that
// have no ReadAt are read into memory when they are opened, and refused above
// 256 MiB.
func FromFS(files fs.FS) ReadFS { return standard{files} }

// standard is a file system of the standard library, whose names have slashes.
type standard struct{ fs.FS }

// Folder returns what is in a folder, as a file system of the standard library.
func Folder(files ReadFS, name string) (fs.FS, error) {
	if s, ok := files.(standard); ok {
		return fs.Sub(s.FS, slashed(name))
	}
	return os.DirFS(name), nil
}

// slashed returns a name as package fs has it.
func slashed(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

// ReadDir implements ReadFS.
func (s standard) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(s.FS, slashed(name))
}

// Stat implements ReadFS.
func (s standard) Stat(name string) (fs.FileInfo, error) { return fs.Stat(s.FS, slashed(name)) }

// Open implements ReadFS.
func (s standard) Open(name string) (ReadFile, error) {
	f, err := s.FS.Open(slashed(name))
	if err != nil {
		return nil, err
	}
	return opened(f)
}

// buffered reads a file that says it has a size.
func buffered(f io.Reader, size int64) ([]byte, error) {
	if size > maxBuffered {
		return nil, tooLarge(size)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxBuffered+1))
	if len(b) > maxBuffered {
		err = tooLarge(int64(len(b)))
	}
	return b, err
}

func tooLarge(size int64) error {
	return fmt.Errorf("%d bytes or more that cannot be read at any place; copy the files to a folder first", size)
}
