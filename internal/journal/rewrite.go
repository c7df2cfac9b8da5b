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

// Rewrite is a file that will take the place of another one as a whole. Until
// [Rewrite.Done] nothing is known of it; then its content is that of the file.
// It lies beside the file under a working name and needs no journal but for the
// names.
type Rewrite struct {
	file *File
	work string
	out  fsys.File
	size int64
}

// Rewrite begins to write the file anew. It can still be read as it was.
func (f *File) Rewrite() (*Rewrite, error) {
	if err := f.set.check(); err != nil {
		return nil, err
	}
	var err error
	if f.set.last == 0 && f.set.stage == nil {
		// Else the journal of one that was killed may come back: see the package comment.
		if err := f.set.fs.SyncDir(f.set.dir); err != nil {
			return nil, err
		}
	}
	f.set.last++
	r := &Rewrite{file: f, work: fmt.Sprintf("%s%s%d", f.name, editEnding, f.set.last)}
	if f.set.stage != nil {
		r.work = f.name
		r.out, err = f.set.stage(f.name)
	} else {
		r.out, err = f.set.create(r.work, f.set.mode(f.name))
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Write implements [io.Writer]: bytes go behind those before. It is not
// buffered.
func (r *Rewrite) Write(b []byte) (int, error) {
	n, err := r.out.WriteAt(b, r.size)
	r.size += int64(n)
	return n, err
}

// ReadAt implements [io.ReaderAt].
func (r *Rewrite) ReadAt(b []byte, at int64) (int, error) { return r.out.ReadAt(b, at) }

// WriteAt implements [io.WriterAt], for what was written before.
func (r *Rewrite) WriteAt(b []byte, at int64) (int, error) {
	if at < 0 || int64(len(b)) > r.size-at {
		return 0, &fs.PathError{Op: "write", Path: r.work, Err: fs.ErrInvalid}
	}
	return r.out.WriteAt(b, at)
}

// Chmod gives the file other permissions than those of the one whose place it takes.
func (r *Rewrite) Chmod(mode fs.FileMode) error {
	return r.file.set.fs.Chmod(r.file.set.path(r.work), mode)
}

// Size returns the number of bytes written.
func (r *Rewrite) Size() int64 { return r.size }

// Done makes what was written the content of the file.
func (r *Rewrite) Done() error {
	f := r.file
	before := f.work
	if err := errors.Join(f.forget(), f.close()); err != nil {
		return err
	}
	f.work, f.handle, f.size = r.work, r.out, r.size
	f.set.discard(before)
	return nil
}

// Discard removes what was written; the file stays what it was.
func (r *Rewrite) Discard() error {
	err := r.out.Close()
	r.file.set.discard(r.work)
	return err
}

// Fill makes some bytes the content of the file.
func (f *File) Fill(content []byte) error {
	r, err := f.Rewrite()
	if err != nil {
		return err
	}
	if _, err := r.Write(content); err != nil {
		return errors.Join(err, r.Discard())
	}
	return r.Done()
}

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
