package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// File is a file of a set as the transaction sees it: with all changes made so
// far. It stays good when the transaction is committed or rolled back, with
// what is then in the file.
type File struct {
	set  *Set
	name string

	// What is on the disk, since the last commit.
	exists  bool
	old     int64 // size
	changed time.Time
	info    fs.FileInfo // as the plan of a commit found it

	handle fsys.File // of the file on the disk, or of the finished file; nil until it is needed
	work   string    // working name of the finished file that has the content, "" if it is that on the disk

	// floor is the size below which bytes that are not in pages are those of
	// the disk; behind it they are zero.
	floor   int64
	size    int64
	pages   map[int64]*page
	dropped bool
	temp    bool
	tail    []byte // of a finished file: its end, which is not written yet

	// compared says that parts is what differs from the disk.
	compared bool
	parts    []span
	stamp    time.Time // the change time that it gets with the commit, if not zero
}

// Name returns the name of the file in its folder.
func (f *File) Name() string { return f.name }

// Size returns the size in bytes.
func (f *File) Size() int64 { return f.size }

// Changed returns when the file was changed before the transaction, as the disk
// says; the zero time if it was not there.
func (f *File) Changed() time.Time { return f.changed }

// SetChanged says which change time the file gets with the commit. Where the
// system does not allow it, or cannot hold it, it gets another one, and the error of the
// commit is model.ErrCommitted. It has no effect on a file that is not there.
func (f *File) SetChanged(t time.Time) { f.stamp = t }

// note remembers what is on the disk: of a file that is open, or can be, what that is.
func (f *File) note() error {
	var info fs.FileInfo
	h, err := fsys.File(nil), error(fs.ErrNotExist)
	if f.work == "" && !f.dropped && f.set.stage == nil {
		h, err = f.open()
	}
	if err == nil {
		info, err = h.Stat()
	} else {
		info, err = f.set.fs.Stat(f.set.path(f.name))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.exists, f.old, f.changed = false, 0, time.Time{}
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a regular file", f.set.path(f.name))
	}
	f.exists, f.old, f.changed = true, info.Size(), info.ModTime()
	return nil
}

// forget makes the content that on the disk, whose handle stays open.
func (f *File) forget() (err error) {
	if f.work != "" {
		err = f.close()
	}
	for _, g := range f.pages {
		f.set.pool.drop(g)
	}
	f.pages, f.work, f.dropped = map[int64]*page{}, "", false
	f.compared, f.stamp, f.tail = false, time.Time{}, nil
	f.size, f.floor = f.old, f.old
	return err
}

// close closes the handle, which is opened again when it is needed.
func (f *File) close() error {
	if f.handle == nil {
		return nil
	}
	err := f.handle.Close()
	f.handle = nil
	return err
}

// open returns the handle.
func (f *File) open() (fsys.File, error) {
	if f.handle != nil {
		return f.handle, nil
	}
	name, flag := f.name, os.O_RDONLY
	if f.work != "" {
		name, flag = f.work, os.O_RDWR
	}
	h, err := f.set.fs.OpenFile(f.set.path(name), flag, 0)
	f.handle = h
	return h, err
}

// check refuses work on a file that is not there.
func (f *File) check() error {
	if f.dropped || f.work == "" && !f.exists && !f.temp {
		return &fs.PathError{Op: "open", Path: f.set.path(f.name), Err: fs.ErrNotExist}
	}
	return f.set.check()
}

