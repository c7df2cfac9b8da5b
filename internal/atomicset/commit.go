package atomicset

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// LeftoverError says that the new set is in place, but a folder with files of
// the old one could not be removed.
type LeftoverError struct {
	Folder string
	Err    error
}

// Error returns one line.
func (e *LeftoverError) Error() string {
	return fmt.Sprintf("%s: the new files are in place, delete this folder by hand: %v", e.Folder, e.Err)
}

// Unwrap returns Err.
func (e *LeftoverError) Unwrap() error { return e.Err }

// Commit puts the set in place of the old one. On an error nothing has
// changed, save with a [LeftoverError], or when undoing fails as well: then
// [Recover] completes the work.
func (s *Set) Commit() error {
	if s.done {
		return errors.New("the set was committed or aborted before")
	}
	if err := s.finishFiles(); err != nil {
		return errors.Join(err, s.Abort())
	}
	s.done = true
	m := mover{place: &s.place}
	if err := m.replace(s.staged()); err != nil {
		return errors.Join(err, m.undo(), s.removeAll(s.folder(writing)))
	}
	return s.clear()
}

// finishFiles makes the new set permanent where it is.
func (s *Set) finishFiles() error {
	if !slices.ContainsFunc(s.open, func(f *setFile) bool { return f.name == s.main }) {
		return fmt.Errorf("%s was never created", s.main)
	}
	for _, f := range s.open {
		if err := f.Close(); err != nil {
			return err
		}
	}
	for _, dir := range slices.Backward(s.dirs) {
		if err := s.fs.SyncDir(s.stagePath(dir)); err != nil {
			return err
		}
	}
	if err := s.fs.SyncDir(s.folder(writing)); err != nil {
		return err
	}
	if s.force {
		return nil
	}
	return s.refuseExisting()
}

// clear removes the working folders of a replacement that is done.
func (p *place) clear() error {
	for _, st := range []stage{moving, backup} {
		if err := p.removeAll(p.folder(st)); err != nil {
			return &LeftoverError{p.folder(st), err}
		}
	}
	return nil
}

// mover renames, remembers what it did, and can undo it.
type mover struct {
	*place
	renames [][2]string
}

// replace does steps 1 to 4 of the package comment, from a complete set in
// the folder "writing".
func (m *mover) replace(staged []string) error {
	if err := m.rename(m.folder(writing), m.folder(complete)); err != nil {
		return err
	}
	if err := m.backUp(staged); err != nil {
		return err
	}
	if err := m.rename(m.folder(complete), m.folder(moving)); err != nil {
		return err
	}
	return m.moveIn(moving)
}

// backUp moves what is left of the old set into the backup folder.
func (m *mover) backUp(staged []string) error {
	old, err := m.members(staged)
	if err != nil || len(old) == 0 {
		return err
	}
	there, err := m.exists(m.folder(backup))
	if err != nil {
		return err
	}
	if !there {
		if err := m.fs.Mkdir(m.folder(backup), 0o777); err != nil {
			return err
		}
	}
	for i, name := range old {
		if err := m.move(name, m.dir, m.folder(backup)); err != nil {
			return err
		}
		if i == 0 || i == len(old)-1 {
			if err := m.sync(m.folder(backup), m.dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveIn moves the files of a working folder to the target, the main file
// last.
func (m *mover) moveIn(from stage) error {
	names, err := m.names(from)
	if err != nil || len(names) == 0 {
		return err
	}
	for _, name := range names {
		if strings.EqualFold(name, m.main) {
			if err := m.sync(m.dir, m.folder(from)); err != nil {
				return err
			}
		}
		if err := m.move(name, m.folder(from), m.dir); err != nil {
			return err
		}
	}
	return m.sync(m.dir, m.folder(from))
}

// move moves a file or folder of the set from one folder to another.
func (m *mover) move(name, from, to string) error {
	return m.try(filepath.Join(from, name), filepath.Join(to, name))
}

// rename gives a working folder its next name.
func (m *mover) rename(from, to string) error {
	if err := m.try(from, to); err != nil {
		return err
	}
	return m.fs.SyncDir(m.dir)
}

// try renames. It takes its note first: a call that fails may have had its
// effect all the same, as on network drives.
func (m *mover) try(from, to string) error {
	m.renames = append(m.renames, [2]string{from, to})
	return m.fs.Rename(from, to)
}

// sync makes moves from one folder to another permanent, the arrival first.
func (m *mover) sync(to, from string) error {
	if err := m.fs.SyncDir(to); err != nil {
		return err
	}
	return m.fs.SyncDir(from)
}

// undo takes the renames back, last first: a new main file goes away before
// anything else, an old one comes back after everything else.
func (m *mover) undo() error {
	for _, r := range slices.Backward(m.renames) {
		if err := m.takeBack(r[0], r[1]); err != nil {
			return fmt.Errorf("undoing: %w", err)
		}
	}
	// Only the empty folder goes: no file of the old set is ever deleted here.
	if err := m.fs.Remove(m.folder(backup)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return m.fs.SyncDir(m.dir)
}

// takeBack undoes a renaming unless it did not happen.
func (m *mover) takeBack(from, to string) error {
	if there, err := m.exists(from); there || err != nil {
		return err
	}
	if there, err := m.exists(to); !there || err != nil {
		return err
	}
	return m.fs.Rename(to, from)
}
