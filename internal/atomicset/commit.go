package atomicset

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/model"
)

// bothFaults adds to an error, or to none, another one, of taking back what was done, which
// leaves work for [Recover].
func bothFaults(err error, what string, then error) error {
	if err == nil {
		return fmt.Errorf("%s: %w: %w", what, then, model.ErrNeedsRecovery)
	}
	return fmt.Errorf("%w; and %s: %w: %w", err, what, then, model.ErrNeedsRecovery)
}

// discarded adds to an error, or to none, that of removing what was written, if there is one.
func (p *place) discarded(err error) error {
	if left := p.removeFolder(writing); left != nil {
		return bothFaults(err, "the unfinished new files could not be removed", left)
	}
	return err
}

// Commit puts the set in place of the old one. On an error nothing has
// changed, save with one that is [model.ErrNeedsRecovery], of undoing, after which
// [Recover] completes the work, and with a [*model.UntidyError]: then all is done.
func (s *Set) Commit() error {
	if s.over {
		return errors.New("the set was committed or aborted before")
	}
	if _, is := s.fs.(listed); !is { // what is there is listed once, for all steps
		s.fs = new(Listing).over(s.fs, s.dir)
	}
	if err := s.finishFiles(); err != nil {
		return s.abandon(err)
	}
	s.over = true
	r, err := s.swap()
	if err = cmp.Or(err, s.end()); !model.IsDone(err) {
		return err
	}
	r.Removed, r.Kept = append(r.Removed, s.done.Removed...), append(r.Kept, s.done.Kept...)
	if s.done.Folder != "" {
		r.Folder = s.done.Folder
	}
	if s.opt.OnReplace != nil && len(r.Removed)+len(r.Kept) > 0 {
		s.opt.OnReplace(r)
	}
	return err
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
		if err := s.fs.SyncDir(s.Path(dir)); err != nil {
			return err
		}
	}
	if err := s.fs.SyncDir(s.folder(writing)); err != nil {
		return err
	}
	return s.checkTarget(s.staged())
}

// swap does steps 1 to 5 of the package comment.
func (s *Set) swap() (model.Replacement, error) {
	m := mover{place: &s.place}
	staged := s.staged()
	if err := m.replace(staged); err != nil {
		if undone := m.undo(); undone != nil {
			return model.Replacement{}, bothFaults(err, "what was there could not be put back", undone)
		}
		return model.Replacement{}, s.discarded(err)
	}
	r, left, err := s.clear()
	if err != nil {
		err = &model.UntidyError{Path: left, Err: err}
	}
	return r, err
}

// clear removes the working folders of a replacement that is done, or says which one is
// left. What is in the backup and not of the old set is kept.
func (p *place) clear() (r model.Replacement, left string, err error) {
	if err := p.removeFolder(moving); err != nil {
		return r, p.folder(moving), err
	}
	if r.Removed, err = p.removeOld(); err == nil {
		err = p.keepRest(&r)
	}
	if err == nil {
		err = p.fs.SyncDir(p.dir)
	}
	return r, p.folder(backup), err
}

// removeOld deletes the old set from the backup, and returns the names of files
// that the new one has not. The main file, which proves the set, goes last.
func (p *place) removeOld() (removed []string, err error) {
	c, err := p.inspect(backup)
	if err != nil || c.main == "" {
		return nil, err
	}
	proven, err := p.proven(filepath.Join(p.folder(backup), c.main))
	if err != nil || !proven {
		return nil, err
	}
	now, err := p.find(nil)
	if err != nil {
		return nil, err
	}
	for _, name := range c.names {
		if !p.isData(name) || !isFile(c.types[name]) {
			continue
		}
		if name == c.main {
			if err := p.fs.SyncDir(p.folder(backup)); err != nil {
				return nil, err
			}
		}
		if err := p.fs.Remove(filepath.Join(p.folder(backup), name)); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(now.data, func(n string) bool { return dbfile.SameName(n, name) }) {
			removed = append(removed, name)
		}
	}
	return removed, p.fs.SyncDir(p.folder(backup))
}

// keepRest removes the backup folder if it is empty. Else it gets a name that no recovery
// clears.
func (p *place) keepRest(r *model.Replacement) error {
	c, err := p.inspect(backup)
	if err != nil || !c.there {
		return err
	}
	if len(c.names) == 0 {
		return p.removeEmpty(backup)
	}
	_, folder, err := p.keptFolders()
	if err != nil {
		return err
	}
	if err := p.fs.Rename(p.folder(backup), folder); err != nil {
		return err
	}
	r.Kept, r.Folder = c.names, folder
	// Without its mark and with its old name it would not be ours.
	if err := p.fs.SyncDir(p.dir); err != nil {
		return err
	}
	return p.unmark(folder)
}
