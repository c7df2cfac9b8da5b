package main

import (
	"cbkit/model"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/packed"
)

// outputFile is a file that a verb writes by itself: it appears only when it is
// complete, compressed if its name ends in .gz or .zst. Standard output, and what is no
// regular file, is written through as it comes.
type outputFile struct {
	io.Writer
	pack    io.Closer
	env     *environment
	path    string          // as the user named it
	file    *atomicset.File // nil for what is written through
	through *outStream      // what is
}

// createOutput begins an output file. An existing file is refused unless it may be
// replaced, which happens when the new one is complete; that has its mode.
func (env *environment) createOutput(path string, flags writeFlags) (*outputFile, error) {
	f := &outputFile{env: env, path: path}
	var to io.Writer
	var err error
	if f.through, err = env.openStream(path); err == nil && f.through != nil {
		to = f.through
	} else if err == nil {
		f.file, err = atomicset.NewFile(path, atomicset.Options{Force: flags.Force, Wait: flags.duration(), Context: env.ctx})
		to = f.file
	}
	if err != nil {
		return nil, targetError(path, err)
	}
	pack, err := packed.NewWriter(to, packed.Ending(path))
	if err != nil {
		return nil, f.abort(err)
	}
	f.Writer, f.pack = pack, pack
	return f, nil
}

// writeOutput makes an output file of what do writes.
func (env *environment) writeOutput(path string, flags writeFlags, do func(io.Writer) error) error {
	f, err := env.createOutput(path, flags)
	if err != nil {
		return err
	}
	if err = do(f); err == nil {
		err = f.commit()
	}
	if err != nil {
		return f.abort(err)
	}
	return nil
}

// outStream is what is written through as it comes: standard output, a pipe, a device.
type outStream struct {
	io.Writer
	pipe *os.File // nil for standard output
}

// Close closes a pipe; there may be none.
func (s *outStream) Close() error {
	if s == nil || s.pipe == nil {
		return nil
	}
	return s.pipe.Close()
}

// tempFolder returns the folder of the temporary files of a verb that makes a target: that of
// the target, where room is made for it anyway, or "", the system's, where nothing is made
// in a folder.
func tempFolder(target string) string {
	if info, err := os.Stat(target); target == "" || target == "-" || err == nil && !info.Mode().IsRegular() {
		return ""
	}
	for dir := filepath.Dir(target); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// openStream opens what is written through, and returns nil for a name that is, or will
// be, that of a file. Where a pipe waits for who is at the other end, that ends with the
// program.
func (env *environment) openStream(path string) (*outStream, error) {
	if path == "-" && env.messages.outcome != nil {
		return nil, usageError{errors.New("--json: the games go to standard output; name a file for them")}
	}
	if path == "-" {
		return &outStream{Writer: env.stdout}, nil
	}
	if info, err := os.Stat(path); err != nil || info.IsDir() || info.Mode().IsRegular() {
		return nil, nil // what is wrong shows when it is made
	}
	file, err := waitFor(env.ctx, func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) })
	if err != nil {
		return nil, err
	}
	return &outStream{&interruptibleWriter{ctx: env.ctx, to: file}, file}, nil
}

// waitFor returns what do returns, unless ctx ends before that.
func waitFor[T any](ctx context.Context, do func() (T, error)) (value T, err error) {
	done := make(chan func() (T, error), 1)
	go func() {
		value, err := do()
		done <- func() (T, error) { return value, err }
	}()
	select {
	case result := <-done:
		return result()
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// interruptibleWriter is what may wait for who reads it. When the program is to end it
// waits a moment longer, and never again.
type interruptibleWriter struct {
	ctx   context.Context
	to    io.Writer
	stuck bool
}

// lastMoment is how long a program that is to end waits for who reads what it says.
const lastMoment = time.Second

// Write implements [io.Writer].
func (w *interruptibleWriter) Write(p []byte) (int, error) {
	if w.stuck {
		return 0, context.Cause(w.ctx)
	}
	type result struct {
		n   int
		err error
	}
	written := make(chan result, 1)
	go func() {
		n, err := w.to.Write(p)
		written <- result{n, err}
	}()
	select {
	case r := <-written:
		return r.n, r.err
	case <-w.ctx.Done():
	}
	select {
	case r := <-written:
		return r.n, r.err
	case <-time.After(lastMoment):
		w.stuck = true
		return 0, context.Cause(w.ctx)
	}
}

// commit completes the file and gives it its name.
func (f *outputFile) commit() error {
	err := f.pack.Close()
	switch {
	case err != nil:
	case f.file != nil:
		err = f.env.done(f.file.Commit())
	default:
		err = f.through.Close()
	}
	return targetError(f.path, err)
}

// abort removes what was written because of an error, which it returns; after
// commit it does nothing.
func (f *outputFile) abort(err error) error {
	var left error
	if f.file != nil {
		left = f.file.Abort()
	} else {
		_ = f.through.Close() // the error is the one to report
	}
	switch {
	case left == nil:
		return err
	case err == nil:
		return left
	}
	return fmt.Errorf("%w; and %w", err, left)
}

// waitFlag is the flag of every verb that writes.
type waitFlag struct {
	Wait wait `help:"Wait so long if another program is writing the target, such as 10s; else it is refused." placeholder:"TIME"`
}

// duration returns how long to wait.
func (f waitFlag) duration() time.Duration { return time.Duration(f.Wait) }

// wait is a length of time.
type wait time.Duration

// UnmarshalText reads a length of time in Go's form.
func (w *wait) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 {
		return errors.New("the time must be like 10s or 2m")
	}
	*w = wait(d)
	return nil
}

// reportReplaced returns a function that reports files that a replacement took away or moved.
// It does so also with --quiet: they are the user's.
func (env *environment) reportReplaced(target string) func(model.Replacement) {
	return func(r model.Replacement) {
		if len(r.Removed) > 0 {
			fmt.Fprintf(env.stderr, "cbkit: %s: with the old one went %s\n", target, strings.Join(r.Removed, " "))
		}
		if len(r.Kept) > 0 && r.Folder == "" {
			fmt.Fprintf(env.stderr, "cbkit: %s: %s: there already, and not replaced\n", target, strings.Join(r.Kept, " "))
		} else if len(r.Kept) > 0 {
			fmt.Fprintf(env.stderr, "cbkit: %s: %s: in the way but not of a database that was replaced; moved to %s\n",
				target, strings.Join(r.Kept, " "), r.Folder)
		}
	}
}

// inTheWay refuses a target because of what is there.
func inTheWay(target string, err error) error {
	exists, is := errors.AsType[*model.ExistsError](err)
	if !is {
		return existsError(target)
	}
	switch name := filepath.Base(exists.Path); {
	case exists.Orphan:
		return fmt.Errorf("%s: exists already, and there is no %s to say whose it is; choose another name, or use --force, which moves it aside",
			exists.Path, filepath.Base(target))
	case !dbfile.SameSpelling(name, filepath.Base(target)):
		return fmt.Errorf("%s: exists already, and differs from %s in upper and lower case alone; choose another name, or use --force to have both",
			exists.Path, filepath.Base(target))
	}
	return existsError(exists.Path)
}

// existsError refuses a target.
func existsError(path string) error {
	return thereError{fmt.Errorf("%s: exists already; choose another name or use --force", path)}
}

// thereError is the error of a target that exists.
type thereError struct{ error }

// nothingRead refuses to make a target of an input of which every game was
// skipped: it would replace what is there by nothing.
func nothingRead(target string) error {
	return fmt.Errorf("%s: not written, since nothing of the input could be read", target)
}
