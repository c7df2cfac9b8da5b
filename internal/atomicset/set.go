package atomicset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// ErrInterrupted says that folders of an interrupted replacement, or of one
// that is going on now, are beside the target.
var ErrInterrupted = fmt.Errorf("%w: writing was interrupted, or is still going on", model.ErrNeedsRecovery)

// Options say how a set is replaced.
type Options struct {
	// Force allows an existing set to be replaced, and clears up after an
	// interrupted replacement first.
	Force bool
	// Extensions are those of all files and folders that belong to a set, the
	// main file's among them, without dots; upper and lower case are the same.
	// What has the main file's base name and one of these extensions goes away
	// when the set is replaced, also if the new set has nothing in its place.
	Extensions []string
}

// Set is a new set of files in the making.
type Set struct {
	place
	open []*setFile
	dirs []string // folders made, by their names in the set, parents first
	done bool
}

// New begins a set whose main file will be the given one. Without Force it
// refuses a target of which any file is there, with an error that is
// [fs.ErrExist], and the folders of an interrupted run, with [ErrInterrupted].
// A folder of that name is refused in any case: whatever is in it is no set.
func New(files fsys.FS, main string, opt Options) (*Set, error) {
	p := newPlace(files, main, opt.Extensions)
	switch info, err := files.Stat(main); {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: is a folder; name the file to make in it", main)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	left, err := p.leftovers()
	if err != nil {
		return nil, err
	}
	if left != "" {
		if !opt.Force {
			return nil, fmt.Errorf("%s: %w: if no other program is at work, force the replacement", left, ErrInterrupted)
		}
		if _, err := p.recover(); err != nil {
			return nil, err
		}
	}
	s := &Set{place: p}
	if !opt.Force {
		if err := s.refuseExisting(); err != nil {
			return nil, err
		}
	}
	s.force = opt.Force
	if err := files.Mkdir(p.folder(writing), 0o777); err != nil {
		return nil, err
	}
	return s, nil
}

// refuseExisting returns an error if anything is where the set will go.
func (s *Set) refuseExisting() error {
	old, err := s.members(s.staged())
	if err != nil || len(old) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w: force its replacement, or choose another name",
		filepath.Join(s.dir, old[0]), fs.ErrExist)
}

// staged returns the names at the top of the new set.
func (s *Set) staged() []string {
	var names []string
	add := func(name string) {
		if path.Dir(name) == "." && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, f := range s.open {
		add(f.name)
	}
	for _, dir := range s.dirs {
		add(dir)
	}
	return names
}

// Name returns the name that the set's main file has, without its folder.
func (s *Set) Name() string { return s.main }

// Create creates a file of the set, open for reading and writing. Its name is
// as it will be beside the main file; it may be in a folder made by MkdirAll
// ("book.html/1.bmp", with slashes). Closing the file syncs it; Commit closes
// what is open.
func (s *Set) Create(name string) (fsys.File, error) {
	if s.done {
		return nil, fs.ErrClosed
	}
	if !fs.ValidPath(name) || name == "." {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrInvalid}
	}
	f, err := s.fs.OpenFile(s.stagePath(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	sf := &setFile{File: f, name: name}
	s.open = append(s.open, sf)
	return sf, nil
}

// MkdirAll makes a folder of the set with its parents; a folder that is there
// already is no error. The name has slashes.
func (s *Set) MkdirAll(name string) error {
	if s.done {
		return fs.ErrClosed
	}
	if !fs.ValidPath(name) {
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrInvalid}
	}
	if name == "." || slices.Contains(s.dirs, name) {
		return nil
	}
	if err := s.MkdirAll(path.Dir(name)); err != nil {
		return err
	}
	if err := s.fs.Mkdir(s.stagePath(name), 0o777); err != nil {
		return err
	}
	s.dirs = append(s.dirs, name)
	return nil
}

func (s *Set) stagePath(name string) string {
	return filepath.Join(s.folder(writing), filepath.FromSlash(name))
}

// Abort removes the new set. After Commit it does nothing.
func (s *Set) Abort() error {
	if s.done {
		return nil
	}
	s.done = true
	var errs []error
	for _, f := range s.open {
		errs = append(errs, f.discard())
	}
	return errors.Join(append(errs, s.removeAll(s.folder(writing)))...)
}

// setFile is a file of a set. It is synced when it is closed, so that sets of
// many files need not keep them open.
type setFile struct {
	fsys.File
	name   string
	closed bool
}

// Close syncs and closes the file; a second time it does nothing.
func (f *setFile) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return errors.Join(f.Sync(), f.File.Close())
}

func (f *setFile) discard() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return f.File.Close()
}
