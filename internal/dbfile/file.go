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

// Storage is where the bytes of a file are: on a disk, in memory, or in a
// transaction that has not ended.
type Storage interface {
	io.ReaderAt
	io.Closer
	// Size returns the size in bytes as it is now.
	Size() int64
}

// Writable is a Storage that can be changed. Writing behind the end makes it
// longer.
type Writable interface {
	Storage
	io.WriterAt
	// Truncate cuts or extends the file.
	Truncate(size int64) error
}

// File is an open file with its name for errors.
type File struct {
	storage Storage
	name    string
}

// New returns a file whose bytes are in a storage, which it closes.
func New(storage Storage, name string) *File { return &File{storage, name} }

// Open opens a file that later errors call by name; its own do not, they are
// the plain cause. What is not a regular file is model.ErrNotDatabase. The file
// keeps the size that it has now.
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
		return New(sized{f, info.Size()}, name), nil
	}
	f.Close()
	return nil, err
}

// sized is a file with the size that it had when it was opened.
type sized struct {
	*os.File
	size int64
}

// Size implements Storage.
func (s sized) Size() int64 { return s.size }

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

// Size returns the size in bytes: of a file that is only read, when it was
// opened.
func (f *File) Size() int64 { return f.storage.Size() }

// Close closes the file.
func (f *File) Close() error { return f.storage.Close() }

// ReadAt implements [io.ReaderAt]. Its errors do not name the file.
func (f *File) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.storage.ReadAt(b, offset)
	return n, PlainError(err)
}

// WriteAt implements [io.WriterAt]. It fails if the storage is not Writable.
func (f *File) WriteAt(b []byte, offset int64) (int, error) {
	w, err := f.writable()
	if err != nil {
		return 0, err
	}
	n, err := w.WriteAt(b, offset)
	return n, f.failed(offset, err)
}

// Truncate cuts or extends the file. It fails if the storage is not Writable.
func (f *File) Truncate(size int64) error {
	w, err := f.writable()
	if err != nil {
		return err
	}
	return f.failed(size, w.Truncate(size))
}

// writable returns the storage of a file that can be changed.
func (f *File) writable() (Writable, error) {
	if w, ok := f.storage.(Writable); ok {
		return w, nil
	}
	return nil, f.failed(-1, errors.ErrUnsupported)
}

// failed adds the name of the file to an error of its storage.
func (f *File) failed(offset int64, err error) error {
	if err == nil {
		return nil
	}
	return &model.FormatError{File: f.name, Offset: offset, Record: -1, Err: PlainError(err)}
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
	size := f.Size()
	if offset < 0 || n < 0 || offset > size || n > size-offset {
		return nil, f.Wrong(offset, -1, "", model.ErrTruncated,
			"%d bytes are needed here, the file has %d in all", n, size)
	}
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if read, err := f.ReadAt(buf, offset); err != nil && read < len(buf) {
		if errors.Is(err, io.EOF) {
			err = model.ErrTruncated // it has become shorter
		}
		return nil, f.failed(offset, err)
	}
	return buf, nil
}

// Start returns the first n bytes, or all if there are not as many.
func (f *File) Start(n int64) ([]byte, error) { return f.Bytes(nil, 0, min(n, f.Size())) }

// All returns the whole file.
func (f *File) All() ([]byte, error) { return f.Bytes(nil, 0, f.Size()) }
