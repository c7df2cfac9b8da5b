package check

import (
	"fmt"
	"path/filepath"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
)

// database is an open ChessBase database, however damaged.
type database struct {
	set      *read.FileSet
	watch    *read.Watch
	stored   *cbhdb.DB
	page     cbh.CodePage
	selected selection

	files      map[string]*dbfile.File // by ending; missing ones are absent
	unreadable map[string]error        // files that cannot be opened

	// The files with the records. One whose header is damaged, and one that is
	// not there, is nil.
	headers            *cbhdb.HeaderFile
	extensions         *cbhdb.ExtensionFile
	moves, annotations *cbhdb.Blocks
	headErrs           map[string]error

	count    model.RecordID // records of the .cbh file
	extCount model.RecordID // those of them that the .cbj file has too
	old      bool           // only old programs have written it; see findAge
}

// openDatabase opens the files of the database that path names and reads the
// headers of the four large ones. The options may choose among the known
// endings.
func openDatabase(path string, opt *Options, known []string) (*database, error) {
	selected, err := opt.selection(known)
	if err != nil {
		return nil, err
	}
	page, err := opt.page()
	if err != nil {
		return nil, err
	}
	set, watch, err := findWatched(opt, path)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(cbh.NewFileExts, set.Has) {
		return nil, fmt.Errorf("%s: %w: none of its files is one of a ChessBase database", path, model.ErrNotDatabase)
	}
	d := &database{
		set: set, watch: watch, stored: cbhdb.New(cbhdb.FilesOf(set)), page: page, selected: selected,
		files: map[string]*dbfile.File{}, unreadable: map[string]error{}, headErrs: map[string]error{},
	}
	for _, ext := range examinedExts {
		if f, err := d.stored.File(ext); err != nil {
			d.unreadable[ext] = err
		} else if f != nil {
			d.files[ext] = f
		}
	}
	if err := d.readHeaders(); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// findWatched finds the files of a database and begins to watch it, unless it has
// no main file.
func findWatched(opt *Options, path string) (*read.FileSet, *read.Watch, error) {
	set, err := read.FindFilesFS(opt.FS, path)
	if err != nil || !set.Has(".cbh") {
		return set, nil, err
	}
	return set.Watch(".cbh")
}

// oneState returns an error that says that the database has changed meanwhile,
// whatever else was wrong: that can come from it. Else it returns err.
func oneState(watch *read.Watch, err error) error {
	if changed := watch.Check(); changed != nil {
		return changed
	}
	return err
}

func (d *database) close() { _ = d.stored.Close() } // it was only read

// base returns the path of the database without an ending.
func (d *database) base() string { return filepath.Join(d.set.Dir, d.set.Base) }

// findings returns an empty list of findings in the selected files.
func (d *database) findings() findings { return findings{set: d.set, selected: d.selected} }

// missing returns the endings of the selected mandatory files that are not
// there.
func (d *database) missing() (exts []string) {
	for _, ext := range mandatoryExts {
		if !d.set.Has(ext) && d.selected.has(ext) {
			exts = append(exts, ext)
		}
	}
	return exts
}

// readHeaders reads the headers of the files that are read record by record.
func (d *database) readHeaders() error {
	for ext, open := range map[string]func() error{
		".cbh": func() (err error) { d.headers, err = d.stored.HeaderFile(); return err },
		".cbj": func() (err error) { d.extensions, err = d.stored.ExtensionFile(); return err },
		".cbg": func() (err error) { d.moves, err = d.stored.MoveFile(); return err },
		".cba": func() (err error) { d.annotations, err = d.stored.AnnotationFile(); return err },
	} {
		if d.files[ext] == nil {
			continue
		}
		if err := open(); dbfile.IsDamage(err) {
			d.headErrs[ext] = err
		} else if err != nil {
			return err
		}
	}
	if d.headers != nil {
		d.count = d.headers.Count
	}
	if d.extensions != nil {
		d.extCount = model.RecordID(min(d.extensions.Stored, int64(d.count)))
	}
	return d.findAge()
}

// knowsRecords reports whether all records are there that the header of the
// .cbh file announces. Where it is cut, some are out of sight.
func (d *database) knowsRecords() bool {
	return d.headers != nil && d.headers.Cut() == nil
}

// knowsExtensions reports whether the .cbj file is of a version that is known, so
// that all its fields are.
func (d *database) knowsExtensions() bool {
	return d.extensions != nil && d.extensions.Head.IsKnown()
}
