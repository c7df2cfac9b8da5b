package atomicset

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
)

// Listing lists a folder once for all sets that one run makes in it, so that a set
// costs the same however many others are there. It keeps up with what these sets do.
// What others do in the folder meanwhile it sees where it was asked about the same set
// before; else their files stay because nothing is ever renamed onto what is there.
// The zero value is ready to use, for the folder of the first set. Several goroutines
// may use it at once.
type Listing struct {
	mu   sync.Mutex
	dir  string
	sets map[string]map[string]fs.DirEntry // by keys and names; nil before it was read
	done map[string]bool                   // keys of sets that were released: they are listed anew
}

// listed is a file system with a listing of one of its folders.
type listed struct {
	fsys.FS
	list *Listing
}

// over returns files whose changes in a folder the listing sees.
func (l *Listing) over(files fsys.FS, dir string) fsys.FS {
	if l == nil {
		return files
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sets == nil {
		l.dir = dir
	}
	if l.dir != dir {
		return files
	}
	return listed{files, l}
}

// put enters a name with what has it, nil if that is to be looked for. It is of the sets that
// it can belong to: files that a commit has taken out of their places have two.
func (l *Listing) put(name string, e fs.DirEntry) {
	of, _ := dbfile.OurOwn(name)
	for _, key := range slices.Compact([]string{dbfile.SetKey(name), dbfile.SetKey(of)}) {
		if l.sets[key] == nil {
			l.sets[key] = map[string]fs.DirEntry{}
		}
		l.sets[key][name] = e
	}
}

// named lists what has a name that can be of the set with that main file.
func (l listed) named(main string) ([]fs.DirEntry, error) {
	l.list.mu.Lock()
	defer l.list.mu.Unlock()
	key := dbfile.SetKey(main)
	if l.list.sets == nil || l.list.done[key] {
		entries, err := l.ReadDir(l.list.dir)
		if err != nil || l.list.sets != nil {
			return entries, err
		}
		l.list.sets, l.list.done = map[string]map[string]fs.DirEntry{}, map[string]bool{}
		for _, e := range entries {
			l.list.put(e.Name(), e)
		}
	}
	set := l.list.sets[key]
	var entries []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if set[name] == nil {
			info, err := l.Lstat(filepath.Join(l.list.dir, name))
			if errors.Is(err, fs.ErrNotExist) {
				delete(set, name)
				continue
			}
			if err != nil {
				return nil, err
			}
			set[name] = fs.FileInfoToDirEntry(info)
		}
		entries = append(entries, set[name])
	}
	return entries, nil
}

// release forgets the set with that main file.
func (l *Listing) release(main string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if key := dbfile.SetKey(main); l.sets != nil {
		delete(l.sets, key)
		l.done[key] = true
	}
}

// changed notes a name that was made, moved or removed, or that a failed call may have.
func (l listed) changed(name string) {
	l.list.mu.Lock()
	defer l.list.mu.Unlock()
	if filepath.Dir(name) == l.list.dir && l.list.sets != nil {
		l.list.put(filepath.Base(name), nil)
	}
}

// OpenFile implements [fsys.FS].
func (l listed) OpenFile(name string, flag int, perm fs.FileMode) (fsys.File, error) {
	if flag&os.O_CREATE != 0 {
		defer l.changed(name)
	}
	return l.FS.OpenFile(name, flag, perm)
}

// Mkdir implements [fsys.FS].
func (l listed) Mkdir(name string, perm fs.FileMode) error {
	defer l.changed(name)
	return l.FS.Mkdir(name, perm)
}

// Rename implements [fsys.FS].
func (l listed) Rename(from, to string) error {
	defer func() { l.changed(from); l.changed(to) }()
	return l.FS.Rename(from, to)
}

// Remove implements [fsys.FS].
func (l listed) Remove(name string) error {
	defer l.changed(name)
	return l.FS.Remove(name)
}
