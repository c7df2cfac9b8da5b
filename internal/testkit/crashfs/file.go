package crashfs

import (
	"errors"
	"io"
	"io/fs"
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

func (f *file) Stat() (fs.FileInfo, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if _, err := f.begin("stat"); err != nil {
		return nil, err
	}
	return f.fs.newInfo(f.name, f.node), nil
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
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
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
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	works, err := f.begin("write")
	if !works {
		return 0, err
	}
	if err != nil {
		b = b[:len(b)/2]
	}
	if len(b) > 0 {
		f.node.change(mutation{at: off, data: b}, f.fs.clock)
	}
	return len(b), err
}

func (f *file) Seek(offset int64, whence int) (int64, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
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
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	works, err := f.begin("truncate")
	if !works {
		return err
	}
	if size < 0 {
		return &fs.PathError{Op: "truncate", Path: f.name, Err: fs.ErrInvalid}
	}
	f.node.change(mutation{at: size, cut: true}, f.fs.clock)
	return err
}

// Sync makes the content permanent, and with it all earlier changes of names
// unless names are strict.
func (f *file) Sync() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	works, err := f.begin("sync")
	if !works {
		return err
	}
	f.node.sync()
	if !f.fs.strict {
		f.fs.flush(nil)
	}
	return err
}

func (f *file) Close() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return &fs.PathError{Op: "close", Path: f.name, Err: errors.New("closed before")}
	}
	_, err := f.begin("close")
	f.closed = true
	f.node.open--
	return err
}
