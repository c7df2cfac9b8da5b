package read

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"cbkit/model"
)

// FileSet is the files of one database, by ending.
type FileSet struct {
	// Dir is the folder, Base the common name without ending, both as they
	// are on disk.
	Dir, Base string
	names     map[string]string // lower-case ending with its dot -> file name
	folders   []string
}

// mediaFolders are the endings of folders that programs keep media in.
var mediaFolders = []string{".html", ".bmp", ".wav", ".wmv", ".avi", ".mpg"}

// FindFiles lists the files that belong to the database that path names: all
// files in its folder with the same name and any ending. Names match whatever
// their case, as on the systems the formats come from.
func FindFiles(path string) (*FileSet, error) {
	dir, file := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder; name a database file in it", path)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, plainPathError(err))
	}
	base := strings.TrimSuffix(file, filepath.Ext(file))
	set := newFileSet(dir, base, entries)
	if len(set.names) == 0 && base != file {
		// The name may have dots of its own and no ending.
		set = newFileSet(dir, file, entries)
	}
	if len(set.names) == 0 {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return set, nil
}

func newFileSet(dir, base string, entries []fs.DirEntry) *FileSet {
	set := &FileSet{Dir: dir, Base: base, names: map[string]string{}}
	for _, e := range entries {
		ext := strings.ToLower(filepath.Ext(e.Name()))
		stem := e.Name()[:len(e.Name())-len(ext)]
		if ext == "" || !strings.EqualFold(stem, base) {
			continue
		}
		if e.IsDir() {
			if !slices.Contains(mediaFolders, ext) {
				continue
			}
			set.folders = append(set.folders, e.Name())
			continue
		}
		// Of two names that differ in case alone the exact one is meant.
		if _, seen := set.names[ext]; !seen || stem == base {
			set.names[ext] = e.Name()
		}
	}
	return set
}

// plainPathError drops the operation and the path from an error of the os
// package.
func plainPathError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Has reports whether there is a file with the given ending, such as ".cbg".
func (s *FileSet) Has(ext string) bool { return s.names[ext] != "" }

// Name returns the name of the file with the given ending as it is on disk;
// of a file that is missing, the name it would have.
func (s *FileSet) Name(ext string) string {
	if name := s.names[ext]; name != "" {
		return name
	}
	return s.Base + ext
}

// Path returns the file's name with its folder.
func (s *FileSet) Path(ext string) string { return filepath.Join(s.Dir, s.Name(ext)) }

// Endings returns the endings of all files, sorted.
func (s *FileSet) Endings() []string {
	list := make([]string, 0, len(s.names))
	for ext := range s.names {
		list = append(list, ext)
	}
	sort.Strings(list)
	return list
}

// Folders returns the names of the folders with media that the database has
// beside it, such as "Games.html".
func (s *FileSet) Folders() []string { return s.folders }

// open opens a file of the set. A missing file gives nil and no error unless
// it is mandatory.
func (s *FileSet) open(ext string, mandatory bool) (*file, error) {
	if !s.Has(ext) {
		if mandatory {
			return nil, fmt.Errorf("%s: the file is missing; the database cannot be read without it", s.Name(ext))
		}
		return nil, nil
	}
	f, err := os.Open(s.Path(ext))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name(ext), plainPathError(err))
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", s.Name(ext), plainPathError(err))
	}
	if !info.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("%s: %w: not a regular file", s.Name(ext), model.ErrNotDatabase)
	}
	return &file{File: f, name: s.Name(ext), size: info.Size()}, nil
}
