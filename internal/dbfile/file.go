// Package dbfile finds and reads the files of databases. It decides which files belong to
// a database ([Find]). A file knows its name and size, so that errors name it and an
// extent outside it costs no memory; a window reads ahead in consecutive records.
package dbfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"cbkit/internal/brief"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Writable is a file that can be changed. Writing behind the end makes it
// longer.
type Writable interface {
	fsys.ReadFile
	io.WriterAt
	// Truncate cuts or extends the file.
	Truncate(size int64) error
}

// File is an open file with its name for errors.
type File struct {
	storage fsys.ReadFile
	name    string
	closed  bool
}

// New returns an open file that later errors call by name; it is closed with
// the storage.
func New(storage fsys.ReadFile, name string) *File { return &File{storage: storage, name: name} }

// Open opens a file of a file system. Its own errors do not name it: they are the
// plain cause. What is not a regular file is model.ErrNotDatabase.
func Open(files fsys.ReadFS, path, name string) (*File, error) {
	f, err := files.Open(path)
	if errors.Is(err, fsys.ErrNotRegular) {
		err = fmt.Errorf("%w: %w", model.ErrNotDatabase, err)
	}
	if err != nil {
		return nil, PlainError(err)
	}
	return New(f, name), nil
}

// PlainError drops the operation and the path from an error of the os package.
func PlainError(err error) error {
	if err == nil {
		return nil
	}
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

// Close closes the file; once more does nothing.
func (f *File) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return f.storage.Close()
}

// ReadAt implements [io.ReaderAt]. Its errors do not name the file.
func (f *File) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.storage.ReadAt(b, offset)
	return n, PlainError(err)
}

// WriteAt implements [io.WriterAt]. It fails if the file is not
// Writable.
func (f *File) WriteAt(b []byte, offset int64) (int, error) {
	w, err := f.writable()
	if err != nil {
		return 0, err
	}
	n, err := w.WriteAt(b, offset)
	return n, f.failed(offset, err)
}

// PutAt is WriteAt for those who do not ask how much was written.
func (f *File) PutAt(b []byte, offset int64) error {
	_, err := f.WriteAt(b, offset)
	return err
}

// Truncate cuts or extends the file. It fails if the file is not
// Writable.
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
		Err: fmt.Errorf("%w: %s", kind, brief.Sprintf(format, args...))}
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
