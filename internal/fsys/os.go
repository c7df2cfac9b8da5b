package fsys

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"time"
)

// OS is the file system of the machine, or the one that stands for it ([Play]).
type OS struct{}

// Disk is what can stand for the file system of the machine.
type Disk interface {
	FS
	fs.FS // whose files are io.ReaderAt
	// Replace renames, also onto a file that is there.
	Replace(from, to string) error
}

// disk is what OS stands for.
var disk interface {
	FS
	open(name string) (fs.File, error)
	Replace(from, to string) error
} = machine{}

// Play lets a disk stand for that of the machine, nil ends that: tests of what happens
// on a disk between all that is above. Nothing may be open, and nobody else at work.
func Play(d Disk) {
	disk = machine{}
	if d != nil {
		disk = played{d}
	}
}

type played struct{ Disk }

func (p played) open(name string) (fs.File, error) { return p.Disk.Open(name) }

// Under returns what a file system stands for.
func Under(files FS) FS {
	if _, is := files.(OS); !is {
		return files
	}
	if p, is := disk.(played); is {
		return p.Disk
	}
	return files
}

// IsMachine reports whether files are those of the machine, truly.
func IsMachine(files FS) bool { return Under(files) == OS{} }

// Same reports whether two descriptions are of one file.
func Same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) || a != nil && b != nil && a.Sys() != nil && a.Sys() == b.Sys()
}

func (machine) open(name string) (fs.File, error) { return openFile(name) }

// Replace renames a file, also onto another one.
func (machine) Replace(from, to string) error { return os.Rename(from, to) }

// Plain opens a file as package os does.
func (OS) Plain(name string) (fs.File, error) {
	if IsMachine(OS{}) {
		return os.Open(name)
	}
	return disk.open(name)
}

// ReadFile returns the content of a file.
func (o OS) ReadFile(name string) ([]byte, error) {
	f, err := o.Plain(name)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	return b, cmp.Or(err, f.Close())
}

// The methods of FS, and Replace.

func (OS) OpenFile(n string, flag int, perm fs.FileMode) (File, error) {
	return disk.OpenFile(n, flag, perm)
}
func (OS) Mkdir(name string, perm fs.FileMode) error    { return disk.Mkdir(name, perm) }
func (OS) Rename(from, to string) error                 { return disk.Rename(from, to) }
func (OS) Replace(from, to string) error                { return disk.Replace(from, to) }
func (OS) Remove(name string) error                     { return disk.Remove(name) }
func (OS) ReadDir(name string) ([]fs.DirEntry, error)   { return disk.ReadDir(name) }
func (OS) Stat(name string) (fs.FileInfo, error)        { return disk.Stat(name) }
func (OS) Lstat(name string) (fs.FileInfo, error)       { return disk.Lstat(name) }
func (OS) Chmod(name string, mode fs.FileMode) error    { return disk.Chmod(name, mode) }
func (OS) Chtimes(name string, changed time.Time) error { return disk.Chtimes(name, changed) }
func (OS) SyncDir(name string) error                    { return disk.SyncDir(name) }
