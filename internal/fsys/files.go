package fsys

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Files is a file system in memory. Folders come into being with what is in them.
type Files struct {
	mu    sync.Mutex
	nodes map[string]*node
}

// node is a file or folder.
type node struct {
	Memory
	folder  bool
	mode    fs.FileMode
	changed time.Time
}

// NewFiles returns a file system with one empty folder, ".".
func NewFiles() *Files {
	return &Files{nodes: map[string]*node{".": {folder: true, mode: 0o777, changed: time.Now()}}}
}

// failed is the error of an operation.
func failed(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

// at returns what has a name.
func (f *Files) at(op, name string) (*node, error) {
	if n := f.nodes[slashed(name)]; n != nil {
		return n, nil
	}
	return nil, failed(op, name, fs.ErrNotExist)
}

// MakeFolders makes the folder of a name, and those that it is in.
func (f *Files) MakeFolders(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.makeFolders(name)
}

// makeFolders makes the folder of a name, and those that it is in.
func (f *Files) makeFolders(name string) error {
	for dir := path.Dir(slashed(name)); ; dir = path.Dir(dir) {
		switch n := f.nodes[dir]; {
		case n == nil && dir != "/":
			f.nodes[dir] = &node{folder: true, mode: 0o777, changed: time.Now()}
		case n != nil && !n.folder:
			return failed("open", name, errors.New("not a folder"))
		default:
			return nil
		}
	}
}

// OpenFile implements [FS].
func (f *Files) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.at("open", name)
	switch {
	case err != nil && flag&os.O_CREATE == 0:
		return nil, err
	case err != nil:
		if err := f.makeFolders(name); err != nil {
			return nil, err
		}
		n = &node{mode: perm.Perm(), changed: time.Now()}
		f.nodes[slashed(name)] = n
	case flag&os.O_EXCL != 0:
		return nil, failed("open", name, fs.ErrExist)
	case flag&os.O_TRUNC != 0:
		n.Memory, n.changed = Memory{}, time.Now()
	}
	return &openFileInMemory{files: f, name: slashed(name), node: n}, nil
}

// Open implements [fs.FS].
func (f *Files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, failed("open", name, fs.ErrInvalid)
	}
	file, err := f.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	return file.(fs.File), nil
}

// Mkdir implements [FS].
func (f *Files) Mkdir(name string, perm fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.nodes[slashed(name)] != nil {
		return failed("mkdir", name, fs.ErrExist)
	}
	f.nodes[slashed(name)] = &node{folder: true, mode: perm.Perm(), changed: time.Now()}
	return f.makeFolders(name)
}

// Rename implements [FS].
func (f *Files) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.at("rename", from); err != nil {
		return err
	}
	from, to = slashed(from), slashed(to)
	if f.nodes[to] != nil {
		return failed("rename", to, fs.ErrExist)
	}
	for _, name := range slices.Collect(maps.Keys(f.nodes)) {
		if rest, within := strings.CutPrefix(name, from); within && (rest == "" || rest[0] == '/') {
			f.nodes[to+rest] = f.nodes[name]
			delete(f.nodes, name)
		}
	}
	return f.makeFolders(to)
}

// Remove implements [FS].
func (f *Files) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.at("remove", name); err != nil {
		return err
	}
	for other := range f.nodes {
		if other != "." && path.Dir(other) == slashed(name) {
			return failed("remove", name, errors.New("folder not empty"))
		}
	}
	delete(f.nodes, slashed(name))
	return nil
}

// ReadDir implements [FS] and [fs.ReadDirFS].
func (f *Files) ReadDir(name string) ([]fs.DirEntry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.at("readdir", name); err != nil {
		return nil, err
	}
	var list []fs.DirEntry
	for _, other := range slices.Sorted(maps.Keys(f.nodes)) {
		if other != "." && path.Dir(other) == slashed(name) {
			list = append(list, fs.FileInfoToDirEntry(f.nodes[other].info(other)))
		}
	}
	return list, nil
}

// Stat implements [FS] and [fs.StatFS].
func (f *Files) Stat(name string) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.at("stat", name)
	if err != nil {
		return nil, err
	}
	return n.info(name), nil
}

