package fsys

import (
	"io"
	"io/fs"
	"os"
	"time"
)

// OS is the file system of the machine, or the one that stands for it ([Play]).
type OS struct{}

// Disk is what can stand for the file system of the machine. Replace renames, also onto a file
// that is there; what Open opens is an io.ReaderAt.
type Disk interface {
	FS
	fs.FS
	Replace(from, to string) error
}

var disk Disk = machine{}

// Play lets a disk stand for that of the machine, nil ends that: for tests. Nothing may be open.
func Play(d Disk) {
	if disk = d; d == nil {
		disk = machine{}
	}
}

// Under returns what a file system stands for.
func Under(files FS) FS {
	if files == (OS{}) && disk != (machine{}) {
		return disk
	}
	return files
}

// IsMachine reports whether files are those of the machine, truly.
func IsMachine(files FS) bool { return Under(files) == OS{} }

// Unnamed creates a file of the machine in a folder that never has a name there, and ends
// with its process; nil where that cannot be. Errors call it as is said.
func Unnamed(files FS, dir, called string) File {
	if !IsMachine(files) {
		return nil
	}
	return unnamed(dir, called)
}

// Same reports whether two descriptions are of one file.
func Same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) || a.Sys() != nil && a.Sys() == b.Sys()
}

// Unchanged reports whether a file is what it was before: the same file, of the same size
// and time of change. Where files have no identity the last two tell.
func Unchanged(before, now fs.FileInfo) bool {
	return before.Size() == now.Size() && before.ModTime().Equal(now.ModTime()) && (Same(before, now) || !Same(before, before))
}

func (machine) Open(name string) (fs.File, error) { return openFile(name) }
func (machine) Replace(from, to string) error     { return os.Rename(from, to) }
func (OS) OpenFile(n string, flag int, perm fs.FileMode) (File, error) {
	return disk.OpenFile(n, flag, perm)
}
func (OS) Mkdir(name string, perm fs.FileMode) error  { return disk.Mkdir(name, perm) }
func (OS) Rename(from, to string) error               { return disk.Rename(from, to) }
func (OS) Replace(from, to string) error              { return disk.Replace(from, to) }
func (OS) Remove(name string) error                   { return disk.Remove(name) }
func (OS) ReadDir(name string) ([]fs.DirEntry, error) { return disk.ReadDir(name) }
func (OS) Stat(name string) (fs.FileInfo, error)      { return disk.Stat(name) }
func (OS) Lstat(name string) (fs.FileInfo, error)     { return disk.Lstat(name) }
func (OS) Chmod(name string, mode fs.FileMode) error  { return disk.Chmod(name, mode) }
func (OS) Chtimes(name string, at time.Time) error    { return disk.Chtimes(name, at) }
func (OS) SyncDir(name string) error                  { return disk.SyncDir(name) }

// Plain opens what there is as package os does: it may be a pipe.
func (OS) Plain(name string) (fs.File, error) {
	if IsMachine(OS{}) {
		return os.Open(name)
	}
	return disk.Open(name)
}

// ReadFile returns the content of a file.
func (o OS) ReadFile(name string) ([]byte, error) {
	f, err := o.Plain(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	return io.ReadAll(f)
}
