//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sort"
	"sync"
	"syscall/js"
	"time"
)

var errNothing = errors.New("there is no database, PGN file or book among these files; of a ChessBase database all files are needed")

// folder is what was chosen, as a file system: files by the paths that they had.
type folder struct{ files map[string]js.Value }

// newFolder takes a list of File objects.
func newFolder(list js.Value) *folder {
	f := &folder{map[string]js.Value{}}
	for i := range list.Length() {
		file := list.Index(i)
		name := file.Get("webkitRelativePath")
		if name.Type() != js.TypeString || name.String() == "" {
			name = file.Get("name")
		}
		if text := path.Clean(name.String()); fs.ValidPath(text) {
			f.files[text] = file
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
		return &blob{name: path.Base(name), file: file, size: int64(file.Get("size").Float()), blocks: map[int64][]byte{}}, nil
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
				e.size = int64(file.Get("size").Float())
			}
			list = append(list, e)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
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

// Sizes of what is read at once and kept.
const (
	blockSize  = 64 << 10
	mostBlocks = 32
)

// blob is an open file, of which the blocks that were read last are kept.
type blob struct {
	name string
	file js.Value
	size int64
	at   int64

	lock   sync.Mutex
	blocks map[int64][]byte
	order  []int64 // of the blocks, the one read first in front
}

func (b *blob) Stat() (fs.FileInfo, error) { return entry{name: b.name, size: b.size}, nil }
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
	b.lock.Lock()
	defer b.lock.Unlock()
	for n < len(p) {
		from := at + int64(n)
		if from >= b.size {
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
	if data, is := b.blocks[number]; is {
		return data, nil
	}
	defer func() { // what JavaScript throws: the file has changed or is gone
		if e, is := recover().(js.Error); is {
			err = fmt.Errorf("%s: %v; choose it again", b.name, e)
		}
	}()
	from := number * blockSize
	to := min(from+blockSize, b.size)
	got := js.Global().Call("readBlock", b.file, float64(from), float64(to))
	if len(b.order) == mostBlocks {
		data = b.blocks[b.order[0]][:0]
		delete(b.blocks, b.order[0])
		b.order = b.order[1:]
	}
	data = append(data[:0], make([]byte, to-from)...)
	if js.CopyBytesToGo(data, got) != len(data) {
		return nil, fmt.Errorf("%s: %w", b.name, io.ErrUnexpectedEOF)
	}
	b.blocks[number] = data
	b.order = append(b.order, number)
	return data, nil
}
