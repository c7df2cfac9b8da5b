package write

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cbkit/check"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
)

// repairView is the folder of a set as the transaction has it, for a check, which
// reads on several goroutines while one applies fixes.
type repairView struct {
	files fsys.FS
	dir   string
	set   *journal.Set
	// lock is held while a file of the set is read or written, which is for one goroutine.
	lock sync.Mutex
	err  error
}

// Err returns the first error of the machine: a reader may have taken it for
// damage.
func (v *repairView) Err() error {
	v.lock.Lock()
	defer v.lock.Unlock()
	return v.err
}

// note remembers an error of the machine, under the lock, and returns it.
func (v *repairView) note(err error) error {
	if v.err == nil && err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, io.EOF) {
		v.err = err
	}
	return err
}

// noted is note for those who do not have the lock.
func (v *repairView) noted(err error) error {
	v.lock.Lock()
	defer v.lock.Unlock()
	return v.note(err)
}

var (
	_ fs.ReadDirFS = (*repairView)(nil)
	_ fs.StatFS    = (*repairView)(nil)
)

// ReadDir implements [fs.ReadDirFS]: the folder as it is on the disk, but for
// what was dropped.
func (v *repairView) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := v.files.ReadDir(filepath.Join(v.dir, name))
	if err != nil || name != "." {
		return entries, v.noted(err)
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	var list []fs.DirEntry
	for _, e := range entries {
		if e.Type().IsRegular() {
			if f, err := v.set.File(e.Name()); err == nil && !f.Exists() {
				continue // it goes with the commit
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// Stat implements [fs.StatFS].
func (v *repairView) Stat(name string) (fs.FileInfo, error) {
	info, err := v.files.Stat(filepath.Join(v.dir, name))
	if err != nil || !info.Mode().IsRegular() {
		return info, v.noted(err)
	}
	f, err := v.file(name)
	if f == nil {
		return info, err
	}
	return f.Stat()
}

// Open implements [fs.FS].
func (v *repairView) Open(name string) (fs.File, error) {
	f, err := v.file(name)
	if f != nil || err != nil {
		return f, err
	}
	path := filepath.Join(v.dir, name)
	info, err := v.files.Stat(path)
	if err != nil {
		return nil, v.noted(err)
	}
	disk, err := v.files.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, v.noted(err)
	}
	return &diskFile{disk, info}, nil
}

// file returns a file of the set, nil if it is none that can be changed.
func (v *repairView) file(name string) (*viewed, error) {
	v.lock.Lock()
	defer v.lock.Unlock()
	f, err := v.set.File(name)
	if err != nil {
		return nil, nil // a link, or a file of the user
	}
	if !f.Exists() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &viewed{view: v, file: f, size: f.Size()}, nil
}

// apply changes a file of the set.
func (v *repairView) apply(e *check.Edit) error {
	v.lock.Lock()
	defer v.lock.Unlock()
	f, err := v.set.File(e.File)
	if err != nil {
		return err
	}
	if e.Whole {
		return f.Fill(e.New)
	}
	_, err = f.WriteAt(e.New, e.At)
	return err
}

// drop takes a file away with the commit, if it is there.
func (v *repairView) drop(name string) error {
	v.lock.Lock()
	defer v.lock.Unlock()
	f, err := v.set.File(name)
	if err != nil || !f.Exists() {
		return err
	}
	return f.Drop()
}

// diskFile is a file that no transaction changes.
type diskFile struct {
	fsys.File
	info fs.FileInfo
}

// Stat implements [fs.File].
func (f *diskFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// viewed is a file of the set.
type viewed struct {
	view *repairView
	file *journal.File
	size int64
	at   int64
}

// Stat implements [fs.File].
func (f *viewed) Stat() (fs.FileInfo, error) { return fileInfo{f.file, f.size}, nil }

// Read implements [fs.File].
func (f *viewed) Read(b []byte) (int, error) {
	n, err := f.ReadAt(b, f.at)
	f.at += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// ReadAt implements [io.ReaderAt].
func (f *viewed) ReadAt(b []byte, at int64) (int, error) {
	f.view.lock.Lock()
	defer f.view.lock.Unlock()
	n, err := f.file.ReadAt(b, at)
	return n, f.view.note(err)
}

// Close implements [fs.File]: the set closes its files.
func (f *viewed) Close() error { return nil }

// fileInfo describes a regular file; its time of change is that before the repair.
type fileInfo struct {
	file *journal.File
	size int64
}

func (i fileInfo) Name() string       { return i.file.Name() }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return 0o444 }
func (i fileInfo) ModTime() time.Time { return i.file.Changed() }
func (i fileInfo) IsDir() bool        { return false }
func (i fileInfo) Sys() any           { return nil }
