package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"cbkit/internal/atomicset"
	"cbkit/internal/packed"
)

// textFile is an output file of its own (PGN, JSON Lines) that appears only
// when it is complete, compressed if its name ends in .gz or .zst. Standard
// output, and what is no regular file, is written through as it comes.
type textFile struct {
	io.Writer
	pack io.Closer
	buf  *bufio.Writer
	path string          // as the user named it
	file *atomicset.File // nil for what is written through
	pipe *os.File        // that is written through, nil for standard output
}

// createText starts an output file. An existing file is refused unless it may be
// replaced, which happens when the new one is complete; that has its mode.
func (env *environment) createText(path string, flags writeFlags) (*textFile, error) {
	t := &textFile{path: path}
	to, err := t.open(env, flags)
	if err != nil {
		return nil, targetError(path, err)
	}
	t.buf = bufio.NewWriterSize(to, 1<<16)
	pack, err := packed.NewWriter(t.buf, packed.Ending(path))
	if err != nil {
		return nil, t.abort(err)
	}
	t.Writer, t.pack = pack, pack
	return t, nil
}

// open opens what the text goes to.
func (t *textFile) open(env *environment, flags writeFlags) (to io.Writer, err error) {
	if t.path == "-" && env.outcome != nil {
		return nil, usageError{errors.New("--json: the games go to standard output; name a file for them")}
	}
	if t.path == "-" {
		return env.stdout, nil
	}
	if info, err := os.Stat(t.path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		t.pipe, err = os.OpenFile(t.path, os.O_WRONLY, 0)
		return t.pipe, err
	}
	t.file, err = atomicset.NewFile(t.path, atomicset.Options{
		Force: flags.Force, Wait: flags.duration(), Context: env.ctx,
	})
	return t.file, err
}

// commit completes the file and gives it its name.
func (t *textFile) commit() error { return targetError(t.path, t.finish()) }

func (t *textFile) finish() error {
	err := t.pack.Close()
	if err == nil {
		err = t.buf.Flush()
	}
	if err != nil {
		return err
	}
	switch {
	case t.file != nil:
		return t.file.Commit()
	case t.pipe != nil:
		return t.pipe.Close()
	}
	return nil
}

// abort removes what was written because of an error, which it returns; after
// commit it does nothing.
func (t *textFile) abort(err error) error {
	var left error
	switch {
	case t.file != nil:
		left = t.file.Abort()
	case t.pipe != nil:
		_ = t.pipe.Close() // the error is the one to tell
	}
	switch {
	case left == nil:
		return err
	case err == nil:
		return left
	}
	return fmt.Errorf("%w; and %w", err, left)
}
