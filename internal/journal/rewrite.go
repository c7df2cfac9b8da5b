package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// Rewrite writes the file anew, which can be read as it was until write returns: then what
// that has written is its content. That lies beside the file under a working name until the
// commit, and needs no journal but for the names.
func (f *File) Rewrite(write func(out *File) error) error {
	if err := f.set.check(); err != nil {
		return err
	}
	if f.set.last == 0 && f.set.stage == nil {
		// Else the journal of one that was killed may come back: see the package comment.
		if err := f.set.fs.SyncDir(f.set.dir); err != nil {
			return err
		}
	}
	f.set.last++
	out := &File{set: f.set, name: f.name, work: f.name}
	var err error
	if f.set.stage != nil {
		out.handle, err = f.set.stage(f.name)
	} else {
		out.work = fmt.Sprintf("%s%s%d", f.name, editEnding, f.set.last)
		out.handle, err = f.set.create(out.work, f.set.mode(f.name))
	}
	if err != nil {
		return err
	}
	if err := write(out); err != nil {
		err = errors.Join(err, out.close())
		f.set.discard(out.work)
		return err
	}
	before := f.work
	if err := errors.Join(f.forget(), f.close()); err != nil {
		return err
	}
	f.work, f.handle, f.size, f.tail = out.work, out.handle, out.size, out.tail
	f.set.discard(before)
	return nil
}

// Fill makes some bytes the content of the file.
func (f *File) Fill(content []byte) error {
	return f.Rewrite(func(out *File) error {
		_, err := out.WriteAt(content, 0)
		return err
	})
}

// Chmod gives a file that is written anew other permissions than those of the one whose place
// it takes.
func (f *File) Chmod(mode fs.FileMode) error { return f.set.fs.Chmod(f.set.path(f.work), mode) }

// create makes a working file with the given permissions, whatever the user's mask, and notes
// its name first: a call that fails may have made it. What has the name else is not ours, and stays.
func (s *Set) create(name string, mode fs.FileMode) (fsys.File, error) {
	if slices.Contains(s.works, name) { // of a call that failed, or could not be removed
		if err := s.remove(name); err != nil {
			return nil, err
		}
	} else {
		s.works = append(s.works, name)
	}
	out, err := fsys.CreateNew(s.fs, s.path(name), mode)
	if errors.Is(err, fs.ErrExist) {
		s.gone(name)
		if _, foreign := s.lookAt(name); foreign != nil {
			err = foreign
		}
	}
	return out, err
}

// gone forgets a working file.
func (s *Set) gone(name string) {
	s.works = slices.DeleteFunc(s.works, func(other string) bool { return other == name })
}

// discard removes a working file, if it has a name, now or at the end of the transaction.
func (s *Set) discard(name string) {
	if name != "" && s.remove(name) == nil {
		s.gone(name)
	}
}

// sweep removes the working files that nothing needs, and returns the first error. Where a
// journal is left, its recovery does that.
func (s *Set) sweep() (err error) {
	if errors.Is(s.failed, model.ErrNeedsRecovery) {
		return nil
	}
	s.works = slices.DeleteFunc(s.works, func(name string) bool {
		if name == s.base+scratchEnding && s.pool.scratch != nil || slices.ContainsFunc(s.files, func(f *File) bool { return f.work == name }) {
			return false
		}
		failed := s.remove(name)
		err = cmp.Or(err, failed)
		return failed == nil
	})
	return err
}

// mode returns the permissions for a new file: those of the file whose place it
// takes, or of the main file.
func (p *place) mode(name string) fs.FileMode {
	for _, name := range []string{name, p.main} {
		if info, err := p.fs.Stat(p.path(name)); err == nil {
			return info.Mode().Perm()
		}
	}
	return 0o666
}
