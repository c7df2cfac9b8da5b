package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cbkit/internal/packed"
)

// textFile is an output file of its own (PGN, JSON Lines) that appears only
// when it is complete, compressed if its name ends in .gz or .zst. Standard
// output, and what is no regular file, is written through as it comes.
type textFile struct {
	io.Writer
	pack io.Closer
	buf  *bufio.Writer
	path string   // as the user named it
	file *os.File // nil for standard output
	temp string   // its name until it is complete, "" if it has none
	real string   // the name it gets then: links are followed
}

// createText starts an output file. An existing file is refused unless force
// is set; it is replaced when the new one is complete, which has its mode.
func (env *environment) createText(path string, force bool) (*textFile, error) {
	t := &textFile{path: path, real: path}
	if path == "-" {
		return t, t.start(env.stdout)
	}
	old, err := t.find(force)
	if err == nil {
		err = t.open(old)
	}
	if err != nil {
		return nil, targetError(path, err)
	}
	if err := t.start(t.file); err != nil {
		t.abort()
		return nil, err
	}
	return t, nil
}

// find describes what is in the place of the file, nil for nothing, unless it
// must not be replaced.
func (t *textFile) find(force bool) (fs.FileInfo, error) {
	link, err := os.Lstat(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	old, err := os.Stat(t.path)
	switch {
	case err != nil && link.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s: is a link that leads nowhere; remove it", t.path)
	case err != nil:
		return nil, err
	case old.IsDir():
		return nil, folderError(t.path)
	case !old.Mode().IsRegular():
		return old, nil
	case !force:
		return nil, existsError(t.path)
	}
	t.real, err = filepath.EvalSymlinks(t.path)
	return old, err
}

// open opens a temporary file beside the target, or what is no regular file
// itself. A new file has the mode that the user's mask leaves.
func (t *textFile) open(old fs.FileInfo) (err error) {
	if old != nil && !old.Mode().IsRegular() {
		t.file, err = os.OpenFile(t.path, os.O_WRONLY, 0)
		return err
	}
	dir, name := filepath.Split(t.real)
	for n := 0; ; n++ {
		t.temp = filepath.Join(dir, fmt.Sprintf(".%s.%d-%d%s", name, os.Getpid(), n, tempEnding))
		t.file, err = os.OpenFile(t.temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err == nil && old != nil {
		if err = t.file.Chmod(old.Mode().Perm()); err != nil {
			t.abort()
		}
	}
	return err
}

// tempEnding ends the names of files that are being written.
const tempEnding = ".cbkit-writing"

// start begins writing into w.
func (t *textFile) start(w io.Writer) error {
	t.buf = bufio.NewWriterSize(w, 1<<16)
	pack, err := packed.NewWriter(t.buf, packed.Ending(t.path))
	t.Writer, t.pack = pack, pack
	return err
}

// existsError refuses a target.
func existsError(path string) error {
	return fmt.Errorf("%s: exists already; choose another name or use --force", path)
}

// commit completes the file and gives it its name.
func (t *textFile) commit() error {
	if err := t.finish(); err != nil {
		return targetError(t.path, err)
	}
	return nil
}

func (t *textFile) finish() error {
	if err := t.pack.Close(); err != nil {
		return err
	}
	if err := t.buf.Flush(); err != nil || t.file == nil {
		return err
	}
	if t.temp != "" {
		if err := t.file.Sync(); err != nil {
			return err
		}
	}
	if err := t.file.Close(); err != nil {
		return err
	}
	if t.temp != "" {
		if err := os.Rename(t.temp, t.real); err != nil {
			return err
		}
	}
	t.file = nil
	return nil
}

// abort removes what was written; after commit it does nothing.
func (t *textFile) abort() {
	if t.file == nil {
		return
	}
	// The error that led here is the one to tell.
	_ = t.file.Close()
	if t.temp != "" {
		_ = os.Remove(t.temp)
	}
	t.file = nil
}
