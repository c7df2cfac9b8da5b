package read

import (
	"errors"
	"fmt"
	"io"
	"os"

	"cbkit/model"
)

// file is an open file of a database with its name for errors and the size it
// had when it was opened.
type file struct {
	*os.File
	name string
	size int64
}

// wrong returns a FormatError about a place in the file. Record is -1 if it
// concerns none.
func (f *file) wrong(offset, record int64, field string, kind error, format string, args ...any) error {
	return &model.FormatError{File: f.name, Offset: offset, Record: record, Field: field,
		Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))}
}

// bytesAt reads n bytes at an offset into buf, growing it. The extent is
// checked against the file's size before memory is set aside.
func (f *file) bytesAt(buf []byte, offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 || offset > f.size || n > f.size-offset {
		return nil, f.wrong(offset, -1, "", model.ErrTruncated,
			"%d bytes are needed here, the file has %d in all", n, f.size)
	}
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := f.ReadAt(buf, offset); err != nil {
		if errors.Is(err, io.EOF) {
			err = model.ErrTruncated
		}
		return nil, &model.FormatError{File: f.name, Offset: offset, Record: -1, Err: plainPathError(err)}
	}
	return buf, nil
}

// all reads the whole file.
func (f *file) all() ([]byte, error) { return f.bytesAt(nil, 0, f.size) }

// window reads ahead in a file whose records lie one after the other. It
// serves any order of access but is fast for the ascending one.
type window struct {
	f     *file
	start int64
	buf   []byte
	size  int
}

// How far windows read ahead: far enough for a disk when all records are read,
// a page when one is.
const (
	farAhead  = 1 << 20
	nearAhead = 1 << 12
)

func newWindow(f *file, ahead int) *window { return &window{f: f, size: ahead} }

// at returns n bytes at an offset; they are valid until the next call.
func (w *window) at(offset, n int64) ([]byte, error) {
	if i := offset - w.start; i >= 0 && n >= 0 && n <= int64(len(w.buf))-i {
		return w.buf[i : i+n], nil
	}
	ahead := max(n, min(int64(w.size), w.f.size-offset))
	buf, err := w.f.bytesAt(w.buf[:0], offset, ahead)
	if err != nil {
		w.buf = w.buf[:0]
		return nil, err
	}
	w.start, w.buf = offset, buf
	return buf[:n], nil
}
