package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"cbkit/internal/fsys"
)

// Options say how a set is changed.
type Options struct {
	// Memory is how many bytes of changes are kept in memory; 0 is 16 MiB.
	Memory int
	// Lock, if not nil, is called before a commit writes, and what it returns
	// when it has done so.
	Lock func() (unlock func() error, err error)
}

// defaultMemory is the memory for changes.
const defaultMemory = 16 << 20

// Set is a set of files that is open for change, in one transaction after the
// other. It must not be used by more than one goroutine at a time, nor by more
// than one program: that is the caller's to see to.
type Set struct {
	place
	opt    Options
	pool   pool
	files  []*File
	moves  [][2]string
	links  map[string]bool // names that are not those of regular files
	works  int             // number of the last working file
	litter []string        // old files that commits have left
	// uncertain: the folder may not know yet that the last journal is gone.
	uncertain bool
	closed    bool
	failed    error // why nothing can be done any more
}

// Open opens the set of a main file for change. Whatever a crash has left is
// put right first: see [Recover].
func Open(files fsys.FS, main string, opt Options) (*Set, error) {
	if _, err := Recover(files, main); err != nil {
		return nil, err
	}
	if _, err := files.Stat(main); err != nil {
		return nil, err
	}
	s := &Set{place: newPlace(files, main), opt: opt, links: map[string]bool{}}
	if opt.Memory == 0 {
		opt.Memory = defaultMemory
	}
	s.pool = pool{place: &s.place, limit: max(opt.Memory/pageSize, 1)}
	entries, err := files.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			s.links[e.Name()] = true
		}
	}
	return s, nil
}

// check refuses work on a set that is closed.
func (s *Set) check() error {
	if s.closed {
		return fs.ErrClosed
	}
	return s.failed
}

// find returns the file of a name, nil if it was not opened before.
func (s *Set) find(name string) *File {
	for _, f := range s.files {
		if f.name == name {
			return f
		}
	}
	return nil
}

// File returns a file of the set, which may not be there ([File.Exists]). Its
// name is as on the disk, without the folder. A link is refused: what lies
// elsewhere may be in other sets too.
func (s *Set) File(name string) (*File, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if f := s.find(name); f != nil {
		return f, nil
	}
	if !s.belongs(name) {
		return nil, fmt.Errorf("%s: not a file of the set %s", name, s.base)
	}
	if s.links[name] {
		return nil, fmt.Errorf("%s: not a regular file; change the database where its files are", s.path(name))
	}
	f := &File{set: s, name: name}
	if err := f.note(); err != nil {
		return nil, err
	}
	s.files = append(s.files, f)
	return f, f.forget()
}

// Exists reports whether the file is there, or will be after the commit.
func (f *File) Exists() bool { return f.work != "" || f.exists && !f.dropped }

// Drop removes the file. It can be written anew.
func (f *File) Drop() error {
	if err := f.check(); err != nil {
		return err
	}
	work := f.work
	if err := f.forget(); err != nil {
		return err
	}
	f.dropped = true
	if work == "" {
		return nil
	}
	return f.set.fs.Remove(f.set.path(work))
}

// Move gives a file that was not opened another name, which nothing has.
func (s *Set) Move(from, to string) error {
	if err := s.check(); err != nil {
		return err
	}
	for _, name := range []string{from, to} {
		if !s.belongs(name) || s.find(name) != nil || s.links[name] {
			return fmt.Errorf("%s: cannot be renamed", s.path(name))
		}
	}
	if there, err := s.exists(to); there || err != nil {
		return errors.Join(err, &fs.PathError{Op: "rename", Path: s.path(to), Err: fs.ErrExist})
	}
	s.moves = append(s.moves, [2]string{from, to})
	return nil
}

// Rollback forgets all changes since the last commit.
func (s *Set) Rollback() error {
	if s.closed {
		return nil
	}
	var errs []error
	for _, f := range s.files {
		work := f.work
		errs = append(errs, f.forget())
		if work != "" {
			errs = append(errs, s.remove(work))
		}
	}
	s.moves = nil
	return errors.Join(append(errs, s.pool.reset())...)
}

// Close ends the work: changes that were not committed are forgotten. A second
// time it does nothing.
func (s *Set) Close() error {
	if s.closed {
		return nil
	}
	err := s.Rollback()
	if s.failed == nil {
		_ = s.tidy() // or the next writer does it
	}
	s.closed = true
	return err
}

// Base returns the name that all files of the set begin with.
func (s *Set) Base() string { return s.base }

// Names lists the regular files of the set in its folder as it is now on the
// disk, without working files.
func (s *Set) Names() ([]string, error) {
	entries, err := s.fs.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, working := s.isWorking(e.Name()); s.belongs(e.Name()) && !working && e.Type().IsRegular() &&
			!strings.EqualFold(e.Name(), s.base+Ending) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
