package booster

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"cbkit/model"
)

// Files finds the files of a database by their endings, as cbkit/read.FileSet
// does.
type Files interface {
	// Has reports whether there is a file with the ending.
	Has(ext string) bool
	// Name and Path return its name without and with its folder; of a file
	// that is missing, those that it would have.
	Name(ext string) string
	Path(ext string) string
}

// file is an open file with the size it had when it was opened.
type file struct {
	*os.File
	name string
	size int64
}

// open opens a file. An error for one that is missing wraps fs.ErrNotExist.
func open(files Files, ext string) (*file, error) {
	f, err := os.Open(files.Path(ext))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files.Name(ext), plain(err))
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", files.Name(ext), plain(err))
	}
	return &file{f, files.Name(ext), info.Size()}, nil
}

// plain drops the operation and the path from an error of the os package.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// wrong returns an error about a place in the file. Record is -1 if it concerns
// none.
func (f *file) wrong(offset, record int64, field string, kind error, format string, args ...any) error {
	return &model.FormatError{File: f.name, Offset: offset, Record: record, Field: field,
		Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))}
}

// read fills buf from an offset on.
func (f *file) read(buf []byte, offset int64) error {
	if _, err := f.ReadAt(buf, offset); err != nil {
		if errors.Is(err, io.EOF) {
			err = model.ErrTruncated
		}
		return &model.FormatError{File: f.name, Offset: offset, Record: -1, Err: plain(err)}
	}
	return nil
}

// window reads a file in pieces of some size, for access that mostly goes
// forward.
type window struct {
	file  *file
	start int64
	buf   []byte
	ahead int
}

// at returns n bytes at an offset; they are valid until the next call.
func (w *window) at(offset int64, n int) ([]byte, error) {
	if i := offset - w.start; i >= 0 && i+int64(n) <= int64(len(w.buf)) {
		return w.buf[i : i+int64(n)], nil
	}
	size := int(min(int64(max(n, w.ahead)), max(w.file.size-offset, int64(n))))
	if cap(w.buf) < size {
		w.buf = make([]byte, size)
	}
	w.buf, w.start = w.buf[:size], offset
	if err := w.file.read(w.buf, offset); err != nil {
		w.buf = w.buf[:0]
		return nil, err
	}
	return w.buf[:n], nil
}
