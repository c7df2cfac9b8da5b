package parquet

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// The files of a part change places in five steps, each on the disk before the next
// begins:
//
//	1  the new files and their manifest, under the names they have while they are written
//	2  the old manifest goes
//	3  the old files go
//	4  the new ones get their names
//	5  the manifest gets its name
//
// So no files of two runs are ever there together. A run that is stopped before step 2
// leaves all as it was. One that is stopped later leaves a part that is not complete: there
// is a manifest under the name of step 1, and none under its own. [Open] refuses the files
// of such a part, and the next run removes them.

// Patterns of names: of a file that is complete, one that is being written, and a manifest
// that is. All have the database, the number of the part and that of parts in groups.
var (
	fileOfPart     = regexp.MustCompile(`^(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.parquet$`)
	writingOfPart  = regexp.MustCompile(`^\.(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.parquet\.[0-9]+-[0-9]+\.cbkit-writing$`)
	manifestOfPart = regexp.MustCompile(`^\.(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.cbkit-writing$`)
	// What earlier versions left in the place of such a manifest; the old one is there, too.
	placingOfPart = regexp.MustCompile(`^(.+)\.([0-9]+)-of-([0-9]+)\.cbkit-placing$`)
)

// part names the part in names of files.
func (f *folder) part() string { return fmt.Sprintf("%s.%d-of-%d", f.name, f.opt.Part, f.opt.Parts) }

// isOfPart reports whether a name is of the part, by one of the patterns.
func (f *folder) isOfPart(pattern *regexp.Regexp, name string) bool {
	m := pattern.FindStringSubmatch(name)
	return m != nil && m[1] == f.name && m[2] == strconv.Itoa(f.opt.Part) && m[3] == strconv.Itoa(f.opt.Parts)
}

// place takes steps 2 to 5, and says whether the manifest has its name.
func (f *folder) place(manifest string, old []string) (placed bool, err error) {
	name := filepath.Join(f.path, f.manifestName())
	if err := f.files.SyncDir(f.path); err != nil {
		return false, err
	}
	if err := f.files.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := f.files.SyncDir(f.path); err != nil {
		return false, err
	}
	for _, name := range old {
		if err := f.files.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	if err := f.syncTables(); err != nil {
		return false, err
	}
	for _, n := range f.done {
		if err := f.files.Rename(filepath.Join(n.dir, n.temp), filepath.Join(n.dir, n.name)); err != nil {
			return false, err
		}
	}
	if err := f.syncTables(); err != nil {
		return false, err
	}
	if err := f.files.Rename(manifest, name); err != nil {
		_, there := f.files.Lstat(manifest)
		return errors.Is(there, fs.ErrNotExist), err // a renaming that failed may have been done
	}
	return true, f.files.SyncDir(f.path)
}

// syncTables puts names in the folders of tables on the disk.
func (f *folder) syncTables() error {
	for _, t := range []Table{Games, Positions} {
		if err := f.files.SyncDir(f.dir(t)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// settle removes what a run of the part that was stopped has left: files that are being
// written, and all of a part that is not complete, which it reports. The part must be locked.
func (f *folder) settle() (gone bool, err error) {
	manifests, err := f.find(manifestOfPart, ".")
	if err != nil {
		return false, err
	}
	placing, err := f.find(placingOfPart, ".")
	if err != nil {
		return false, err
	}
	names, err := f.find(writingOfPart, string(Games), string(Positions))
	if err != nil {
		return false, err
	}
	if manifests = append(manifests, placing...); len(manifests) > 0 {
		switch _, err := f.files.Lstat(filepath.Join(f.path, f.manifestName())); {
		case err == nil && len(placing) == 0:
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return false, err
		default:
			complete, err := f.find(fileOfPart, string(Games), string(Positions))
			if err != nil {
				return false, err
			}
			gone, names = true, append(names, complete...)
			// The manifest must not come back without its files.
			if err := f.files.SyncDir(f.path); err != nil {
				return false, err
			}
		}
	}
	for _, name := range names {
		if err := f.files.Remove(name); err != nil {
			return gone, err
		}
	}
	if gone {
		if err := f.syncTables(); err != nil {
			return gone, err
		}
	}
	for _, name := range manifests {
		if err := f.files.Remove(name); err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// find returns the files of the part in some folders whose names fit a pattern.
func (f *folder) find(pattern *regexp.Regexp, dirs ...string) (names []string, err error) {
	for _, dir := range dirs {
		entries, err := f.files.ReadDir(filepath.Join(f.path, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if f.isOfPart(pattern, e.Name()) {
				names = append(names, filepath.Join(f.path, dir, e.Name()))
			}
		}
	}
	return names, nil
}

// checkPlaced returns an error if a part of the database that a file in a folder is of is
// not complete: rows may be missing.
func checkPlaced(files fsys.ReadFS, path string) error {
	m := fileOfPart.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return nil
	}
	out := filepath.Join(filepath.Dir(path), "..")
	entries, _ := files.ReadDir(out) // where that is not allowed, what is there is read
	for _, e := range entries {
		p, placing := manifestOfPart.FindStringSubmatch(e.Name()), placingOfPart.FindStringSubmatch(e.Name())
		if placing != nil {
			p = placing
		}
		if p == nil || p[1] != m[1] {
			continue
		}
		opt := Options{}
		opt.Part, _ = strconv.Atoi(p[2])
		opt.Parts, _ = strconv.Atoi(p[3])
		f := folder{name: p[1], opt: &opt}
		if _, err := files.Stat(filepath.Join(out, f.manifestName())); placing != nil || errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w: the files of part %s of %s are being replaced; if no program is at work there any more, write the tables again",
				path, model.ErrNeedsRecovery, p[2], p[3])
		}
	}
	return nil
}
