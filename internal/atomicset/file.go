package atomicset

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/tempfile"
	"cbkit/model"
)

// File is a file of the machine that takes its place, which may be that of
// another one, when it is complete. Until then it is beside that place.
type File struct {
	fsys.File
	lock   *lock.Lock
	name   string // while it is not in place
	target string // links are followed
	force  bool
}

// NewFile begins a file; Extensions and OnReplace mean nothing here. Without Force
// it refuses a file that is there with an [*ExistsError], and in any case a target
// that another process writes with [model.ErrLocked], a file that may not be
// written to with [model.ErrReadOnly], a folder, and a link that leads nowhere. A file
// that is replaced leaves its permissions to the new one. What a process left that was
// stopped in writing the target goes.
func NewFile(path string, opt Options) (*File, error) {
	target, err := followed(path)
	if err != nil {
		return nil, err
	}
	l, err := lock.Acquire(opt.context(), fsys.OS{}, target, lock.Writer, opt.Wait)
	if err != nil {
		return nil, err
	}
	f := &File{lock: l, target: target, force: opt.Force}
	mode, err := modeOf(target, path, opt.Force)
	if err == nil && (opt.Force || l.TookOver) { // a crash may have lost the file of the lock alone
		var left []string
		left, err = tempfile.Left(fsys.OS{}, filepath.Dir(target), func(name string) bool { return name == filepath.Base(target) })
		for _, name := range left {
			err = cmp.Or(err, (fsys.OS{}).Remove(name))
		}
	}
	if err == nil {
		f.File, f.name, err = tempfile.Create(fsys.OS{}, target, mode)
	}
	if err != nil {
		return nil, cmp.Or(err, l.Release())
	}
	return f, nil
}

// followed returns what a link leads to, or the name itself.
func followed(path string) (string, error) {
	link, err := fsys.OS{}.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", err
	case link.Mode()&fs.ModeSymlink == 0:
		return path, nil
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: is a link that leads nowhere; remove it", path)
	}
	return target, err
}

// modeOf returns the permissions of the file that is replaced, 0 if there is none, or an
// error if it may not be.
func modeOf(target, path string, force bool) (fs.FileMode, error) {
	old, err := fsys.OS{}.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case old.IsDir():
		return 0, fmt.Errorf("%s: is a folder; name the file to make in it", path)
	case !force:
		return 0, &model.ExistsError{Path: path, Main: path}
	}
	return old.Mode().Perm(), refuseReadOnly(fsys.OS{}, path, old.Mode())
}

// Commit completes the file and gives it its name. Without Force it takes the
// place of nothing that came into being meanwhile. After an error there is no new
// file, unless it is [model.ErrUncertain].
func (f *File) Commit() error {
	if f.name == "" {
		return fs.ErrClosed
	}
	err := f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	switch {
	case err != nil:
	case f.force:
		err = fsys.OS{}.Replace(f.name, f.target)
	default:
		if err = (fsys.OS{}).Rename(f.name, f.target); errors.Is(err, fs.ErrExist) {
			err = &model.ExistsError{Path: f.target, Main: f.target}
		}
	}
	if err != nil {
		return f.discarded(err)
	}
	f.name = ""
	if err := (fsys.OS{}).SyncDir(filepath.Dir(f.target)); err != nil {
		err = fmt.Errorf("%s: %w: %w", f.target, model.ErrUncertain, err)
		return cmp.Or(err, f.lock.Release())
	}
	return f.lock.Release()
}

// Abort removes the file. After Commit it does nothing.
func (f *File) Abort() error {
	if f.name == "" {
		return nil
	}
	_ = f.Close() // what is in it is not wanted
	return f.discarded(nil)
}

// discarded removes the file because of an error, or of none.
func (f *File) discarded(err error) error {
	left := fsys.OS{}.Remove(f.name)
	f.name = ""
	if left != nil {
		err = bothFaults(err, "the unfinished file could not be removed", left)
	}
	return cmp.Or(err, f.lock.Release())
}
