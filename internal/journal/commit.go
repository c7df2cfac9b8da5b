package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/model"

	"golang.org/x/sync/errgroup"
)

// Commit makes all changes since the last commit permanent. Without changes it
// writes nothing. After an error none of them is there and the transaction is
// over, as after [Set.Rollback], but for model.ErrUncertain and model.ErrCommitted, with
// which all are: with the former a crash can take them back, with the latter none can, and
// a file did not get its change time. If the files could not
// be put right, the error wraps model.ErrNeedsRecovery, and nothing more can be
// done with the set.
func (s *Set) Commit() error {
	if err := s.check(); err != nil {
		return err
	}
	err := s.commit()
	switch {
	case isInPlace(err):
		var other string
		if other, s.failed = s.begin(); err == nil && other != "" { // what was committed stays so
			err = fmt.Errorf("%s: %w, but its change time could not be set, so that searches do without search boosters; "+
				"run cbkit boosters", s.path(other), model.ErrCommitted)
		}
	case s.failed == nil: // else the recovery needs the working files
		err = errors.Join(err, s.Rollback())
	}
	return err
}

// isInPlace reports whether a commit was done, whatever became of the rest.
func isInPlace(err error) bool {
	return err == nil || errors.Is(err, model.ErrUncertain) || errors.Is(err, model.ErrCommitted)
}

// CommitDerived is Commit for files that can be computed from the others, which are
// written anew: the main file keeps its change time, so that who reads the others goes
// on.
func (s *Set) CommitDerived() error {
	s.derived = true
	defer func() { s.derived = false }()
	return s.Commit()
}

// Rehearse returns the error that a commit would give before it changes anything:
// files that may not be written to, or that another program has changed. Nothing
// is written, and the transaction goes on.
func (s *Set) Rehearse() error {
	if err := s.check(); err != nil {
		return err
	}
	p, err := s.plan()
	if err != nil {
		return err
	}
	defer p.close()
	return p.open()
}

// begin starts the next transaction with what is now on the disk. It returns the name of a
// file that has another change time than it was to get, "" if none has: a file system with
// a coarse clock keeps less of all of them.
func (s *Set) begin() (other string, err error) {
	var asked []*File
	var times []time.Time
	for _, f := range s.files {
		if f.work != "" || f.dropped { // another file has the name now, or none
			if err := f.close(); err != nil {
				return "", err
			}
			f.exists, f.work = true, ""
		}
		if f.exists && !f.temp {
			if err := f.note(); err != nil {
				return "", err
			}
		}
		if !f.stamp.IsZero() && f.exists {
			asked, times = append(asked, f), append(times, f.stamp)
		}
		if err := f.forget(); err != nil {
			return "", err
		}
	}
	s.pool.reset()
	_ = s.sweep() // what is left is tried again
	for _, clock := range fsys.Clocks {
		i := 0
		for i < len(asked) && asked[i].changed.Equal(clock.Keeps(times[i])) {
			i++
		}
		if i == len(asked) {
			return "", nil
		}
		other = cmp.Or(other, asked[i].name)
	}
	return other, nil
}

func (s *Set) commit() (err error) {
	p, err := s.plan()
	if err != nil || len(p.edits)+len(p.names) == 0 {
		return err
	}
	l, err := lock.Acquire(context.Background(), s.fs, s.path(s.main), lock.Commit, lockPatience)
	if err != nil {
		return err
	}
	// A lock that is not given back does no harm: it ends with the process. Close tells.
	defer func() { s.commitLock = l.Release() }()
	if err := s.tidy(); err != nil {
		return err
	}
	defer p.close()
	if err := p.open(); err != nil {
		return err
	}
	if err := s.writeJournal(p); err != nil {
		return err
	}
	if err := s.change(p); err != nil {
		for _, f := range p.names {
			if failed := f.close(); failed != nil {
				err = errors.Join(err, failed)
			}
		}
		if _, failed := s.playBack(false); failed != nil {
			return errors.Join(err, s.fail(failed))
		}
		for _, f := range s.files { // which have other change times now
			if f.temp {
				continue
			}
			if failed := f.note(); failed != nil {
				return errors.Join(err, s.fail(failed))
			}
		}
		return err
	}
	for _, f := range p.finished() {
		s.gone(f.work)
	}
	for _, f := range p.aside() {
		s.litter = append(s.litter, f.oldName())
	}
	if err := s.fs.SyncDir(s.dir); err != nil {
		s.uncertain = true
		return fmt.Errorf("%s: %w: %w", s.path(s.main), model.ErrUncertain, err)
	}
	// What is left lying about now does no harm before the next commit, which
	// does not begin with it.
	_ = s.tidy()
	return nil
}

// tidy removes what commits and transactions have left. The folder knows of it before there is a
// journal again: that could take them for files of its own.
func (s *Set) tidy() error {
	if err := s.sweep(); err != nil || errors.Is(s.failed, model.ErrNeedsRecovery) {
		return err
	}
	if s.uncertain {
		// A journal that comes back needs them.
		if err := s.fs.SyncDir(s.dir); err != nil {
			return err
		}
		s.uncertain = false
	}
	if len(s.litter) == 0 {
		return nil
	}
	for _, name := range s.litter {
		if err := s.remove(name); err != nil {
			return err
		}
	}
	if err := s.fs.SyncDir(s.dir); err != nil {
		return err
	}
	s.litter = nil
	return nil
}

// lockPatience is how long a commit waits for its lock. Others have it only for the moment
// in which they ask who has it.
const lockPatience = 10 * time.Second

// oldName is the name that the old file has until the commit is done.
func (f *File) oldName() string {
	if f.dropped {
		return f.name + dropEnding
	}
	return f.name + undoEnding
}