// Lstat implements [FS]; there are no links.
func (f *Files) Lstat(name string) (fs.FileInfo, error) { return f.Stat(name) }

// Chmod implements [FS].
func (f *Files) Chmod(name string, mode fs.FileMode) error {
	return f.change("chmod", name, func(n *node) { n.mode = mode.Perm() })
}

// Chtimes implements [FS].
func (f *Files) Chtimes(name string, changed time.Time) error {
	return f.change("chtimes", name, func(n *node) { n.changed = changed })
}

// SyncDir implements [FS]: nothing is ever lost.
func (f *Files) SyncDir(string) error { return nil }

func (f *Files) change(op, name string, do func(*node)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.at(op, name)
	if err == nil {
		do(n)
	}
	return err
}

// openFileInMemory is an open file. It stays what it is when it gets another name or is
// removed.
type openFileInMemory struct {
	files  *Files
	name   string
	node   *node
	pos    int64
	closed bool
}

// use calls do with the file, unless it is closed.
func (f *openFileInMemory) use(op string, do func() (int, error)) (int, error) {
	f.files.mu.Lock()
	defer f.files.mu.Unlock()
	if f.closed {
		return 0, failed(op, f.name, fs.ErrClosed)
	}
	return do()
}

func (f *openFileInMemory) ReadAt(b []byte, off int64) (int, error) {
	return f.use("read", func() (int, error) { return f.node.ReadAt(b, off) })
}

func (f *openFileInMemory) Read(b []byte) (int, error) {
	n, err := f.ReadAt(b, f.pos)
	f.pos += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (f *openFileInMemory) WriteAt(b []byte, off int64) (int, error) {
	return f.use("write", func() (int, error) {
		f.node.changed = time.Now()
		return f.node.WriteAt(b, off)
	})
}

func (f *openFileInMemory) Write(b []byte) (int, error) {
	n, err := f.WriteAt(b, f.pos)
	f.pos += int64(n)
	return n, err
}

func (f *openFileInMemory) Seek(offset int64, whence int) (int64, error) {
	_, err := f.use("seek", func() (int, error) {
		switch whence {
		case io.SeekCurrent:
			offset += f.pos
		case io.SeekEnd:
			offset += f.node.Size()
		}
		if offset < 0 {
			return 0, failed("seek", f.name, fs.ErrInvalid)
		}
		f.pos = offset
		return 0, nil
	})
	return f.pos, err
}

func (f *openFileInMemory) Truncate(size int64) error {
	_, err := f.use("truncate", func() (int, error) {
		f.node.changed = time.Now()
		return 0, f.node.Truncate(size)
	})
	return err
}

func (f *openFileInMemory) Sync() error { return nil }

func (f *openFileInMemory) Stat() (fs.FileInfo, error) {
	f.files.mu.Lock()
	defer f.files.mu.Unlock()
	return f.node.info(f.name), nil
}

// ReadDir implements [fs.ReadDirFile].
func (f *openFileInMemory) ReadDir(n int) ([]fs.DirEntry, error) {
	list, err := f.files.ReadDir(f.name)
	if err != nil {
		return nil, err
	}
	list = list[min(int(f.pos), len(list)):]
	if n > 0 {
		if len(list) == 0 {
			return nil, io.EOF
		}
		list = list[:min(n, len(list))]
	}
	f.pos += int64(len(list))
	return list, nil
}

func (f *openFileInMemory) Close() error {
	f.closed = true
	return nil
}

// nodeInfo describes a file or folder as it was.
type nodeInfo struct {
	name    string
	size    int64
	mode    fs.FileMode
	changed time.Time
	node    *node
}

func (n *node) info(name string) nodeInfo {
	mode := n.mode
	if n.folder {
		mode |= fs.ModeDir
	}
	return nodeInfo{path.Base(slashed(name)), n.Size(), mode, n.changed, n}
}

func (i nodeInfo) Name() string       { return i.name }
func (i nodeInfo) Size() int64        { return i.size }
func (i nodeInfo) Mode() fs.FileMode  { return i.mode }
func (i nodeInfo) ModTime() time.Time { return i.changed }
func (i nodeInfo) IsDir() bool        { return i.mode.IsDir() }
func (i nodeInfo) Sys() any           { return i.node }
