package write

import (
	"errors"
	"io/fs"
	"os"

	"cbkit/internal/fsys"
	"cbkit/read"
)

// Memory is a file system in memory that databases are written to: for golden tests,
// for archives, for programs in a browser. It is an [fs.FS], from which [read.OpenFS]
// reads. Several goroutines may use it at once.
type Memory struct{ files *fsys.Files }

// NewMemory returns an empty one.
func NewMemory() *Memory { return &Memory{fsys.NewFiles()} }

var (
	_ fs.ReadDirFS = (*Memory)(nil)
	_ fs.StatFS    = (*Memory)(nil)
)

// Open implements [fs.FS].
func (m *Memory) Open(name string) (fs.File, error) { return m.files.Open(name) }

// ReadDir implements [fs.ReadDirFS].
func (m *Memory) ReadDir(name string) ([]fs.DirEntry, error) { return m.files.ReadDir(name) }

// Stat implements [fs.StatFS].
func (m *Memory) Stat(name string) (fs.FileInfo, error) { return m.files.Stat(name) }

// WriteFile writes a file, with the folders that it is in, as [os.WriteFile] does.
func (m *Memory) WriteFile(name string, data []byte) error {
	f, err := m.files.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// within returns the file system to write to: memory, if there is any, in which folders
// come into being with the files, or the given one, or the machine's.
func within(m *Memory, files fsys.FS, path string) fsys.FS {
	switch {
	case m != nil:
		_ = m.files.MakeFolders(path) // what is in the way shows when a file is made
		return m.files
	case files != nil:
		return files
	}
	return fsys.OS{}
}

// findFiles finds the files of a database there.
func (m *Memory) findFiles(path string) (*read.FileSet, error) {
	if m == nil {
		return read.FindFiles(path)
	}
	return read.FindFilesFS(m, path)
}
