package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Ending is the ending of the name of a journal.
const Ending = dbfile.SuffixJournal

// Endings of working files.
const (
	newEnding     = dbfile.SuffixJournalNew
	scratchEnding = dbfile.SuffixScratch
	editEnding    = dbfile.SuffixEdit
	undoEnding    = dbfile.SuffixUndo
	dropEnding    = dbfile.SuffixDrop
)

// place is the folder of a set and the name that its files have in common.
type place struct {
	fs   fsys.FS
	dir  string
	main string // the main file's name in the folder
	base string // the same without its ending
	// names says which files are the set's, as of the last look.
	names *dbfile.Names
}

func newPlace(files fsys.FS, main string) place {
	name := filepath.Base(main)
	base, _ := dbfile.Split(name)
	return place{fs: files, dir: filepath.Dir(main), main: name, base: base}
}

// findPlace is newPlace for a main file that can be spelt otherwise in its folder.
func findPlace(files fsys.FS, main string) (place, error) {
	p := newPlace(files, main)
	return p, p.look()
}

// look looks at which files of the folder belong to the set.
func (p *place) look() error {
	entries, err := p.fs.ReadDir(p.dir)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		if _, suffix := dbfile.OurOwn(e.Name()); !e.IsDir() || suffix != "" {
			names = append(names, e.Name())
		}
	}
	p.names, err = dbfile.Find(p.path(p.main), names, dbfile.FormatOf(dbfile.EndingOf(p.main)).Takes)
	if err == nil {
		p.main, p.base = p.names.Main, p.names.Stem
	}
	return err
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

// journal is the name of the journal, with the folder.
func (p *place) journal() string { return p.path(p.base + Ending) }

// belongs reports whether a name is that of a file of the set.
func (p *place) belongs(name string) bool { return p.names.Belongs(name) }

// exists reports whether there is a regular file of a name. Anything else of
// that name is an error.
func (p *place) exists(name string) (bool, error) {
	info, err := p.lookAt(name)
	return info != nil, err
}

// lookAt describes the regular file of a name, nil if there is none. Anything else
// of that name is an error.
func (p *place) lookAt(name string) (fs.FileInfo, error) {
	info, err := p.fs.Lstat(p.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w; cbkit did not put it there: move it away", p.path(name), fsys.ErrNotRegular)
	}
	return info, nil
}

// Interrupted returns the name of the journal that lies beside the main file of
// a set, "" if there is none or it is that of another set of that name. The set
// is being changed now, or was when its writer was killed.
func Interrupted(files fsys.FS, main string) (string, error) {
	p := newPlace(files, main)
	switch there, err := p.exists(p.base + Ending); {
	case errors.Is(err, fsys.ErrNotRegular):
		return p.journal(), nil
	case !there:
		return "", err
	}
	if owner, err := p.owner(); err == nil && !p.isMain(owner) {
		return "", nil
	}
	return p.journal(), nil // also one that cannot be read
}

// isMain reports whether a name is that of the main file, whose ending may be spelt
// otherwise.
func (p *place) isMain(name string) bool { return dbfile.SameName(name, p.main) }

// owner returns the main file that the journal is of.
func (p *place) owner() (string, error) {
	in, err := p.fs.OpenFile(p.journal(), os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer in.Close()
	r, err := newEntryReader(p.journal(), in)
	if err != nil {
		return "", err
	}
	e, err := r.next()
	switch {
	case err == nil && e.kind != kindSet:
		err = r.wrong(0, errors.New("it does not begin with its main file"))
	case err == nil && !dbfile.SameStem(e.name, p.base):
		err = fmt.Errorf("%s: %w: is about %q, which had another name when a change of it was interrupted; rename all files back to %s, "+
			"run cbkit recover, and rename them then; or remove the journal to keep the files as they are",
			p.journal(), model.ErrNeedsRecovery, e.name, dbfile.StemOf(e.name)+".*")
	}
	return e.name, err
}

// remove removes a file if it is there.
func (p *place) remove(name string) error {
	if err := p.fs.Remove(p.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// clear removes the working files that a crash has left behind, and the old
// files of a commit that was done. It returns their names.
func (p *place) clear() (cleared []string, err error) {
	left, err := p.working()
	if err != nil {
		return nil, err
	}
	for _, name := range left {
		of, _ := p.names.WorksOn(name)
		if len(cleared) == 0 {
			// The journal may have gone without the disk knowing it, and needs
			// them if it comes back.
			if err := p.fs.SyncDir(p.dir); err != nil {
				return nil, err
			}
		}
		if name == of+undoEnding {
			if there, err := p.exists(of); err != nil || !there {
				return cleared, errors.Join(err, fmt.Errorf("%s: the journal of an interrupted change is missing, and so is %s, "+
					"which this file was; rename it back or restore the files from a backup", p.path(name), of))
			}
		}
		if err := p.fs.Remove(p.path(name)); err != nil {
			return cleared, err
		}
		cleared = append(cleared, name)
	}
	if len(cleared) == 0 {
		return nil, nil
	}
	return cleared, p.fs.SyncDir(p.dir)
}

// working lists the working files that lie beside the set.
func (p *place) working() (names []string, err error) {
	entries, err := p.fs.ReadDir(p.dir)
	for _, e := range entries {
		if _, working := p.names.WorksOn(e.Name()); working && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, err
}
