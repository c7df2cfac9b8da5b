package read

import (
	"fmt"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/lock"
	"cbkit/model"
)

// watch notices that a writer changes a database while it is read. It creates
// nothing and holds no lock: see package journal, Readers beside a writer.
type watch struct {
	main  string // the main file; "" if nobody can write where it is
	stamp journal.Stamp
}

// How long opening waits for a commit to end, and how often it looks.
const (
	commitPatience = 10 * time.Second
	commitPause    = 2 * time.Millisecond
)

// watchFiles begins to watch a database. While a commit writes it waits; a
// journal that nobody is at work with is model.ErrNeedsRecovery.
func watchFiles(set *FileSet, ext string) (*watch, error) {
	if set.files != (fsys.OS{}) {
		return &watch{}, nil
	}
	w := &watch{main: set.Path(ext)}
	for end := time.Now().Add(commitPatience); ; time.Sleep(commitPause) {
		info, err := (fsys.OS{}).Stat(w.main)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.Name(ext), err)
		}
		w.stamp = journal.NewStamp(info)
		left, err := journal.Interrupted(fsys.OS{}, w.main)
		if err != nil || left == "" {
			return w, err
		}
		if _, held, err := lock.Holder(fsys.OS{}, w.main, lock.Commit); err != nil {
			return nil, err
		} else if !held && w.isLeft() {
			return nil, fmt.Errorf("%s: %w: an edit of it was interrupted; run cbkit recover %[1]s", w.main, model.ErrNeedsRecovery)
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s: %w: it is being changed; try again when that has ended", w.main, model.ErrLocked)
		}
	}
}

// isLeft reports whether the journal is still there: the commit may have ended
// just now.
func (w *watch) isLeft() bool {
	left, err := journal.Interrupted(fsys.OS{}, w.main)
	return err != nil || left != ""
}

// check returns an error that wraps model.ErrChanged if what was read so far may
// be of two states.
func (w *watch) check() error {
	if w.main == "" {
		return nil
	}
	info, err := (fsys.OS{}).Stat(w.main)
	if err == nil && w.stamp.Same(info) && !w.isLeft() {
		return nil
	}
	return fmt.Errorf("%s: %w by another program while it was read; read it again", w.main, model.ErrChanged)
}
