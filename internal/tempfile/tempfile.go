// Package tempfile makes temporary files for writers. It overwrites no other file, and
// files that a killed process left can be recognised.
//
// A file that will replace another lies beside it until then, under the same name with a
// suffix; other files of such a name are left alone:
//
//	Games.cbb.cbkit-new-4711-0    process 4711, its first one
//
// A scratch file, for sorting and the like, is in a folder for temporary files:
//
//	cbkit-sort-4711-0.tmp
//
// On Linux it has no name at all where the file system allows that. Elsewhere it
// loses that name as soon as it is open, if the system lets it, so that it ends
// with its process. On Windows it keeps the name as long as it is open, and cannot
// be removed then: so a scratch file that can be removed is not in use.
package tempfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Create creates a file that will take the place of the target, and returns its
// name. It has the given permissions, or those that the user's mask leaves if
// they are 0.
func Create(files fsys.FS, target string, mode fs.FileMode) (f fsys.File, name string, err error) {
	return create(files, mode, func(n int) string { return fmt.Sprintf("%s%s%d-%d", target, dbfile.SuffixNew, os.Getpid(), n) })
}

// create creates a file under the first of some names that is free.
func create(files fsys.FS, mode fs.FileMode, name func(int) string) (fsys.File, string, error) {
	for n := 0; ; n++ {
		f, err := fsys.CreateNew(files, name(n), mode)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return f, name(n), err
		}
	}
}

// Left lists the files, beside the targets of that folder, that processes made
// which were stopped, if none of them is at work there now. isTarget says which
// names are meant. Links and folders are not meant.
func Left(files fsys.FS, dir string, isTarget func(name string) bool) ([]string, error) {
	return list(files, dir, func(name string) bool {
		target, suffix := dbfile.OurOwn(name)
		return suffix == dbfile.SuffixNew && isTarget(target)
	})
}

// list lists the regular files of a folder whose names are as asked.
func list(files fsys.FS, dir string, is func(string) bool) (names []string, err error) {
	entries, err := files.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && is(e.Name()) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names, err
}

// Scratch is a file that goes away when it is closed.
type Scratch struct {
	fsys.File
	files fsys.FS
	named string // "" if it has no name any more
}

// NewScratch creates a scratch file in a folder. The purpose is a word for its
// name, of small letters. Those that killed processes have left there go.
func NewScratch(files fsys.FS, dir, purpose string) (*Scratch, error) {
	_, _ = ClearScratch(files, dir) // what stays does no harm
	called := func(n int) string {
		return filepath.Join(dir, fmt.Sprintf("cbkit-%s-%d-%d.tmp", purpose, os.Getpid(), n))
	}
	if f := fsys.Unnamed(files, dir, called(0)); f != nil {
		return &Scratch{File: f, files: files}, nil
	}
	f, name, err := create(files, 0o600, called)
	if err != nil {
		return nil, err
	}
	s := &Scratch{File: f, files: files}
	if err := files.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) { // another process cleared it
		s.named = name // the system keeps it
	}
	return s, nil
}

// Close closes and removes the file. One that stays is a [*model.UntidyError].
func (s *Scratch) Close() error {
	err := s.File.Close()
	if s.named == "" {
		return err
	}
	if left := s.files.Remove(s.named); left != nil && !errors.Is(left, fs.ErrNotExist) { // another process cleared it
		err = cmp.Or[error](err, &model.UntidyError{Path: s.named, Err: left})
	}
	return err
}

// ClearScratch removes the scratch files that are not in use from a folder, and
// returns their names.
func ClearScratch(files fsys.FS, dir string) (removed []string, err error) {
	names, err := list(files, dir, dbfile.IsScratch)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if files.Remove(name) == nil {
			removed = append(removed, name)
		}
	}
	return removed, nil
}
