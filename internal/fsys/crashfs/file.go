package crashfs

import (
	"errors"
	"io"
	"io/fs"
	"slices"
)

// file is an open file.
type file struct {
	fs     *FS
	name   string
	node   *inode
	pos    int64
	closed bool
}

func (f *file) begin(op string) (works bool, err error) {
	if f.closed {
		return false, &fs.PathError{Op: op, Path: f.name, Err: fs.ErrClosed}
	}
	return f.fs.begin(op, f.name)
}

func (f *file) Read(b []byte) (int, error) {
	n, err := f.ReadAt(b, f.pos)
	f.pos += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (f *file) ReadAt(b []byte, off int64) (int, error) {
	if _, err := f.begin("read"); err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
	}
	if off >= int64(len(f.node.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.node.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Write(b []byte) (int, error) {
	n, err := f.WriteAt(b, f.pos)
	f.pos += int64(n)
	return n, err
}

func (f *file) WriteAt(b []byte, off int64) (int, error) {
	works, err := f.begin("write")
	if !works {
		return 0, err
	}
	if err != nil {
		b = b[:len(b)/2]
	}
	if end := off + int64(len(b)); end > int64(len(f.node.data)) {
		f.resize(end)
	}
	return copy(f.node.data[off:], b), err
}

func (f *file) resize(size int64) {
	have := int64(len(f.node.data))
	if size > have {
		f.node.data = slices.Grow(f.node.data, int(size-have))
		clear(f.node.data[have:size])
	}
	f.node.data = f.node.data[:size]
}

func (f *file) Seek(offset int64, whence int) (int64, error) {
	if _, err := f.begin("seek"); err != nil {
		return 0, err
	}
	switch whence {
	case io.SeekCurrent:
		offset += f.pos
	case io.SeekEnd:
		offset += int64(len(f.node.data))
	}
	if offset < 0 {
		return 0, &fs.PathError{Op: "seek", Path: f.name, Err: fs.ErrInvalid}
	}
	f.pos = offset
	return offset, nil
}

func (f *file) Truncate(size int64) error {
	works, err := f.begin("truncate")
	if !works {
		return err
	}
	if size < 0 {
		return &fs.PathError{Op: "truncate", Path: f.name, Err: fs.ErrInvalid}
	}
	f.resize(size)
	return err
}

// Sync makes the content permanent, and with it all earlier changes of names.
func (f *file) Sync() error {
	works, err := f.begin("sync")
	if !works {
		return err
	}
	f.node.synced = slices.Clone(f.node.data)
	f.fs.flush()
	return err
}

func (f *file) Close() error {
	if f.closed {
		return &fs.PathError{Op: "close", Path: f.name, Err: errors.New("closed before")}
	}
	_, err := f.begin("close")
	f.closed = true
	return err
}
