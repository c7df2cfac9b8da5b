package packed

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// Zip is the ending of zips.
const Zip = ".zip"

// MostOf returns how many bytes may come of so many that are packed: a gigabyte, or a hundred
// times as many. More than that is no chess, and would fill the disk for no reason.
func MostOf(packed int64) int64 { return max(1<<30, 100*packed) }

// magicZip is what a zip begins with, magicNoZip one that has nothing in it.
var (
	magicZip   = []byte("PK\x03\x04")
	magicNoZip = []byte("PK\x05\x06")
)

// errStream says what to do with a zip that is no file: its directory is at its end.
var errStream = fmt.Errorf("%w: it is a zip, which is read where it is a file whose name ends in %s; name it so, or unpack it first", model.ErrNotDatabase, Zip)

// SplitZip takes the name of a zip, or of a file in one such as "TWIC.zip:twic.pgn",
// apart; is is false if it is neither.
func SplitZip(name string) (file, member string, is bool) {
	for i := range name {
		if end := i + len(Zip); end <= len(name) && strings.EqualFold(name[i:end], Zip) && (end == len(name) || name[end] == ':') {
			return name[:end], strings.TrimPrefix(name[end:], ":"), true
		}
	}
	return "", "", false
}

// OpenFile opens a file of the disk, or one in a zip, which is read as a stream.
func OpenFile(name string) (fs.File, error) {
	file, member, is := SplitZip(name)
	if !is || member == "" {
		return fsys.OS{}.Plain(name)
	}
	z, err := OpenZip(file)
	if err != nil {
		return nil, err
	}
	f, err := z.Open(member)
	if err != nil {
		return nil, errors.Join(err, z.Close())
	}
	return &onlyMember{f, z}, nil
}

// Again opens one file each time that it is read. Its errors wrap [model.ErrChanged] if
// that is not what it was at first: what was read of it does not belong to what is there.
type Again struct {
	Name  string
	first atomic.Pointer[fs.File]     // what is open already
	was   atomic.Pointer[fs.FileInfo] // at first
	spent atomic.Bool                 // it is no file, and was opened
}

// NewAgain returns what opens a file. If opened is not nil it is that file, open at its
// beginning, which the first reading takes.
func NewAgain(name string, opened fs.File) *Again {
	a := &Again{Name: name}
	if opened != nil {
		a.first.Store(&opened)
	}
	return a
}

// Stat describes the file as [StatFile] does.
func (a *Again) Stat() (info fs.FileInfo, err error) {
	if f := a.first.Load(); f != nil {
		info, err = (*f).Stat()
		return info, cmp.Or(err, a.opened(*f))
	}
	if _, member, is := SplitZip(a.Name); !is || member == "" {
		info, err = fsys.OS{}.Stat(a.Name)
		return info, cmp.Or(err, a.note(info))
	}
	f, err := a.Open()
	if err == nil {
		info, err = f.Stat()
		err = errors.Join(err, f.Close())
	}
	return info, err
}

