package check

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"cbkit/model"
	"cbkit/read"
)

// file is an open file of a database with the size it had when it was opened.
type file struct {
	*os.File
	ext, name string
	size      int64
}

// openFile opens a file of a set.
func openFile(set *read.FileSet, ext string) (*file, error) {
	f, err := os.Open(set.Path(ext))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &file{File: f, ext: ext, name: set.Name(ext), size: info.Size()}, nil
}

// plain drops the operation and the path from an error of the os package.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// read returns n bytes at an offset, which must lie inside the file, in buf if
// there is room. An error is one of the machine, or the file has become
// shorter.
func (f *file) read(buf []byte, offset, n int64) ([]byte, error) {
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := f.ReadAt(buf, offset); err != nil {
		if errors.Is(err, io.EOF) {
			err = model.ErrTruncated
		}
		return nil, &model.FormatError{File: f.name, Offset: offset, Record: -1, Err: plain(err)}
	}
	return buf, nil
}

// start returns at most the first n bytes.
func (f *file) start(n int64) ([]byte, error) { return f.read(nil, 0, min(n, f.size)) }

// all returns the whole file.
func (f *file) all() ([]byte, error) { return f.start(f.size) }

// window reads ahead in a file whose records lie one after the other.
type window struct {
	file *file
	from int64
	buf  []byte
}

const (
	// windowSize is how far a window reads ahead: enough for a batch of usual
	// games, not much more than it, since every batch has its own.
	windowSize = 1 << 17
	// windowKept is the largest buffer that is kept for the next record.
	windowKept = 1 << 22
)

// at returns n bytes at an offset, which must lie inside the file. They are
// valid until the next call.
func (w *window) at(offset, n int64) ([]byte, error) {
	if i := offset - w.from; i >= 0 && i+n <= int64(len(w.buf)) {
		return w.buf[i : i+n], nil
	}
	if cap(w.buf) > windowKept {
		w.buf = nil
	}
	buf, err := w.file.read(w.buf[:0], offset, max(n, min(windowSize, w.file.size-offset)))
	if err != nil {
		w.buf = w.buf[:0]
		return nil, err
	}
	w.from, w.buf = offset, buf
	return buf[:n], nil
}
