package fsys

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// FS is all that writers ask of a file system. Names are those of package os.
// Errors for files that are missing or there already wrap [fs.ErrNotExist] and
// [fs.ErrExist].
type FS interface {
	// OpenFile opens or creates a file as [os.OpenFile] does. What is not a regular
	// file, such as a pipe, is an error, [ErrNotRegular] where it could be opened, and
	// is not waited for.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// Mkdir creates a folder.
	Mkdir(name string, perm fs.FileMode) error
	// Rename moves a file or folder. It replaces nothing: where something has
	// the new name it returns an error that is [fs.ErrExist].
	Rename(from, to string) error
	// Remove deletes a file or an empty folder.
	Remove(name string) error
	// ReadDir lists a folder in the order of names.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat describes a file or folder.
	Stat(name string) (fs.FileInfo, error)
	// Lstat describes a file or folder, or a link itself.
	Lstat(name string) (fs.FileInfo, error)
	// Chmod changes the permissions of a file.
	Chmod(name string, mode fs.FileMode) error
	// Chtimes sets the time when a file was last changed.
	Chtimes(name string, changed time.Time) error
	// SyncDir makes the folder's entries permanent.
	SyncDir(name string) error
}

// File is an open file.
type File interface {
	io.Reader
	io.Writer
	io.Seeker
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Sync makes the content permanent.
	Sync() error
	// Truncate cuts or extends the file.
	Truncate(size int64) error
	// Stat describes the file, whatever has its name now.
	Stat() (fs.FileInfo, error)
}

// machine is the file system of the machine.
type machine struct{}

// OpenFile implements FS.
func (machine) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag|NonBlocking, perm)
	if err != nil {
		return nil, err
	}
	// A folder is opened as ever; reading it is an error.
	info, err := f.Stat()
	if err == nil && !info.IsDir() {
		err = regular(info)
	}
	if err != nil {
		return nil, cmp.Or(f.Close(), error(&fs.PathError{Op: "open", Path: name, Err: err}))
	}
	return f, nil
}

// Mkdir implements FS.
func (machine) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }

// Rename implements FS. On Linux, macOS and Windows the system sees to it that
// nothing is replaced; elsewhere, and on file systems that cannot, a file that
// comes into being in the same moment is.
func (machine) Rename(from, to string) error { return renameTo(from, to) }

// renameIfFree renames unless something has the new name.
func renameIfFree(from, to string) error {
	switch _, err := os.Lstat(to); {
	case err == nil:
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return os.Rename(from, to)
}

// Remove implements FS.
func (machine) Remove(name string) error { return os.Remove(name) }

// ReadDir implements FS.
func (machine) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(name)
	return entries, named(err)
}

// Stat implements FS.
func (machine) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// Lstat implements FS.
func (machine) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Chmod implements FS.
func (machine) Chmod(name string, mode fs.FileMode) error { return os.Chmod(name, mode) }

// Chtimes implements FS.
func (machine) Chtimes(name string, changed time.Time) error {
	return os.Chtimes(name, time.Time{}, changed)
}

// SyncDir implements FS. Where folders cannot be synced it does nothing: the
// system then orders its own changes.
func (machine) SyncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(name)
	if err != nil {
		return named(err)
	}
	return named(cmp.Or(dir.Sync(), dir.Close()))
}

// named gives the folder "." in an error of the os package its name: a reader of the
// error may not know where the program ran.
func named(err error) error {
	if p, is := err.(*fs.PathError); is && p.Path == "." {
		if folder, err := os.Getwd(); err == nil {
			p.Path = folder
		}
	}
	return err
}

// MkdirAll makes a folder and those it is in, each on the disk before what it will hold, and
// returns those that it made, parents first.
func MkdirAll(files FS, folder string) (made []string, err error) {
	switch info, err := files.Stat(folder); {
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("%s: is a file; name a folder", folder)
	case err == nil || !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	above := filepath.Dir(folder)
	if above != folder {
		if made, err = MkdirAll(files, above); err != nil {
			return made, err
		}
	}
	switch err := files.Mkdir(folder, 0o777); {
	case err == nil:
		made = append(made, folder)
	case errors.Is(err, fs.ErrExist): // another made it meanwhile, or it is a link that leads nowhere
		if info, looked := files.Stat(folder); looked != nil || !info.IsDir() {
			return made, err
		}
	default:
		return made, err
	}
	return made, files.SyncDir(above)
}

// CreateNew creates a file that is not there, for reading and writing, with the
// given permissions, or those that the user's mask leaves if they are 0.
func CreateNew(files FS, name string, mode fs.FileMode) (File, error) {
	perm := mode
	if mode == 0 {
		perm = 0o666
	}
	f, err := files.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
	if err != nil || mode == 0 {
		return f, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().Perm() != mode {
		err = files.Chmod(name, mode)
	}
	if err != nil {
		return nil, cmp.Or(err, f.Close(), files.Remove(name))
	}
	return f, nil
}

// A Clock is the unit in which a file system keeps change times.
type Clock time.Duration

// Clocks are those of file systems, the finest first.
var Clocks = [...]Clock{1, 100, Clock(time.Microsecond), Clock(time.Millisecond), Clock(10 * time.Millisecond), Clock(time.Second), Clock(2 * time.Second)}

// Keeps returns what is kept of a time.
func (c Clock) Keeps(t time.Time) time.Time {
	n := t.UnixNano()
	return time.Unix(0, n-n%int64(c))
}
