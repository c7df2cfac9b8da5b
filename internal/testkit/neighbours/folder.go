package neighbours

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is a folder of the machine as a disk. It keeps the first error, but for links,
// which not every system has.
type folder struct {
	dir string
	of  func(name string) bool // whose contents Files is asked for
	err error
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }

func (f *folder) note(err error) { f.err = cmp.Or(f.err, err) }

// Lstat implements disk.
func (f *folder) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(f.path(name)) }

// Mkdir implements disk.
func (f *folder) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(f.path(name), perm) }

// Remove implements disk.
func (f *folder) Remove(name string) error { return os.Remove(f.path(name)) }

// WriteFile implements disk.
func (f *folder) WriteFile(name string, data []byte) {
	f.note(os.WriteFile(f.path(name), data, 0o666))
}

// Link implements disk.
func (f *folder) Link(name, second string) { _ = os.Link(f.path(name), f.path(second)) }

// Symlink implements disk.
func (f *folder) Symlink(to, name string) { _ = os.Symlink(to, f.path(name)) }

// Files returns the contents of all files by their names; a link has "-> " and where it
// leads.
func (f *folder) Files() map[string][]byte {
	files := map[string][]byte{}
	f.note(filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.dir, path)
		if err != nil {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			files[name] = append([]byte("-> "), to...)
			return err
		}
		files[name] = nil
		if f.of(name) {
			files[name], err = os.ReadFile(path)
		}
		return err
	}))
	return files
}
