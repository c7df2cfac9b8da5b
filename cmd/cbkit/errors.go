package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"cbkit/internal/dbfile"
	"cbkit/model"
)

// usageError is an error in how the program was called.
type usageError struct{ error }

// Unwrap returns the error itself.
func (e usageError) Unwrap() error { return e.error }

// errReported is an error that has been printed already.
var errReported = errors.New("reported")

// reportedIf is the end of a verb that has told of what is wrong, if anything is.
func reportedIf(wrong bool) error {
	if wrong {
		return errReported
	}
	return nil
}

// fail prints an error as one line and returns the exit status.
func (env *environment) fail(err error) int {
	if !errors.Is(err, errReported) {
		fmt.Fprintln(env.stderr, "cbkit:", env.failure(err))
		if (env.ctx.Err() != nil || isTooMany(err)) && errors.Is(err, model.ErrNeedsRecovery) {
			fmt.Fprintln(env.stderr, "cbkit:", oneLine(err.Error()))
		}
	}
	if errors.As(err, new(usageError)) || errors.Is(err, model.ErrOption) {
		return exitUsage
	}
	return exitFailed
}

// isTooMany reports whether no more files could be opened.
func isTooMany(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// failure says in one line what went wrong.
func (env *environment) failure(err error) string {
	switch {
	case isTooMany(err):
		// The file, of a list of them the first, has nothing to do with it.
		file, _, cause := systemError(err)
		if wrong, is := errors.AsType[*model.FormatError](err); is && cause == nil {
			file, cause = wrong.File, wrong.Err
		}
		if cause != nil {
			err = fmt.Errorf("%s: %w", file, cause)
		}
		return oneLine(err.Error() + ": the system gives the program no more; ulimit -n raises how many it may have")
	case env.ctx.Err() == nil:
		if file, _, _ := systemError(err); isScratch(file) && env.making != "" && env.making != "-" {
			err = targetError(env.making, err) // for which it was needed
		}
		return oneLine(err.Error())
	case env.making != "" && env.making != "-": // what failed, failed because of that
		return fmt.Sprintf("interrupted; %s was not written", oneLine(env.making))
	}
	return "interrupted"
}

// done passes on what failed. Where everything was done, and something of our own alone
// stays behind, that is a warning.
func (env *environment) done(err error) error {
	if err == nil || !model.IsDone(err) {
		return err
	}
	env.warn(err)
	return nil
}

// plainError drops the name of the system call from an error of the os
// package: "games.pgn: no such file or directory".
func plainError(err error) error {
	if p, is := errors.AsType[*fs.PathError](err); is {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// targetError makes an error met in writing a target speak of the user's file
// in place of the temporary one, and say what to do.
func targetError(path string, err error) error {
	if err == nil || errors.As(err, new(advisedError)) {
		return err
	}
	return advisedError{advised(path, err)}
}

// advisedError is an error that says what to do.
type advisedError struct{ error }

// Unwrap returns the error itself.
func (e advisedError) Unwrap() error { return e.error }

// advised does the work of targetError.
func advised(path string, err error) error {
	switch {
	case errors.Is(err, model.ErrLocked):
		return fmt.Errorf("%w; --wait 10s waits for it to end", err)
	case errors.Is(err, fs.ErrExist):
		return inTheWay(path, err)
	case errors.Is(err, model.ErrInterrupted):
		return fmt.Errorf("%s: writing it was interrupted; run cbkit recover %[1]s, or use --force", path)
	case errors.Is(err, model.ErrNeedsRecovery):
		if strings.Contains(err.Error(), "cbkit recover") {
			return err
		}
		return fmt.Errorf("%w; run cbkit recover %s", err, path)
	case errors.Is(err, model.ErrReadOnly):
		failed, _, _ := systemError(err)
		return fmt.Errorf("%s: %w and not replaced; make it writable, or choose another name", failed, model.ErrReadOnly)
	}
	failed, text, cause := systemError(err)
	if cause == nil {
		return err
	}
	if isScratch(failed) {
		failed = filepath.Dir(failed)
	}
	name := failed
	if dbfile.MayBeOurOwn(failed) || isFolderOf(failed, path) {
		name = path
	}
	described := fmt.Errorf("%s: %w%s", name, cause, advice(path, failed, cause))
	// What was going on may stand before the system's own words.
	if before, _, ok := strings.Cut(err.Error(), text); ok && strings.Contains(strings.TrimSpace(before), " ") {
		return fmt.Errorf("%s%w", before, described)
	}
	return described
}

// systemError returns the file of an error of the os package, what it prints, and its cause.
func systemError(err error) (path, text string, cause error) {
	if p, is := errors.AsType[*fs.PathError](err); is {
		return p.Path, p.Error(), p.Err
	}
	if l, is := errors.AsType[*os.LinkError](err); is {
		return l.New, l.Error(), l.Err
	}
	return "", "", nil
}

// isFolderOf reports whether a name is that of the folder of a file.
func isFolderOf(name, path string) bool {
	whole, err := filepath.Abs(filepath.Dir(path))
	return name == filepath.Dir(path) || err == nil && name == whole
}

// isScratch reports whether a file is one for sorting and the like.
func isScratch(path string) bool { return dbfile.IsScratch(filepath.Base(path)) }

// advice says what to do about a cause.
func advice(path, failed string, cause error) string {
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err == nil && info.Mode()&fs.ModeSticky != 0 && errors.Is(cause, syscall.EPERM) {
		if _, err := os.Lstat(path); err == nil {
			return fmt.Sprintf(": it is another user's, who alone can replace it in the folder %s; choose another name", folder)
		}
	}
	if dbfile.MayBeOurOwn(failed) || isFolderOf(failed, path) {
		switch _, err := os.Stat(folder); {
		case errors.Is(cause, fs.ErrNotExist) && errors.Is(err, fs.ErrNotExist):
			return fmt.Sprintf(": there is no folder %s; make it first", folder)
		case errors.Is(cause, fs.ErrPermission):
			return fmt.Sprintf(": the folder %s cannot be written to; choose another", folder)
		}
	}
	if errors.Is(cause, fs.ErrPermission) {
		if file, err := os.Open(failed); err == nil {
			_ = file.Close() // it was only read
			return "; make it writable, or work on a copy"
		}
	}
	if errors.Is(cause, syscall.ENOSPC) {
		if strings.HasPrefix(failed, os.TempDir()) && !strings.HasPrefix(path, os.TempDir()) {
			return "; make room there, or name another folder for temporary files in TMPDIR"
		}
		return "; make room, or write to another place"
	}
	return ""
}
