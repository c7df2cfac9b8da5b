package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// textFile is an output file of its own (PGN, JSON Lines) that appears only
// when it is complete. Standard output is written through as it comes.
type textFile struct {
	*bufio.Writer
	path string
	temp *os.File // nil for standard output
}

// createText starts an output file. An existing file is refused unless force
// is set; it is replaced when the new one is complete.
func (env *environment) createText(path string, force bool) (*textFile, error) {
	if path == "-" {
		return &textFile{Writer: bufio.NewWriterSize(env.stdout, 1<<16), path: path}, nil
	}
	if _, err := os.Lstat(path); err == nil && !force {
		return nil, existsError(path)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, plainError(err)
	}
	return &textFile{Writer: bufio.NewWriterSize(temp, 1<<16), path: path, temp: temp}, nil
}

// existsError refuses a target.
func existsError(path string) error {
	return fmt.Errorf("%s: exists already; choose another name or use --force", path)
}

// commit completes the file and gives it its name.
func (t *textFile) commit() error {
	if err := t.Flush(); err != nil {
		return plainError(err)
	}
	if t.temp == nil {
		return nil
	}
	err := errors.Join(t.temp.Chmod(0o644), t.temp.Sync(), t.temp.Close())
	if err == nil {
		err = os.Rename(t.temp.Name(), t.path)
	}
	if err != nil {
		return plainError(err)
	}
	t.temp = nil
	return nil
}

// abort removes what was written; after commit it does nothing.
func (t *textFile) abort() {
	if t.temp != nil {
		// The error that led here is the one to tell.
		_ = t.temp.Close()
		_ = os.Remove(t.temp.Name())
		t.temp = nil
	}
}
