package check

import (
	"cmp"
	"fmt"
	"io/fs"
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
	old      bool           // only old programs have written it; see readHeaders
}

// openDatabase opens the files of the database that path names and reads the
// headers of the four large ones. The options may choose among the known
// endings.
func openDatabase(path string, opt *Options, known []string) (*database, error) {
	selected, err := opt.selection("files", known)
	if err != nil {
		return nil, err
	}
	var page cbh.CodePage
	if opt.CodePage != "" {
		if page, err = cbh.ParseCodePage(opt.CodePage); err != nil {
			return nil, err
		}
	}
	set, watch, err := findWatched(opt.FS, path, ".cbh")
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
// no main file, whose ending is given.
func findWatched(files fs.FS, path, main string) (*read.FileSet, *read.Watch, error) {
	set, err := read.FindFilesFS(files, path)
	if err != nil || !set.Has(main) {
		return set, nil, err
	}
	return set.Watch(main)
}

// oneState returns an error that says that the database has changed meanwhile,
// whatever else was wrong: that can come from it. Else it returns err.
func oneState(watch *read.Watch, err error) error { return cmp.Or(watch.Check(), err) }

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

// readHeaders reads the headers of the files that are read record by record, and finds
// out whether old programs have written the database, which counted and balanced
// carelessly: there is no .cbj file, or it has no records, or none for the games before
// the newest ones. A newer program that adds a game to an old database fills the file up
// with records of default values. (docs/formats/check.md, "Old databases")
func (d *database) readHeaders() error {
	for _, head := range []struct {
		ext  string
		open func() error
	}{
		{".cbh", func() (err error) { d.headers, err = d.stored.HeaderFile(); return err }},
		{".cbj", func() (err error) { d.extensions, err = d.stored.ExtensionFile(); return err }},
		{".cbg", func() (err error) { d.moves, err = d.stored.MoveFile(); return err }},
		{".cba", func() (err error) { d.annotations, err = d.stored.AnnotationFile(); return err }},
	} {
		if d.files[head.ext] == nil {
			continue
		}
		if err := head.open(); dbfile.IsDamage(err) {
			d.headErrs[head.ext] = err
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
	switch {
	case d.files[".cbj"] == nil:
		d.old = true
	case d.extensions != nil:
		var err error
		d.old, err = d.beginsWithDefaults()
		return err
	}
	return nil
}

// beginsWithDefaults reports whether the .cbj file has nothing but default
// records up to those of the newest games, or no records at all.
func (d *database) beginsWithDefaults() (bool, error) {
	size := int64(d.extensions.Head.RecordSize)
	window := newWindow(d.extensions.File)
	for i, newest := int64(0), false; i < d.extensions.Stored; i++ {
		b, err := window.At(cbh.ExtHeaderSize+i*size, size)
		if err != nil {
			return false, err
		}
		x := cbh.DecodeExtRecord(b)
		isDefault := x.IsDefault()
		if i == 0 && !isDefault || newest && isDefault {
			return false, nil
		}
		newest = !isDefault
	}
	return true, nil
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
