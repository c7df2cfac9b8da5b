package atomicset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/lock"
	"cbkit/internal/tempfile"
	"cbkit/model"
)

// Recover takes back a change in place that was interrupted (package journal).
// It finishes a replacement that was interrupted, or takes it back, and removes
// its folders; without such folders it does nothing. A main file with
// the folders of interrupted work beside it is complete; without the main file
// nothing can be said about the other files until Recover has run. Of the
// options OnReplace is not asked; Force is [journal.RecoverOptions].Force.
//
// An unfinished set is removed, a complete one takes the place of the old one
// unless the old one was still untouched. A target that another process is
// writing is refused with model.ErrLocked, and so are folders that are not ours.
func Recover(files fsys.FS, main string, opt Options) (r model.Recovery, err error) {
	p := newPlace(files, main, &opt)
	left := p.leftLocks()
	var edit journal.Outcome
	set, untidy := p.find(nil)
	if untidy != nil {
		return r, untidy
	}
	lone := false // the only main file is a twin's, and so is the journal
	if set.lent {
		folder, err := p.leftovers()
		if err != nil {
			return r, err
		}
		lone = folder != "" || len(set.data) > 0
	}
	defer func() {
		err = cmp.Or(err, untidy)
		left = slices.DeleteFunc(left, func(name string) bool { return slices.Contains(r.Cleared, name) })
		r.Copy = edit.Copy
		if r.Cleared = slices.Concat(edit.Cleared, r.Cleared, left); edit.PlayedBack && r.Outcome == model.RecoveryNothing {
			r.Outcome = model.RecoveryUndone
		}
	}()
	do := func() (model.Recovery, error) {
		if !lone {
			edit, untidy = journal.Recover(opt.context(), files, main, journal.RecoverOptions{Wait: opt.Wait, Force: opt.Force, Locked: true})
		}
		if !model.IsDone(untidy) {
			return model.Recovery{}, untidy
		}
		r, err := p.recover()
		if errors.Is(err, errUnsynced) {
			err = fmt.Errorf("%s: %w: %w", p.path(p.main), model.ErrUncertain, err)
		}
		if err == nil {
			set, err = p.find(nil)
		}
		return r, err
	}
	return p.recovering(opt, do, func(name string) bool { return set.names.Belongs(name) && p.isData(name) })
}

// Edit opens the set of a main file for change, as [journal.Open] does. A replacement that was
// interrupted with the main file in its place is finished or taken back first, unless nothing
// is to be written. Where it is out of its place, the error wraps [model.ErrNeedsRecovery].
func Edit(ctx context.Context, files fsys.FS, main string, opt Options, how journal.Options) (*journal.Set, error) {
	set, err := journal.Open(ctx, files, main, how)
	if errors.Is(err, fs.ErrNotExist) {
		if left, look := Interrupted(files, main); look == nil && left != "" {
			err = fmt.Errorf("%s: %w: replacing it was interrupted; run cbkit recover %[1]s", main, model.ErrNeedsRecovery)
		}
	}
	if err != nil || how.DryRun {
		return set, err
	}
	p := newPlace(files, filepath.Join(set.Dir(), set.Main()), &opt)
	if slices.ContainsFunc(stages, func(s stage) bool { return set.Listed(filepath.Base(p.folder(s))) }) {
		var did model.Recovery
		if did, err = p.recover(); err == nil {
			journal.Tell(ctx, p.path(p.main), did)
			_, err = set.Files() // more than before, perhaps
		}
	}
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return set, nil
}

// RecoverFile removes what a process that was stopped left in writing a single
// file; see [NewFile].
func RecoverFile(path string, opt Options) (model.Recovery, error) {
	target, err := followed(path)
	if err != nil {
		return model.Recovery{}, err
	}
	p := newPlace(fsys.OS{}, target, &opt)
	return p.recovering(opt, func() (model.Recovery, error) { return model.Recovery{}, nil }, func(name string) bool { return name == p.main })
}

// recovering does something while the target is locked, and clears the temporary
// files of the targets, scratch files and files of locks.
func (p *place) recovering(opt Options, do func() (model.Recovery, error), isTarget func(string) bool) (r model.Recovery, err error) {
	cleared := p.leftLocks()
	for _, kind := range []lock.Kind{lock.Writer, lock.Commit} {
		l, failed := lock.Acquire(opt.context(), p.fs, p.path(p.main), kind, opt.Wait)
		if failed != nil {
			return r, failed
		}
		defer func() { err = cmp.Or(err, l.Release()) }()
	}
	if r, err = do(); err != nil {
		return r, err
	}
	temporary, err := p.clearTemporary(isTarget)
	r.Cleared = append(append(r.Cleared, temporary...), cleared...)
	return r, err
}

// leftLocks returns the names of the files of locks that are there. Who takes the
// locks removes them.
func (p *place) leftLocks() (left []string) {
	for _, kind := range []lock.Kind{lock.Writer, lock.Commit} {
		file := lock.File(p.path(p.main), kind)
		if there, err := p.exists(file); there && err == nil {
			left = append(left, filepath.Base(file))
		}
	}
	return left
}