// ReadAt implements [io.ReaderAt].
func (f *File) ReadAt(b []byte, at int64) (int, error) {
	if err := f.check(); err != nil {
		return 0, err
	}
	if at < 0 {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
	}
	n := int(min(int64(len(b)), max(f.size-at, 0)))
	var err error
	if f.work != "" {
		err = f.readDisk(b[:n], at)
	} else {
		err = f.readPages(b[:n], at)
	}
	if err != nil {
		return 0, err
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// readPages fills b from pages and, where there are none, from the disk.
func (f *File) readPages(b []byte, at int64) error {
	for len(b) > 0 {
		n := min(int64(len(b)), pageSize-at%pageSize)
		g := f.pages[at/pageSize]
		if g != nil {
			if err := f.set.pool.peek(g, b[:n], at%pageSize); err != nil {
				return err
			}
		} else {
			for n < int64(len(b)) && f.pages[(at+n)/pageSize] == nil {
				n = min(int64(len(b)), n+pageSize)
			}
			if err := f.readDisk(b[:n], at); err != nil {
				return err
			}
		}
		b, at = b[n:], at+n
	}
	return nil
}

// readDisk fills b from the disk, with zeros from the floor on.
func (f *File) readDisk(b []byte, at int64) error {
	limit := f.floor
	if f.work != "" {
		limit = f.size
	}
	n := min(int64(len(b)), max(limit-at, 0))
	clear(b[n:])
	if n == 0 {
		return nil
	}
	if err := f.reach(at + n); err != nil {
		return err
	}
	h, err := f.open()
	if err != nil {
		return err
	}
	got, err := h.ReadAt(b[:n], at)
	if int64(got) < n && (err == nil || errors.Is(err, io.EOF)) {
		return fmt.Errorf("%s: %w: it has become shorter", f.set.path(f.name), model.ErrChanged)
	}
	if int64(got) == n {
		return nil
	}
	return err
}

// Append writes bytes at the end and returns where.
func (f *File) Append(b []byte) (at int64, err error) {
	at = f.size
	_, err = f.WriteAt(b, at)
	return at, err
}

// WriteAt implements [io.WriterAt]. A gap behind the end becomes zero.
func (f *File) WriteAt(b []byte, at int64) (int, error) {
	if err := f.check(); err != nil {
		return 0, err
	}
	if at < 0 {
		return 0, &fs.PathError{Op: "write", Path: f.name, Err: fs.ErrInvalid}
	}
	if len(b) == 0 {
		return 0, nil
	}
	if f.work != "" {
		return f.writeWork(b, at)
	}
	if at > f.size {
		if err := f.extend(at); err != nil {
			return 0, err
		}
	}
	for done := 0; done < len(b); {
		n, err := f.writePage(b[done:], at+int64(done))
		if err != nil {
			return done, err
		}
		done += n
	}
	return len(b), nil
}

// writeWork writes into a finished file, which is not in its place yet.
func (f *File) writeWork(b []byte, at int64) (int, error) {
	if at == f.size && len(b) < tailSize {
		if len(f.tail)+len(b) > tailSize {
			if err := f.flush(); err != nil {
				return 0, err
			}
		}
		f.tail = append(f.tail, b...)
		f.size += int64(len(b))
		return len(b), nil
	}
	if err := f.reach(at + int64(len(b))); err != nil {
		return 0, err
	}
	h, err := f.open()
	if err != nil {
		return 0, err
	}
	n, err := h.WriteAt(b, at)
	f.size = max(f.size, at+int64(n))
	return n, err
}

// tailSize is how many bytes are collected at the end of a finished file before they are
// written.
const tailSize = 1 << 16

// flush writes what was collected.
func (f *File) flush() error {
	if len(f.tail) == 0 {
		return nil
	}
	h, err := f.open()
	if err == nil {
		_, err = h.WriteAt(f.tail, f.size-int64(len(f.tail)))
	}
	if err == nil { // else it fails again, or is written later
		f.tail = f.tail[:0]
	}
	return err
}

// reach writes what was collected if a part of the file up to a place is asked for that
// has some of it.
func (f *File) reach(end int64) error {
	if end <= f.size-int64(len(f.tail)) {
		return nil
	}
	return f.flush()
}

// writePage writes the part of b that goes into the page at a place.
func (f *File) writePage(b []byte, at int64) (int, error) {
	from := at % pageSize
	n := int(min(int64(len(b)), pageSize-from))
	data, err := f.page(at/pageSize, from == 0 && n == pageSize)
	if err != nil {
		return 0, err
	}
	copy(data[from:], b[:n])
	f.size = max(f.size, at+int64(n))
	return n, nil
}

// page returns the content of a page to be changed. If all of it will be, it
// need not be what it is.
func (f *File) page(number int64, all bool) ([]byte, error) {
	pool := &f.set.pool
	f.compared = false
	if g := f.pages[number]; g != nil {
		return pool.load(g)
	}
	if pool.used >= pool.limit {
		if err := pool.spill(f.set.files); err != nil {
			return nil, err
		}
	}
	data := make([]byte, pageSize)
	at := number * pageSize
	if n := min(pageSize, f.size-at); !all && n > 0 {
		if err := f.readDisk(data[:n], at); err != nil {
			return nil, err
		}
	}
	f.pages[number] = pool.add(data)
	return data, nil
}

// Truncate cuts the file, or extends it with zeros.
func (f *File) Truncate(size int64) error {
	if err := f.check(); err != nil {
		return err
	}
	switch {
	case size < 0:
		return &fs.PathError{Op: "truncate", Path: f.name, Err: fs.ErrInvalid}
	case f.work != "":
		if err := f.flush(); err != nil {
			return err
		}
		h, err := f.open()
		if err != nil {
			return err
		}
		f.size = size
		return h.Truncate(size)
	case size > f.size:
		return f.extend(size)
	}
	return f.cut(size)
}

// cut makes the file shorter.
func (f *File) cut(size int64) error {
	last := (size + pageSize - 1) / pageSize // the first page that goes
	for n, g := range f.pages {
		if n >= last {
			f.set.pool.drop(g)
			delete(f.pages, n)
		}
	}
	if g := f.pages[size/pageSize]; g != nil && size%pageSize != 0 {
		data, err := f.set.pool.load(g)
		if err != nil {
			return err
		}
		clear(data[size%pageSize:])
	}
	f.size, f.floor, f.compared = size, min(f.floor, size), false
	return nil
}

// extend makes the file longer. Where the disk has other bytes than zeros, they
// become pages: whatever is not in a page is as on the disk, or behind its end.
func (f *File) extend(size int64) error {
	for at := f.size; at < min(size, f.old); at = (at/pageSize + 1) * pageSize {
		if _, err := f.page(at/pageSize, false); err != nil {
			return err
		}
		f.size = min(size, (at/pageSize+1)*pageSize)
	}
	f.size, f.compared = size, false
	return nil
}
