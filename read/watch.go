package read

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"time"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/model"
)

// Watch notices when another program changes a database while it is read. It
// creates no file and holds no lock.
type Watch struct {
	main   string      // the main file; "" if nothing can be written where it is
	stamp  fs.FileInfo // of the main file
	taken  bool        // what is read is the state before a commit, whose journal stays
	closed atomic.Bool // what was watched
}

// How long opening waits for a commit to end, and how often it looks.
const (
	commitPatience = 10 * time.Second
	commitPause    = 2 * time.Millisecond
)

// Watch begins to watch the database of a set; ext is the ending of its main
// file. It returns the set as it is now: what is read through it belongs to one
// state as long as [Watch.Check] returns nil.
//
// While another program commits, Watch waits; if that takes long the error wraps
// [model.ErrLocked]. If an edit was interrupted it wraps [model.ErrNeedsRecovery]; on a
// read-only file system the set shows the state before the edit instead.
func (s *FileSet) Watch(ext string) (*FileSet, *Watch, error) {
	if s.files != (fsys.OS{}) {
		if b := s.before; b != nil && b.main == s.Path(ext) {
			return s, &Watch{main: b.main, stamp: b.stamp, taken: true}, nil
		}
		return s, &Watch{}, nil
	}
	w := &Watch{main: s.Path(ext)}
	if b := s.before; b != nil && b.main == w.main && b.Check() == nil {
		w.stamp = b.stamp
		return s, w, nil
	}
	if err := w.begin(); err != nil {
		return nil, nil, err
	}
	// A commit since the set was found may have brought files, or taken some.
	now, err := findFiles(s.files, w.main)
	if err == nil && !now.Has(ext) {
		err = fmt.Errorf("%s: %w", s.Name(ext), fs.ErrNotExist)
	}
	return now, w, err
}

// watchBefore begins to watch a main file, of which Stat has just told, before the
// files beside it are listed; nil if it is none, or is being changed.
func watchBefore(files fsys.ReadFS, path string, info fs.FileInfo) *Watch {
	if files != (fsys.OS{}) || info == nil || !dbfile.Is(path, mainFiles...) {
		return nil
	}
	w := &Watch{main: filepath.Clean(path), stamp: info}
	if w.isLeft() {
		return nil
	}
	return w
}

// begin waits until no commit is running, and notes the state.
func (w *Watch) begin() error {
	return patiently(func() error {
		info, err := (fsys.OS{}).Stat(w.main)
		if errors.Is(err, fs.ErrNotExist) && w.isLeft() { // a commit has it out of its place
			return interruptedEdit(w.main)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(w.main), dbfile.PlainError(err))
		}
		w.stamp = info
		left, err := journal.Interrupted(fsys.OS{}, w.main)
		if err != nil || left == "" {
			return err
		}
		return interruptedEdit(w.main)
	})
}

// patiently does something again and again while a commit is running.
func patiently(do func() error) error {
	for end := time.Now().Add(commitPatience); ; time.Sleep(commitPause) {
		if err := do(); !errors.Is(err, errCommitting) || time.Now().After(end) {
			return err
		}
	}
}

// isLeft reports whether the journal is still there: the commit may have ended
// just now.
func (w *Watch) isLeft() bool {
	left, err := journal.Interrupted(fsys.OS{}, w.main)
	return err != nil || left != ""
}

// Check returns an error that wraps [model.ErrChanged] if what was read so far
// may belong to two states, or fs.ErrClosed if the database was closed. A nil Watch
// never has an error.
func (w *Watch) Check() error {
	switch {
	case w == nil:
		return nil
	case w.closed.Load():
		return fs.ErrClosed
	case w.main == "":
		return nil
	}
	info, err := (fsys.OS{}).Stat(w.main)
	if err == nil && fsys.Unchanged(w.stamp, info) && (w.taken || !w.isLeft()) {
		return nil
	}
	return fmt.Errorf("%s: %w by another program while it was read; read it again", w.main, model.ErrChanged)
}
