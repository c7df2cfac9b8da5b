// Package dbfile reads the files of databases: a file knows its name and size,
// so that errors name it and no extent outside it costs memory, and a window
// reads ahead of records that lie one after the other.
package dbfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"cbkit/model"
)

// File is an open file with its name for errors and the size it had when it was
// opened.
type File struct {
	file *os.File
	name string
	size int64
}

// Open opens a file that later errors call by name; its own do not, they are
// the plain cause. What is not a regular file is model.ErrNotDatabase.
func Open(path, name string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, PlainError(err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = PlainError(err)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%w: not a regular file", model.ErrNotDatabase)
	default:
		return &File{file: f, name: name, size: info.Size()}, nil
	}
	f.Close()
	return nil, err
}

// PlainError drops the operation and the path from an error of the os package.
func PlainError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Name returns the name for errors.
func (f *File) Name() string { return f.name }

// Size returns the size in bytes when the file was opened.
func (f *File) Size() int64 { return f.size }

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// ReadAt implements [io.ReaderAt]. Its errors do not name the file.
func (f *File) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.file.ReadAt(b, offset)
	return n, PlainError(err)
}

// Wrong returns a model.FormatError about a place in the file. Record is -1 if
// it concerns none.
func (f *File) Wrong(offset, record int64, field string, kind error, format string, args ...any) error {
	return &model.FormatError{File: f.name, Offset: offset, Record: record, Field: field,
		Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))}
}

// Bytes returns n bytes at an offset, in buf if they have room there. The extent
// is checked against the size of the file before memory is set aside.
func (f *File) Bytes(buf []byte, offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 || offset > f.size || n > f.size-offset {
		return nil, f.Wrong(offset, -1, "", model.ErrTruncated,
			"%d bytes are needed here, the file has %d in all", n, f.size)
	}
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := f.ReadAt(buf, offset); err != nil {
		if errors.Is(err, io.EOF) {
			err = model.ErrTruncated // it has become shorter
		}
		return nil, &model.FormatError{File: f.name, Offset: offset, Record: -1, Err: err}
	}
	return buf, nil
}

// Start returns the first n bytes, or all if there are not as many.
func (f *File) Start(n int64) ([]byte, error) { return f.Bytes(nil, 0, min(n, f.size)) }

// All returns the whole file.
func (f *File) All() ([]byte, error) { return f.Bytes(nil, 0, f.size) }
