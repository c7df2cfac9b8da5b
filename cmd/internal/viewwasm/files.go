//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall/js"
	"time"
)

var errNothing = errors.New("there is no database, PGN file or book among these files; of a ChessBase database all files are needed")

// folder is what was chosen, as a file system: files by the paths that they had, and
// the blocks of them that were read last, however often a file is opened.
type folder struct {
	files map[string]*file

	lock   sync.Mutex
	blocks map[place][]byte
	order  []place // of the blocks, the one read first in front
}

// file is one that was chosen.
type file struct {
	value js.Value
	size  int64
}

// place says which block it is of which file.
type place struct {
	file   *file
	number int64
}

// newFolder takes a list of File objects.
func newFolder(list js.Value) *folder {
	f := &folder{files: map[string]*file{}, blocks: map[place][]byte{}}
	for i := range list.Length() {
		value := list.Index(i)
		name := value.Get("webkitRelativePath")
		if name.Type() != js.TypeString || name.String() == "" {
			name = value.Get("name")
		}
		if text := path.Clean(name.String()); fs.ValidPath(text) {
			f.files[text] = &file{value, int64(value.Get("size").Float())}
		}
	}
	return f
}

// Open implements [fs.FS].
func (f *folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if file, is := f.files[name]; is {
		return &blob{name: path.Base(name), file: file, in: f}, nil
	}
	if list, is := f.list(name); is {
		return &directory{name: name, list: list}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// list returns what is in a folder.
func (f *folder) list(dir string) (list []fs.DirEntry, is bool) {
	seen := map[string]bool{}
	for name, file := range f.files {
		for at := name; at != "."; at = path.Dir(at) {
			if path.Dir(at) != dir || seen[at] {
				continue
			}
			seen[at] = true
			e := entry{name: path.Base(at), dir: at != name}
			if !e.dir {
				e.size = file.size
			}
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, len(list) > 0 || dir == "."
}

// entry is a file or folder in a folder.
type entry struct {
	name string
	size int64
	dir  bool
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }

func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// directory is an open folder.
type directory struct {
	name string
	list []fs.DirEntry
}

func (d *directory) Stat() (fs.FileInfo, error) {
	return entry{name: path.Base(d.name), dir: true}, nil
}
func (d *directory) Close() error { return nil }
func (d *directory) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errors.New("is a folder")}
}

// ReadDir implements [fs.ReadDirFile].
func (d *directory) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.list) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.list) {
		n = len(d.list)
	}
	some := d.list[:n]
	d.list = d.list[n:]
	return some, nil
}

// Sizes of what is read at once and kept. To ask a browser for a block takes a
// millisecond, whether it has 16 KiB or 256.
const (
	blockSize  = 256 << 10
	mostBlocks = 112
)

// blob is an open file.
type blob struct {
	name string
	file *file
	in   *folder
	at   int64
}

func (b *blob) Stat() (fs.FileInfo, error) { return entry{name: b.name, size: b.file.size}, nil }
func (b *blob) Close() error               { return nil }

// Read implements [io.Reader].
func (b *blob) Read(p []byte) (int, error) {
	n, err := b.ReadAt(p, b.at)
	b.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// ReadAt implements [io.ReaderAt].
func (b *blob) ReadAt(p []byte, at int64) (n int, err error) {
	if at < 0 {
		return 0, fmt.Errorf("%s: %w", b.name, fs.ErrInvalid)
	}
	b.in.lock.Lock()
	defer b.in.lock.Unlock()
	for n < len(p) {
		from := at + int64(n)
		if from >= b.file.size {
			return n, io.EOF
		}
		block, err := b.block(from / blockSize)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], block[from%blockSize:])
	}
	return n, nil
}

// block returns a block of the file.
func (b *blob) block(number int64) (data []byte, err error) {
	at := place{b.file, number}
	if data, is := b.in.blocks[at]; is {
		return data, nil
	}
	defer func() { // what JavaScript throws: the file has changed or is gone
		if e, is := recover().(js.Error); is {
			err = fmt.Errorf("%s: %v; choose it again", b.name, e)
		}
	}()
	from := number * blockSize
	to := min(from+blockSize, b.file.size)
	got := js.Global().Call("readBlock", b.file.value, float64(from), float64(to))
	if len(b.in.order) == mostBlocks {
		data = b.in.blocks[b.in.order[0]]
		delete(b.in.blocks, b.in.order[0])
		b.in.order = b.in.order[1:]
	}
	data = slices.Grow(data[:0], int(to-from))[:to-from]
	if js.CopyBytesToGo(data, got) != len(data) {
		return nil, fmt.Errorf("%s: %w", b.name, io.ErrUnexpectedEOF)
	}
	b.in.blocks[at] = data
	b.in.order = append(b.in.order, at)
	return data, nil
}