// clearTemporary removes the temporary files of targets, and scratch files.
func (p *place) clearTemporary(isTarget func(string) bool) (cleared []string, err error) {
	names, err := tempfile.Left(p.fs, p.dir, isTarget)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := p.fs.Remove(name); err != nil {
			return cleared, err
		}
		cleared = append(cleared, filepath.Base(name))
	}
	folders := []string{p.dir}
	if _, machine := p.fs.(fsys.OS); machine {
		folders = append(folders, os.TempDir())
	}
	for _, folder := range folders {
		names, err := tempfile.ClearScratch(p.fs, folder)
		if err != nil {
			return cleared, err
		}
		cleared = append(cleared, names...)
	}
	return cleared, nil
}

// Interrupted returns the name of a working folder beside the main file, "" if
// there is none.
func Interrupted(files fsys.FS, main string) (string, error) {
	p := newPlace(files, main, &Options{})
	return p.leftovers()
}

// state is what an interruption left.
type state struct {
	main    bool // a main file is in place
	folders map[stage]contents
}

// survey looks at the target and at all working folders. It returns an error if
// one of these is not ours, or they contradict each other.
func (p *place) survey() (s state, err error) {
	s.folders = map[stage]contents{}
	for _, st := range stages {
		if s.folders[st], err = p.inspect(st); err != nil {
			return s, err
		}
	}
	if s.folders[moving].there && s.folders[complete].there {
		// One becomes the other: both are there only if one was copied.
		return s, fmt.Errorf("%s and %s: both are there, and only one can be the new set; move the other away", p.folder(complete), p.folder(moving))
	}
	f, err := p.find(nil)
	s.main = f.main != ""
	return s, err
}

// outcome says what recovering will do.
func (s *state) outcome() model.RecoveryOutcome {
	at := func(st stage) contents { return s.folders[st] }
	switch {
	case at(moving).there, at(complete).main != "" && !s.main:
		return model.RecoveryCompleted
	case at(backup).main != "" && !s.main:
		return model.RecoveryRestored
	case at(writing).there, at(complete).there:
		return model.RecoveryTakenBack
	case at(backup).there && s.main:
		return model.RecoveryCompleted // undoing leaves one of the folders above
	case at(backup).there:
		return model.RecoveryTakenBack
	}
	return model.RecoveryNothing
}

func (p *place) recover() (r model.Recovery, err error) {
	s, err := p.survey()
	if err != nil {
		return r, err
	}
	folders, _, err := p.keptFolders()
	if err != nil {
		return r, err
	}
	// Of what a process did that was killed the disk may not know yet.
	for _, st := range stages {
		if s.folders[st].there {
			if err := p.fs.SyncDir(p.folder(st)); err != nil {
				return r, err
			}
			r.Cleared = append(r.Cleared, filepath.Base(p.folder(st)))
		}
	}
	if len(r.Cleared)+len(folders) > 0 {
		if err := p.fs.SyncDir(p.dir); err != nil {
			return r, err
		}
	}
	for _, folder := range folders { // one may have been about to lose its mark
		_, marked, err := p.readMark(folder)
		if err == nil && marked {
			err = p.unmark(folder)
		}
		if err != nil {
			return r, err
		}
	}
	if r.Outcome = s.outcome(); r.Outcome == model.RecoveryNothing {
		return r, nil
	}
	if err := p.removeFolder(writing); err != nil {
		return r, err
	}
	m := mover{place: p}
	if r.Outcome == model.RecoveryCompleted {
		if err := m.resume(&s); err != nil {
			return r, err
		}
		var left string
		if r.Replacement, left, err = p.clear(); err != nil {
			err = fmt.Errorf("%s: %w: the new files are in place, but what is left of the old ones cannot be removed: %w", left, model.ErrNeedsRecovery, err)
		}
		return r, err
	}
	if err := p.removeFolder(complete); err != nil {
		return r, err
	}
	if err := m.moveBack(); err != nil {
		return r, err
	}
	if err := p.keepRest(&r.Replacement); err != nil {
		return r, err
	}
	if err := p.fs.SyncDir(p.dir); err != nil {
		return r, fmt.Errorf("%w: %w", errUnsynced, err)
	}
	return r, nil
}

// errUnsynced: everything is put right, and the folder could not be synced.
var errUnsynced = errors.New("the old files are back")

// resume goes on with a replacement where it was interrupted.
func (m *mover) resume(s *state) error {
	set := s.folders[moving]
	switch {
	case set.there && set.main != "" && s.main:
		return fmt.Errorf("%s: is there, but so is the one that was to take its place, in %s; move one of them away",
			m.path(m.main), m.folder(moving))
	case set.there && set.main == "" && !s.main:
		return fmt.Errorf("%s: is neither there nor in %s, where it should be; the files that it was to replace are in %s",
			m.path(m.main), m.folder(moving), m.folder(backup))
	case set.there:
		return m.moveIn(moving)
	case !s.main:
		return m.finish(s.folders[complete].names)
	}
	return nil
}