// Open opens the file as [OpenFile] does. What is no file, as a pipe, is opened once: it
// would wait for another one at its other end.
func (a *Again) Open() (fs.File, error) {
	if f := a.first.Swap(nil); f != nil {
		return *f, nil
	}
	if a.spent.Load() {
		return nil, fmt.Errorf("%s: this is a pipe, which was read before and cannot be read again: name a file", a.Name)
	}
	f, err := OpenFile(a.Name)
	if err != nil {
		return nil, err
	}
	if err := a.opened(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// opened notes the state of the file, which is open.
func (a *Again) opened(f fs.File) error {
	info, err := f.Stat()
	if m, is := f.(*onlyMember); is {
		info, err = m.zip.info, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		a.spent.Store(true)
	}
	return cmp.Or(err, a.note(info))
}

// note takes note of the state of the file. What is no file, as a pipe, has none.
func (a *Again) note(info fs.FileInfo) error {
	if info == nil || !info.Mode().IsRegular() || a.was.CompareAndSwap(nil, &info) || fsys.Unchanged(*a.was.Load(), info) {
		return nil
	}
	return fmt.Errorf("%s: %w while it was read: do it again", a.Name, model.ErrChanged)
}

// Whole returns an open file whose end is an error that wraps [model.ErrChanged] if the file
// has become shorter while it was read.
func (a *Again) Whole(f fs.File) fs.File {
	info, err := f.Stat()
	if _, is := f.(*onlyMember); is || err != nil || !info.Mode().IsRegular() {
		return f
	}
	return &wholeFile{f, a.Name, info.Size()}
}

type wholeFile struct {
	fs.File
	name string
	size int64
}

// Read implements [fs.File].
func (w *wholeFile) Read(b []byte) (int, error) {
	n, err := w.File.Read(b)
	if err == io.EOF {
		if now, failed := w.Stat(); failed == nil && now.Size() < w.size {
			err = fmt.Errorf("%s: %w while it was read: do it again", w.name, model.ErrChanged)
		}
	}
	return n, err
}

// onlyMember is a file whose zip is closed with it.
type onlyMember struct {
	fs.File
	zip *ZipFile
}

// Close implements [fs.File].
func (m *onlyMember) Close() error { return errors.Join(m.File.Close(), m.zip.Close()) }

// StatFile describes a file of the disk, or one in a zip.
func StatFile(name string) (fs.FileInfo, error) { return NewAgain(name, nil).Stat() }

// ZipFile is a zip whose directory is sound: its names stay in a folder, nothing is
// encrypted, and what comes of it is bounded. It must be closed.
type ZipFile struct {
	name    string
	members []*zip.File
	named   map[string]*zip.File
	close   func() error
	info    fs.FileInfo // of the file, if it is one
}

// lastZip is the zip that was opened last: its files are opened by their names, one
// after the other, and its directory is read once for all of them.
var lastZip struct {
	sync.Mutex
	zip  *ZipFile
	from *anyOf
}

// anyOf reads a file by any of those that are open of it.
type anyOf struct {
	lock sync.RWMutex
	open []*os.File
}

// ReadAt implements [io.ReaderAt].
func (a *anyOf) ReadAt(p []byte, at int64) (int, error) {
	a.lock.RLock()
	defer a.lock.RUnlock()
	if len(a.open) == 0 {
		return 0, fs.ErrClosed
	}
	return a.open[0].ReadAt(p, at)
}

// close closes one that is open.
func (a *anyOf) close(f *os.File) error {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.open = slices.DeleteFunc(a.open, func(one *os.File) bool { return one == f })
	return f.Close()
}

// OpenZip opens a zip.
func OpenZip(name string) (*ZipFile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w: it is no file", name, model.ErrNotDatabase)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	lastZip.Lock()
	defer lastZip.Unlock()
	if last := lastZip.zip; last == nil || last.name != name || !fsys.Unchanged(last.info, info) {
		from := &anyOf{open: []*os.File{f}}
		z, err := NewZip(from, info.Size(), name)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		z.info = info
		lastZip.zip, lastZip.from = z, from
	} else {
		lastZip.from.lock.Lock()
		lastZip.from.open = append(lastZip.from.open, f)
		lastZip.from.lock.Unlock()
	}
	z, from := *lastZip.zip, lastZip.from
	z.close = func() error { return from.close(f) }
	return &z, nil
}

// NewZip returns the zip in r, which has this size; the name is for messages.
func NewZip(r io.ReaderAt, size int64, name string) (*ZipFile, error) {
	dir, err := zip.NewReader(r, size)
	switch {
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w: it is no zip, or it is cut", name, model.ErrCorrupt)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	z := &ZipFile{name: name, named: map[string]*zip.File{}, close: func() error { return nil }}
	most := uint64(MostOf(size))
	var unpacked, compressed uint64
	for _, f := range dir.File {
		if isByTheWay(z.nameOf(f)) {
			continue
		}
		err := z.judge(f)
		if err == nil && z.named[z.nameOf(f)] != nil {
			err = fmt.Errorf("%w: the zip has two files of this name; unpack it first", model.ErrCorrupt)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%s: %w", name, f.Name, err)
		}
		z.named[z.nameOf(f)] = f
		unpacked, compressed = unpacked+min(f.UncompressedSize64, most+1), compressed+min(f.CompressedSize64, uint64(size)+1)
		switch {
		case compressed > uint64(size):
			return nil, fmt.Errorf("%s:%s: %w: the files in it overlap, or it is cut", name, f.Name, model.ErrCorrupt)
		case unpacked > most:
			return nil, fmt.Errorf("%s:%s: %w: more than a gigabyte, and than a hundred times what the zip has, would come of it; unpack it first if that is right", name, f.Name, model.ErrTooLarge)
		}
		z.members = append(z.members, f)
	}
	return z, nil
}

// judge returns what is wrong with a file in a zip by its entry in the directory.
func (z *ZipFile) judge(f *zip.File) error {
	switch name := z.nameOf(f); {
	case !filepath.IsLocal(filepath.FromSlash(name)) || strings.HasPrefix(name, "/") || strings.ContainsRune(name, 0):
		return fmt.Errorf("%w: the name leads out of the folder", model.ErrCorrupt)
	case f.Flags&1 != 0:
		return fmt.Errorf("is encrypted, which cbkit does not read: %w; unpack it with its password first", model.ErrUnsupported)
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fmt.Errorf("is compressed in a way (method %d) that cbkit does not read: %w; unpack it first", f.Method, model.ErrUnsupported)
	}
	return nil
}

// nameOf returns the name of a file in a zip, with slashes: some programs write
// the other ones.
func (z *ZipFile) nameOf(f *zip.File) string { return strings.ReplaceAll(f.Name, `\`, "/") }

// isByTheWay reports whether a name is that of a folder, or of what macOS puts beside
// files.
func isByTheWay(name string) bool {
	return strings.HasSuffix(name, "/") || strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(path.Base(name), "._")
}

// Names returns the names of the files, in the order of the directory. Links are none.
func (z *ZipFile) Names() []string {
	var names []string
	for _, f := range z.members {
		if f.Mode().IsRegular() {
			names = append(names, z.nameOf(f))
		}
	}
	return names
}

// Open implements [fs.FS], so that what is in a zip can be read without unpacking it.
func (z *ZipFile) Open(name string) (fs.File, error) {
	f := z.named[name]
	if f == nil || !f.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: z.name + ":" + name, Err: fs.ErrNotExist}
	}
	r, err := f.Open()
	if err != nil {
		return nil, z.failed(name, err)
	}
	return &zipMember{zip: z, name: name, info: f.FileInfo(), from: r, left: int64(f.UncompressedSize64)}, nil
}

// failed names the file in the error of reading it.
func (z *ZipFile) failed(name string, err error) error {
	switch {
	case errors.Is(err, zip.ErrChecksum):
		err = fmt.Errorf("%w: the zip is damaged: the checksum does not fit", model.ErrCorrupt)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%w: the zip is damaged or cut", model.ErrTruncated)
	default:
		err = fmt.Errorf("%w: the zip is damaged: %w", model.ErrCorrupt, err)
	}
	return &model.FormatError{File: z.name + ":" + name, Offset: -1, Record: -1, Err: err}
}

// zipMember is an open file in a zip.
type zipMember struct {
	zip  *ZipFile
	name string
	info fs.FileInfo
	from io.ReadCloser
	left int64 // bytes that may come
}

// Stat implements [fs.File].
func (m *zipMember) Stat() (fs.FileInfo, error) { return m.info, nil }

// Close implements [fs.File].
func (m *zipMember) Close() error {
	_ = m.from.Close() // it repeats what Read has told
	return nil
}

// Read implements [fs.File]. No more comes than the directory says.
func (m *zipMember) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	if m.left -= int64(n); m.left < 0 {
		return 0, m.zip.failed(m.name, errors.New("it is larger than it says"))
	}
	if err != nil && err != io.EOF {
		err = m.zip.failed(m.name, err)
	}
	return n, err
}

// Unpack copies the files that are wanted to where create says.
func (z *ZipFile) Unpack(ctx context.Context, want func(name string) bool, create func(name string) (io.WriteCloser, error)) error {
	for _, name := range z.Names() {
		if !want(name) {
			continue
		}
		if err := z.unpack(ctx, name, create); err != nil {
			return err
		}
	}
	return nil
}

// unpack copies a file.
func (z *ZipFile) unpack(ctx context.Context, name string, create func(name string) (io.WriteCloser, error)) error {
	from, err := z.Open(name)
	if err != nil {
		return err
	}
	defer from.Close() // it was only read
	to, err := create(name)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s:%s: %w: it is in the zip twice", z.name, name, model.ErrCorrupt)
	} else if err != nil {
		return err
	}
	_, err = io.Copy(to, &stoppable{ctx, from})
	return errors.Join(err, to.Close())
}

// IntoFolder returns what creates the files of [ZipFile.Unpack] in a folder, with the
// folders they are in.
func IntoFolder(dir string) func(name string) (io.WriteCloser, error) {
	return func(name string) (io.WriteCloser, error) {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return nil, err
		}
		return os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	}
}

// stoppable ends with a context.
type stoppable struct {
	ctx context.Context
	io.Reader
}

// Read implements [io.Reader].
func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// Close closes the file. A second call does nothing.
func (z *ZipFile) Close() error {
	done := z.close
	z.close = func() error { return nil }
	return done()
}
