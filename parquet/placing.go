package parquet

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"

	"cbkit/internal/fsys"
	"cbkit/internal/jobs"
	"cbkit/model"
)

// The files of a part change places in six steps, each on the disk before the next
// begins:
//
//	1  the new files, their manifest and a mark, under the names of what is being written
//	2  the old manifest goes
//	3  the old files go
//	4  the new ones get their names
//	5  the manifest gets its name
//	6  the mark goes
//
// So no files of two runs are ever there together. A run that is stopped before step 2
// leaves all as it was. One that is stopped later leaves a part that is not complete: there
// is a mark, and no manifest under its own name. [Open] refuses the files of such a part, and
// the next run removes them. The mark is a file of its own because a disk may lose a new name
// and keep the loss of the old one.

// Patterns of names: of a file that is complete, one that is being written, and a manifest
// or mark that is. All have the database, the number of the part and that of parts in groups.
var (
	fileOfPart     = regexp.MustCompile(`^(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.parquet$`)
	writingOfPart  = regexp.MustCompile(`^\.(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.parquet\.[0-9]+-[0-9]+\.cbkit-writing$`)
	manifestOfPart = regexp.MustCompile(`^\.(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.cbkit-writing$`)
)

// part names the part in names of files.
func (f *folder) part() string { return fmt.Sprintf("%s.%d-of-%d", f.name, f.opt.Part, f.opt.Parts) }

// partOf returns the part that a name is of, by one of the patterns, or "".
func partOf(pattern *regexp.Regexp, name string) string {
	return pattern.ReplaceAllString(pattern.FindString(name), "$1.$2-of-$3")
}

// place takes steps 2 to 6, and says whether the manifest has its name.
func (f *folder) place(manifest, mark string, old []string) (placed bool, err error) {
	name := filepath.Join(f.path, manifestName(f.part()))
	sync := func() error { return f.files.SyncDir(f.path) }
	remove := func(names ...string) func() error { return func() error { return f.remove(names) } }
	if err := jobs.InTurn(sync, remove(name), sync, remove(old...), f.syncTables, f.rename, f.syncTables); err != nil {
		return false, err
	}
	if err := f.files.Rename(manifest, name); err != nil {
		if _, there := f.files.Lstat(manifest); errors.Is(there, fs.ErrNotExist) { // it was done all the same
			return true, fmt.Errorf("%s: %w: %w", f.path, model.ErrUncertain, err)
		}
		return false, err
	}
	if err := sync(); err != nil {
		return true, fmt.Errorf("%s: %w: %w", f.path, model.ErrUncertain, err)
	}
	if err = jobs.InTurn(remove(mark), sync); err != nil {
		err = fmt.Errorf("%s: %w: %w", f.path, model.ErrCommitted, err)
	}
	return true, err
}

// remove removes files, those that are there.
func (f *folder) remove(names []string) error {
	for _, name := range names {
		if err := f.files.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// rename gives the new files their names.
func (f *folder) rename() error {
	for _, n := range f.done {
		if err := f.files.Rename(filepath.Join(n.dir, n.temp), filepath.Join(n.dir, n.name)); err != nil {
			return err
		}
	}
	return nil
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
	names, err := f.find(writingOfPart, string(Games), string(Positions))
	if err != nil {
		return false, err
	}
	if len(manifests) > 0 {
		// The manifest must not come back without its files, nor go where no mark is.
		if err := f.files.SyncDir(f.path); err != nil {
			return false, err
		}
		switch _, err := f.files.Lstat(filepath.Join(f.path, manifestName(f.part()))); {
		case err == nil:
		case !errors.Is(err, fs.ErrNotExist):
			return false, err
		default:
			complete, err := f.find(fileOfPart, string(Games), string(Positions))
			if err != nil {
				return false, err
			}
			gone, names = true, append(names, complete...)
		}
	}
	if err := f.remove(names); err != nil {
		return gone, err
	}
	if gone {
		if err := f.syncTables(); err != nil {
			return gone, err
		}
	}
	return gone, f.remove(manifests)
}

// find returns the files of the part in some folders whose names fit a pattern.
func (f *folder) find(pattern *regexp.Regexp, dirs ...string) (names []string, err error) {
	for _, dir := range dirs {
		entries, err := f.files.ReadDir(filepath.Join(f.path, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if partOf(pattern, e.Name()) == f.part() {
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
		p := manifestOfPart.FindStringSubmatch(e.Name())
		if p == nil || p[1] != m[1] {
			continue
		}
		if _, err := files.Stat(filepath.Join(out, manifestName(partOf(manifestOfPart, e.Name())))); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w: the files of part %s of %s are being replaced; if no program is at work there any more, write the tables again",
				path, model.ErrNeedsRecovery, p[2], p[3])
		}
	}
	return nil
}
