package lock

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Kind is what a lock is for.
type Kind uint8

// The kinds of locks. They do not exclude each other.
const (
	// Writer is held while a target is being made or edited.
	Writer Kind = iota
	// Commit is held while what was there changes, or a change is taken back.
	Commit
)

// suffix returns what the name of a lock file ends in.
func (k Kind) suffix() string {
	return [...]string{Writer: dbfile.SuffixLock, Commit: dbfile.SuffixCommit}[k]
}

// File returns the name of the file of a lock: the ending of a main file is the
// same in whatever case.
func File(target string, kind Kind) string {
	stem, ending := dbfile.Split(target)
	if dbfile.FormatOf(ending) == nil {
		return target + kind.suffix()
	}
	return stem + ending + kind.suffix()
}

// HeldError reports that another process holds a lock. It wraps
// [model.ErrLocked].
type HeldError struct {
	Target string
	PID    int // of the owner; 0 if it cannot be told
}

// Error returns one line.
func (e *HeldError) Error() string {
	owner := "another process"
	end := ""
	if e.PID != 0 {
		owner = fmt.Sprintf("process %d", e.PID)
	}
	if e.PID == os.Getpid() {
		end = ", this process itself: Commit, Abort or Close of that writer end it"
	}
	return fmt.Sprintf("%s: %v: %s is writing it%s", e.Target, model.ErrLocked, owner, end)
}

// Unwrap returns model.ErrLocked.
func (e *HeldError) Unwrap() error { return model.ErrLocked }

// held are the files of the locks that this process has: a lock that was forgotten is
// not given back when its memory is.
var held sync.Map

// Lock is a lock that is held. It is not safe for concurrent use.
type Lock struct {
	file *flock.Flock // nil once released, and on systems without locks
	free func()       // releases one that is not the machine's
	// TookOver says that the last owner was stopped; he may have left other files too.
	TookOver bool
}

const (
	// patience is how long a lock is tried for at least: those who only ask who
	// has it are in the way for a moment, and an owner takes one to sign.
	patience = 50 * time.Millisecond
	// pause is the time between two tries.
	pause = 5 * time.Millisecond
)

// Acquire takes an exclusive lock on a target. If it is held, another
// process or this one, it waits up to the given time, 0 for not at all, and
// then returns a [*HeldError]. The folder of the target must be there.
//
// A writer removes the file of a commit that was stopped, or could not remove it, too.
func Acquire(ctx context.Context, files fsys.FS, target string, kind Kind, wait time.Duration) (*Lock, error) {
	l, err := acquire(ctx, files, target, kind, wait)
	if err != nil || kind != Writer {
		return l, err
	}
	left := l.TookOver
	if fsys.IsMachine(files) {
		_, none := os.Lstat(File(target, Commit))
		left = none == nil
	}
	if left {
		if commit, held := acquire(ctx, files, target, Commit, 0); held == nil {
			_ = commit.Release() // the next commit says why
		}
	}
	return l, nil
}

