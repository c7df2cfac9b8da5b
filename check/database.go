package check

import (
	"fmt"
	"path/filepath"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/read"
)

// database is an open ChessBase database, however damaged.
type database struct {
	set      *read.FileSet
	page     cbh.CodePage
	selected selection

	files      map[string]*file // by ending; missing ones are absent
	unreadable map[string]error // files that cannot be opened

	// The headers of the files with one entry for each record. A header that
	// is damaged, and one whose file is not there, is nil.
	heads        *cbh.FileHeader
	exts         *cbh.ExtHeader
	moves, notes *cbh.BlockHeader
	headErrs     map[string]error

	count    model.RecordID // records of the .cbh file that can be looked at
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
	set, err := read.FindFiles(path)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(cbh.NewFileExts, set.Has) {
		return nil, fmt.Errorf("%s: %w: none of its files is one of a ChessBase database", path, model.ErrNotDatabase)
	}
	d := &database{
		set: set, page: page, selected: selected,
		files: map[string]*file{}, unreadable: map[string]error{}, headErrs: map[string]error{},
	}
	for _, ext := range examinedExts {
		if !set.Has(ext) {
			continue
		}
		if f, err := openFile(set, ext); err != nil {
			d.unreadable[ext] = err
		} else {
			d.files[ext] = f
		}
	}
	if err := d.readHeaders(); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *database) close() {
	for _, f := range d.files {
		f.Close()
	}
}

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
	if err := readHeader(d, ".cbh", cbh.RecordSize, cbh.DecodeFileHeader, &d.heads); err != nil {
		return err
	}
	if err := readHeader(d, ".cbj", cbh.ExtHeaderSize, cbh.DecodeExtHeader, &d.exts); err != nil {
		return err
	}
	if err := readHeader(d, ".cbg", cbh.BlockHeaderSize, cbh.DecodeBlockHeader, &d.moves); err != nil {
		return err
	}
	if err := readHeader(d, ".cba", cbh.BlockHeaderSize, cbh.DecodeBlockHeader, &d.notes); err != nil {
		return err
	}
	// As for readers, the sizes of the files count, not their headers.
	if d.heads != nil {
		d.count = model.RecordID(min(d.wholeRecords(), maxRecords))
	}
	if d.exts != nil {
		d.extCount = model.RecordID(min(d.wholeExts(), int64(d.count)))
	}
	return d.findAge()
}

// maxRecords is the largest number of records: game ids have 24 bits.
const maxRecords = 1<<24 - 1

// wholeRecords is how many records the .cbh file has.
func (d *database) wholeRecords() int64 {
	records, _ := d.heads.Stored(d.files[".cbh"].Size())
	return records
}

// knowsRecords reports whether all records are there that the header of the
// .cbh file announces. Where it is cut, some are out of sight.
func (d *database) knowsRecords() bool {
	return d.heads != nil && int64(d.heads.Next)-1 <= d.wholeRecords()
}

// wholeExts is how many records the .cbj file has.
func (d *database) wholeExts() int64 {
	records, _ := d.exts.Stored(d.files[".cbj"].Size())
	return records
}

// knowsExts reports whether the .cbj file is of a version that is known, so
// that all its fields are.
func (d *database) knowsExts() bool {
	return d.exts != nil && extSizes[d.exts.Version] == d.exts.RecordSize
}

// readHeader reads the header at the beginning of a file. A damaged one is
// noted; only errors of the machine are returned.
func readHeader[T any](d *database, ext string, size int64, decode func([]byte) (T, error), to **T) error {
	f := d.files[ext]
	if f == nil {
		return nil
	}
	b, err := f.Start(size)
	if err != nil {
		return err
	}
	h, err := decode(b)
	if err != nil {
		d.headErrs[ext] = wire.Locate(err, f.Name(), 0, -1)
		return nil
	}
	*to = &h
	return nil
}