// writeJournal puts a complete journal in place. After an error there is none.
func (s *Set) writeJournal(p *plan) error {
	if err := syncAll(s.fs, p.finished(), (*File).open); err != nil {
		return err
	}
	name := s.path(s.base + newEnding)
	out, err := s.create(s.base+newEnding, p.main.Mode().Perm())
	if err != nil {
		return err
	}
	err = s.putEntries(out, p)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = s.fs.Rename(name, s.journal())
	}
	if err == nil {
		if err = s.fs.SyncDir(s.dir); err == nil {
			s.gone(s.base + newEnding)
			return nil
		}
	}
	if again := s.remove(s.base + Ending); again != nil {
		err = errors.Join(err, s.fail(again))
	}
	return err
}

// putEntries writes the journal.
func (s *Set) putEntries(out io.Writer, p *plan) error {
	w := newEntryWriter(out)
	head := entry{kind: kindSet, name: s.main}
	if !s.derived || len(p.edits) > 0 {
		head.changed = p.main.ModTime().UnixNano()
	}
	if err := w.put(head); err != nil {
		return err
	}
	for i := range p.edits {
		if err := p.edits[i].putEntries(w); err != nil {
			return err
		}
	}
	if err := s.putRest(w, p); err != nil {
		return err
	}
	var err error
	for _, f := range p.names {
		e := entry{kind: kindDrop, name: f.name, other: f.work, old: f.oldName()}
		if f.work != "" {
			e.kind = kindCreate
			if e.isFile, err = s.contentOf(f.work); err != nil {
				return err
			}
		}
		if f.exists {
			if f.work != "" {
				e.kind = kindReplace
			}
			if e.wasFile, err = s.contentOf(f.name); err != nil {
				return err
			}
		}
		if err := w.put(e); err != nil {
			return err
		}
	}
	return w.end()
}

// change does what is planned, up to the removal of the journal.
func (s *Set) change(p *plan) error {
	if err := s.rename(p); err != nil {
		return err
	}
	for i := range p.edits {
		if err := p.edits[i].apply(); err != nil {
			return err
		}
	}
	if err := syncAll(s.fs, p.edits, func(e edit) (fsys.File, error) { return e.out, nil }); err != nil {
		return err
	}
	// Not every system allows it to all who may write, or holds every time: begin looks.
	for _, f := range s.files {
		if !f.stamp.IsZero() && (f.work != "" || f.exists && !f.dropped) {
			_ = s.fs.Chtimes(s.path(f.name), f.stamp)
		}
	}
	if !s.derived || len(p.edits) > 0 {
		if err := s.touch(p.main.ModTime()); err != nil {
			return err
		}
	}
	if err := s.fs.Remove(s.journal()); err != nil {
		// A call that fails may have had its effect all the same.
		if there, look := s.exists(s.base + Ending); there || look != nil {
			return err
		}
	}
	return nil
}

// rename brings finished files into place. What goes away is known to have gone
// before anything comes.
func (s *Set) rename(p *plan) error {
	if len(p.names) == 0 {
		return nil
	}
	for _, f := range p.names { // not every system renames an open file
		if err := f.close(); err != nil {
			return err
		}
	}
	aside := p.aside()
	for _, f := range aside {
		if err := s.fs.Rename(s.path(f.name), s.path(f.oldName())); err != nil {
			return err
		}
	}
	if len(aside) > 0 {
		if err := s.fs.SyncDir(s.dir); err != nil {
			return err
		}
	}
	for _, f := range p.finished() {
		if err := s.fs.Rename(s.path(f.work), s.path(f.name)); err != nil {
			return err
		}
	}
	return s.fs.SyncDir(s.dir)
}

// applyBuffer is how much is written at once.
const applyBuffer = 1 << 18

// apply writes the changed parts of a file.
func (e *edit) apply() error {
	f := e.file
	var buf []byte
	end := f.old
	for _, part := range e.spans {
		for at := part.at; at < part.end; at += applyBuffer {
			n := min(applyBuffer, part.end-at)
			data := slices.Grow(buf[:0], int(n))[:n]
			buf = data
			if err := f.readPages(data, at); err != nil {
				return err
			}
			if _, err := e.out.WriteAt(data, at); err != nil {
				return err
			}
		}
		end = max(end, part.end)
	}
	if end == f.size {
		return nil
	}
	return e.out.Truncate(f.size)
}

// steps are how much later a change time is set, until one is enough for a file
// system whose times are coarse.
var steps = []time.Duration{0, time.Microsecond, time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second}

// touch makes the change time of the main file later than before.
func (p *place) touch(before time.Time) error {
	name := p.path(p.main)
	for _, step := range steps {
		if step > 0 {
			if err := p.fs.Chtimes(name, before.Add(step)); err != nil {
				return err
			}
		}
		info, err := p.fs.Stat(name)
		if err != nil {
			return err
		}
		if info.ModTime().After(before) {
			return nil
		}
	}
	return fmt.Errorf("%s: its change time cannot be set, so that readers could not notice the change", name)
}

// syncAll syncs files side by side; those that are not the machine's in their order, so that a
// failure comes again.
func syncAll[T any](files fsys.FS, list []T, file func(T) (fsys.File, error)) error {
	var g errgroup.Group
	if !fsys.IsMachine(files) {
		g.SetLimit(1)
	}
	for _, one := range list {
		h, err := file(one)
		if err != nil {
			return errors.Join(err, g.Wait())
		}
		g.Go(h.Sync)
	}
	return g.Wait()
}

// fail notes that the files are not what they should be.
func (s *Set) fail(why error) error {
	s.failed = fmt.Errorf("%s: %w: the change could not be taken back: %w; run cbkit recover %[1]s",
		s.path(s.main), model.ErrNeedsRecovery, why)
	return s.failed
}