func acquire(ctx context.Context, files fsys.FS, target string, kind Kind, wait time.Duration) (*Lock, error) {
	path := File(target, kind)
	if !fsys.IsMachine(files) {
		if pid := holderIn(files, path); pid != 0 {
			return nil, &HeldError{target, pid}
		}
		if f, ok := fsys.Under(files).(interface {
			Lock(name string) (free func(), left bool)
		}); ok {
			l := new(Lock)
			l.free, l.TookOver = f.Lock(path)
			return l, nil
		}
		return &Lock{}, nil
	}
	for end := time.Now().Add(max(wait, patience)); ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := try(path)
		if l != nil || err != nil {
			return l, err
		}
		if time.Now().After(end) {
			return nil, &HeldError{target, owner(path)}
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// holderIn returns the process that has a lock in files that are not the machine's, 0
// if none has or they do not know.
func holderIn(files fsys.FS, path string) int {
	if f, ok := fsys.Under(files).(interface{ Holder(name string) (pid int) }); ok {
		return f.Holder(path)
	}
	return 0
}

// try takes a lock, or returns nil and no error if it is held.
func try(path string) (*Lock, error) {
	for {
		info, err := os.Lstat(path)
		if err == nil && !info.Mode().IsRegular() {
			return nil, errForeign(path)
		}
		tookOver := err == nil
		file := flock.New(path, flock.SetPermissions(0o666))
		switch ok, err := file.TryLock(); {
		case errors.Is(err, errors.ErrUnsupported):
			return &Lock{}, removeEmpty(path)
		case err != nil:
			return nil, pathError(path, err)
		case !ok:
			return nil, nil
		}
		l := &Lock{file: file, TookOver: tookOver}
		named := lookUp(file)
		if named == nil {
			// Its owner removed it when he was done, or it is behind a link.
			if err := file.Unlock(); err != nil {
				return nil, err
			}
			continue
		}
		switch err := sign(path, named); {
		case err == nil:
			held.Store(file, nil)
			return l, nil
		case errors.Is(err, errNotOurs):
			return nil, cmp.Or(errForeign(path), file.Unlock())
		case !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fsys.ErrLinked):
			return nil, cmp.Or(err, l.release())
		}
		// Another user's, who was stopped, or one with a second name in a backup: a new
		// one takes its place.
		if err := l.release(); err != nil {
			return nil, pathError(path, err)
		}
	}
}

// pathError adds the name of a file to an error of the system, and names the folder
// where that is what is missing.
func pathError(path string, err error) error {
	if dir := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) {
		if _, missing := os.Stat(dir); missing != nil {
			return missing
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		folder := filepath.Dir(path)
		if info, look := os.Stat(folder); look == nil && info.Mode()&fs.ModeSticky != 0 {
			if _, look := os.Lstat(path); look == nil {
				return fmt.Errorf("%s: %w: it is another user's, who alone can remove it from this folder", path, fs.ErrPermission)
			}
		}
	}
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return &fs.PathError{Op: "lock", Path: path, Err: err}
}

// removeEmpty removes a file that was made only to find that nothing can be
// locked there.
func removeEmpty(path string) error {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() != 0 {
		return nil
	}
	return os.Remove(path)
}

// lookUp describes an open lock file, nil if it is not what has its name now.
func lookUp(file *flock.Flock) fs.FileInfo {
	open, err := file.Stat()
	if err != nil {
		return nil
	}
	named, err := os.Lstat(file.Path())
	if err != nil || !os.SameFile(open, named) {
		return nil
	}
	return named
}

// errForeign refuses a file that is no lock.
func errForeign(path string) error {
	return fmt.Errorf("%s: is in the place of a lock, but cbkit did not make it; move it away", path)
}

// Release gives a lock back and removes its file; where that fails, the lock is
// free all the same, and the error is a [*model.UntidyError]. A second time it does nothing.
func (l *Lock) Release() error {
	if l.free != nil {
		l.free()
		l.free = nil
	}
	if l.file == nil {
		return nil
	}
	path := l.file.Path()
	if err := l.release(); err != nil {
		return &model.UntidyError{Path: path, Err: err}
	}
	return nil
}

// release is Release with the bare error.
func (l *Lock) release() error {
	file := l.file
	l.file = nil
	held.Delete(file)
	// While it is locked no other process can take it for its own.
	var err error
	if lookUp(file) != nil {
		err = os.Remove(file.Path())
	}
	unlocked := file.Unlock()
	if runtime.GOOS == "windows" && err != nil {
		// There an open file cannot be removed, neither here nor by one who
		// comes too late while the next owner has it open.
		err = nil
		_ = os.Remove(file.Path())
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return cmp.Or(err, unlocked)
}

// Holder returns the process that has a lock, 0 if it cannot be told, and
// whether it is held. It creates nothing.
func Holder(files fsys.FS, target string, kind Kind) (pid int, held bool, err error) {
	path := File(target, kind)
	if !fsys.IsMachine(files) {
		pid = holderIn(files, path)
		return pid, pid != 0, nil
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return 0, false, err
	}
	file := flock.New(path, flock.SetFlag(os.O_RDONLY))
	switch free, err := file.TryRLock(); {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errors.ErrUnsupported):
		return 0, false, nil
	case err != nil:
		return 0, false, err
	case free:
		return 0, false, file.Unlock()
	}
	return owner(path), true, nil
}
