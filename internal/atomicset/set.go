package atomicset

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"cbkit/internal/fsys"
)

// Set is a new set of files in the making.
type Set struct {
	*Claim
	claimed bool // by the caller, who releases
	open    []*setFile
	dirs    []string // folders made, by their names in the set, parents first
	over    bool
}

// New claims a target, see [NewClaim], and begins a set there. The claim ends with
// Commit or Abort.
func New(files fsys.FS, main string, opt Options) (*Set, error) {
	c, err := NewClaim(files, main, opt)
	if err != nil {
		return nil, err
	}
	s, err := c.Begin()
	if err != nil {
		return nil, cmp.Or(err, c.Release())
	}
	s.claimed = false
	return s, nil
}

// Begin begins a set. The claim must be released when the set is committed or
// aborted.
func (c *Claim) Begin() (*Set, error) {
	if err := c.makeFolder(writing); err != nil {
		return nil, c.discarded(err)
	}
	return &Set{Claim: c, claimed: true}, nil
}

// Reserve says that the set will have a file or folder of that name, so that one
// that is in its place and must not be replaced is refused at once.
func (s *Set) Reserve(name string) error { return s.checkTarget([]string{name}) }

// staged returns the names at the top of the new set.
func (s *Set) staged() []string {
	var names []string
	for _, f := range s.open {
		names = append(names, f.name)
	}
	return slices.DeleteFunc(append(names, s.dirs...), func(name string) bool { return path.Dir(name) != "." })
}

// Name returns the name that the set's main file has, without its folder.
func (s *Set) Name() string { return s.main }

// Create creates a file of the set, open for reading and writing. Its name is
// as it will be beside the main file; it may be in a folder made by MkdirAll
// ("book.html/1.bmp", with slashes). It has the permissions of the file that it
// will replace, or of the old main file. Closing the file syncs it; Commit
// closes what is open.
func (s *Set) Create(name string) (fsys.File, error) {
	if s.over {
		return nil, fs.ErrClosed
	}
	if !fs.ValidPath(name) || name == "." || name == markName {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrInvalid}
	}
	mode := fs.FileMode(0)
	if path.Dir(name) == "." {
		mode = s.mode(name)
	}
	f, err := fsys.CreateNew(s.fs, s.Path(name), mode)
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
	if s.over {
		return fs.ErrClosed
	}
	if !fs.ValidPath(name) || name == markName {
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrInvalid}
	}
	if name == "." || slices.Contains(s.dirs, name) {
		return nil
	}
	if err := s.MkdirAll(path.Dir(name)); err != nil {
		return err
	}
	if err := s.fs.Mkdir(s.Path(name), 0o777); err != nil {
		return err
	}
	s.dirs = append(s.dirs, name)
	return nil
}

// Path returns where a file of the set is before Commit.
func (s *Set) Path(name string) string {
	return filepath.Join(s.folder(writing), filepath.FromSlash(name))
}

// Abort removes the new set. After Commit it does nothing. If something of it
// cannot be removed the error is [model.ErrNeedsRecovery].
func (s *Set) Abort() error {
	if s.over {
		return nil
	}
	return s.abandon(nil)
}

// abandon removes the new set because of an error, or of none.
func (s *Set) abandon(err error) error {
	s.over = true
	for _, f := range s.open {
		if !f.closed {
			f.closed = true
			_ = f.File.Close() // what is in it is not wanted
		}
	}
	return cmp.Or(s.discarded(err), s.end())
}

// end ends the claim, unless it is the caller's.
func (s *Set) end() error {
	if s.claimed {
		return nil
	}
	return s.Release()
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
	return cmp.Or(f.Sync(), f.File.Close())
}

// Chtimes sets the time when a file of the set, which is closed, was last
// changed.
func (s *Set) Chtimes(name string, changed time.Time) error {
	return s.fs.Chtimes(s.Path(name), changed)
}
