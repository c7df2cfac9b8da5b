package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"

	"cbkit/internal/dbfile"
)

// FS returns the files of the archive as a file system. Its files are read
// anywhere without unpacking the rest ([io.ReaderAt], [io.Seeker]); every block
// is checked when it is read, and the end of a file against its size. Members
// with an Err are not there.
func (a *Archive) FS() fs.FS { return fileSystem{a} }

// Open opens a member to be read from its beginning to its end, or anywhere;
// see [Archive.FS].
func (a *Archive) Open(member int) (fs.File, error) {
	if a.closed.Load() {
		return nil, fmt.Errorf("%s: %w", a.name, fs.ErrClosed)
	}
	if err := a.members[member].Err; err != nil {
		return nil, err
	}
	return &file{a: a, member: member}, nil
}

// fileSystem implements [fs.FS], [fs.ReadDirFS] and [fs.StatFS].
type fileSystem struct{ a *Archive }

// tree is the folders of an archive.
type tree struct {
	files   map[string]int           // member by name
	folders map[string][]fs.DirEntry // what is in a folder, by name
}

// makeTree sorts the members into their folders.
func (a *Archive) makeTree() *tree {
	t := &tree{files: map[string]int{}, folders: map[string][]fs.DirEntry{".": nil}}
	for i := range a.members {
		m := &a.members[i]
		if m.Err != nil {
			continue
		}
		t.files[m.Name] = i
		t.add(m.Name, fileInfo{m})
	}
	for _, entries := range t.folders {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	}
	return t
}

// add puts a file or folder into its folder, which is made if need be.
func (t *tree) add(name string, info fs.FileInfo) {
	folder := path.Dir(name)
	if _, there := t.folders[folder]; !there {
		t.folders[folder] = nil
		t.add(folder, folderInfo(path.Base(folder)))
	}
	t.folders[folder] = append(t.folders[folder], fs.FileInfoToDirEntry(info))
}

// Open implements [fs.FS].
func (f fileSystem) Open(name string) (fs.File, error) {
	t := f.a.tree()
	if i, there := t.files[name]; there {
		return f.a.Open(i)
	}
	entries, err := f.ReadDir(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.Unwrap(err)}
	}
	return &folder{info: folderInfo(path.Base(name)), rest: entries}, nil
}

// ReadDir implements [fs.ReadDirFS].
func (f fileSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	entries, there := f.a.tree().folders[name]
	if !there {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return slices.Clone(entries), nil
}

// Stat implements [fs.StatFS].
func (f fileSystem) Stat(name string) (fs.FileInfo, error) {
	t := f.a.tree()
	if i, there := t.files[name]; there {
		return fileInfo{&f.a.members[i]}, nil
	}
	if _, there := t.folders[name]; there {
		return folderInfo(path.Base(name)), nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// file is an open member.
type file struct {
	a      *Archive
	member int
	offset int64
	closed bool
}

// Stat implements [fs.File].
func (f *file) Stat() (fs.FileInfo, error) { return fileInfo{&f.a.members[f.member]}, nil }

// Read implements [fs.File].
func (f *file) Read(b []byte) (int, error) {
	if f.closed {
		return 0, fs.ErrClosed
	}
	if len(b) == 0 {
		return 0, nil
	}
	n, err := f.a.readAt(f.member, b, f.offset)
	f.offset += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// ReadAt implements [io.ReaderAt].
func (f *file) ReadAt(b []byte, offset int64) (int, error) {
	if f.closed {
		return 0, fs.ErrClosed
	}
	if offset < 0 {
		return 0, &fs.PathError{Op: "readat", Path: f.a.members[f.member].Name, Err: fs.ErrInvalid}
	}
	return f.a.readAt(f.member, b, offset)
}

// Seek implements [io.Seeker].
func (f *file) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += f.a.members[f.member].Size
	}
	if offset < 0 {
		return 0, &fs.PathError{Op: "seek", Path: f.a.members[f.member].Name, Err: fs.ErrInvalid}
	}
	f.offset = offset
	return offset, nil
}

// Close implements [fs.File].
func (f *file) Close() error {
	if f.closed {
		return fs.ErrClosed
	}
	f.closed = true
	return nil
}

// fileInfo describes a member.
type fileInfo struct{ m *Member }

func (i fileInfo) Name() string      { return path.Base(i.m.Name) }
func (i fileInfo) Size() int64       { return i.m.Size }
func (i fileInfo) Mode() fs.FileMode { return 0o444 }
func (i fileInfo) IsDir() bool       { return false }
func (i fileInfo) Sys() any          { return nil }

// ModTime implements [fs.FileInfo]; it is zero where the archive has no date.
func (i fileInfo) ModTime() time.Time {
	t, _ := i.m.Stamp.In(time.Local)
	return t
}

// folderInfo is the name of a folder.
type folderInfo string

func (i folderInfo) Name() string       { return string(i) }
func (i folderInfo) Size() int64        { return 0 }
func (i folderInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (i folderInfo) IsDir() bool        { return true }
func (i folderInfo) Sys() any           { return nil }
func (i folderInfo) ModTime() time.Time { return time.Time{} }

// folder is an open folder.
type folder struct {
	info folderInfo
	rest []fs.DirEntry
}

// Stat implements [fs.File].
func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }

// Read implements [fs.File]: a folder has no content.
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: string(f.info), Err: fs.ErrInvalid}
}

// Close implements [fs.File].
func (f *folder) Close() error { return nil }

// ReadDir implements [fs.ReadDirFile].
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.rest)
	} else if len(f.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.rest))
	entries := f.rest[:n]
	f.rest = f.rest[n:]
	return entries, nil
}

// Databases returns the names of the main files of the ChessBase databases in the
// archive, in the order of the table; after Close there are none.
func (a *Archive) Databases() []string {
	var names []string
	for _, m := range a.Members() {
		if m.Err == nil && dbfile.Is(m.Name, mainEnding) {
			names = append(names, m.Name)
		}
	}
	return names
}
