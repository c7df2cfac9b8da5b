package atomicset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/lock"
	"cbkit/model"
)

// Options say how a set is replaced.
type Options struct {
	// Force allows an existing set to be replaced, and clears up after an
	// interrupted replacement first.
	Force bool
	// Extensions are those of the files that hold a set's data, the main
	// file's among them, with or without dots; upper and lower case are the same.
	Extensions []string
	// Own are those of the extensions whose files are the user's work beside the
	// data: they make way for a new set like all others, and are kept.
	Own []string
	// Members, if not nil, are the names that files and folders at the top of the set
	// have besides: files that appear together, without a database of the main file's
	// name. None of them, and no file of that name, may be there, Force or not.
	Members []string
	// Proves says of the first 4096 bytes of a main file, or all if it is
	// shorter, whether they are those of one. A file that is none proves
	// nothing: it is kept when it is replaced, like all that has its name. If
	// Proves is nil every main file is one.
	Proves func(head []byte) bool
	// Wait is how long to wait for another writer of the target; 0 is not at
	// all. Context, if not nil, ends it.
	Wait    time.Duration
	Context context.Context
	// Locked says that the caller has the target locked, and keeps it so.
	Locked bool
	// Listing, if not nil, is shared with other sets in the folder.
	Listing *Listing
	// OnReplace, if not nil, is called at the end of a replacement with what went
	// away or was kept.
	OnReplace func(model.Replacement)
}

// context returns what ends waiting.
func (o *Options) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// Claim is the right to write a target, until it is released.
type Claim struct {
	place
	files fsys.FS // without a listing
	opt   Options
	lock  *lock.Lock
	modes map[string]fs.FileMode // of the files to be replaced, by their endings
	done  model.Replacement      // by clearing up after an interruption
}

// NewClaim locks the target whose main file is the given one, and makes sure that
// it may be written. Without Force it refuses a target of which any file is
// there, with an [*ExistsError], and the folders of an interrupted run, with
// [model.ErrInterrupted]. Refused in any case are a target that another process
// writes, with [model.ErrLocked], files that may not be written to, with
// [model.ErrReadOnly], and working folders that are not ours.
func NewClaim(files fsys.FS, main string, opt Options) (*Claim, error) {
	if dbfile.IsNameless(main) {
		return nil, fmt.Errorf("%q: %w: the name of a file to make is empty", main, model.ErrOption)
	}
	c := &Claim{place: newPlace(files, main, &opt), files: files, opt: opt}
	c.fs = opt.Listing.over(files, c.dir)
	for _, name := range opt.Members {
		if !isMemberName(name) {
			return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrInvalid}
		}
	}
	info, err := c.fs.Stat(main)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.IsDir(): // whatever is in it is no set
		return nil, fmt.Errorf("%s: is a folder; name the file to make in it", main)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is not a regular file; choose another name", main)
	}
	if !opt.Locked {
		if c.lock, err = lock.Acquire(opt.context(), files, main, lock.Writer, opt.Wait); err != nil {
			return nil, err
		}
	}
	if err := c.check(); err != nil {
		return nil, cmp.Or(err, c.Release())
	}
	return c, nil
}

// check refuses what may not be written, and clears up if that is allowed.
func (c *Claim) check() error {
	// Played back later, an undo journal would spoil the new set.
	edit, err := journal.Interrupted(c.fs, c.path(c.main))
	if err != nil {
		return err
	}
	if edit != "" {
		return fmt.Errorf("%s: %w: an edit was interrupted", edit, model.ErrNeedsRecovery)
	}
	left, err := c.leftovers()
	if err != nil {
		return err
	}
	if left != "" {
		if _, err := c.survey(); err != nil { // another program's
			return err
		}
		if !c.opt.Force {
			return fmt.Errorf("%s: %w", left, model.ErrInterrupted)
		}
		r, err := c.recover()
		if err != nil {
			return err
		}
		c.done = r.Replacement
	}
	return c.checkTarget(nil)
}

// checkTarget refuses a target that may not be replaced by a set with the given
// names, and notes the permissions of its files.
func (c *Claim) checkTarget(staged []string) error {
	old, err := c.find(staged)
	if err != nil {
		return err
	}
	if !c.opt.Force || c.opt.Members != nil {
		if all := slices.Concat(old.data, old.inTheWay, old.twins); len(all) > 0 {
			return &model.ExistsError{Path: c.path(all[0]), Main: c.path(c.main), Orphan: old.main == "" && len(old.twins) == 0}
		}
	}
	for _, name := range c.opt.Members {
		if there, err := c.exists(c.path(name)); err != nil {
			return err
		} else if there {
			return &model.ExistsError{Path: c.path(name), Main: c.path(c.main)}
		}
	}
	if old.edited { // what would stay beside the new set
		if _, err := journal.Recover(c.opt.context(), c.files, c.path(c.main), journal.RecoverOptions{Wait: c.opt.Wait, Locked: true}); err != nil {
			return err
		}
	}
	c.modes = map[string]fs.FileMode{}
	if old.main == "" {
		return nil
	}
	for _, name := range old.data {
		info, err := c.fs.Lstat(c.path(name))
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			continue
		}
		if err := refuseReadOnly(c.fs, c.path(name), info.Mode()); err != nil {
			return err
		}
		c.modes[dbfile.EndingOf(name)] = info.Mode().Perm()
	}
	return nil
}

// refuseReadOnly refuses to replace a file that may not be written to: by its
// permissions, which bind everyone here, or because the system says so.
func refuseReadOnly(files fsys.FS, path string, mode fs.FileMode) error {
	if mode&0o222 == 0 {
		return &fs.PathError{Op: "replace", Path: path, Err: model.ErrReadOnly}
	}
	f, err := files.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrPermission) {
		return &fs.PathError{Op: "replace", Path: path, Err: model.ErrReadOnly}
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// mode returns the permissions of a new file: those of the one it replaces, or of
// the old main file; 0 if there is none.
func (c *Claim) mode(name string) fs.FileMode {
	if m, ok := c.modes[dbfile.EndingOf(name)]; ok {
		return m
	}
	return c.modes[dbfile.EndingOf(c.main)]
}

// Release gives the right back. A second time it does nothing.
func (c *Claim) Release() error {
	c.opt.Listing.release(c.main)
	if c.lock == nil {
		return nil
	}
	l := c.lock
	c.lock = nil
	return l.Release()
}
