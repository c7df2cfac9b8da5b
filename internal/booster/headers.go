package booster

import (
	"encoding/binary"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Headers is the .cbh file of a database with its .cbj file, if there is one:
// all that the lists follow from. It may be used from several goroutines.
type Headers struct {
	// Count is the number of records.
	Count model.RecordID
	// HasTitles says that the records of the .cbj file are long enough to hold
	// a game title.
	HasTitles bool
	// Warnings say what is wrong with the headers of the files: those that count
	// other records than there are, whose files are read to their ends, and that
	// of a .cbj file that is damaged and counts as missing.
	Warnings []error

	heads, exts *dbfile.File // exts is nil if there is none
	ext         cbh.ExtHeader
	extCount    model.RecordID // records in the .cbj file
}

// OpenHeaders opens the header files of a database.
func OpenHeaders(files Files) (*Headers, error) {
	h := &Headers{}
	for _, open := range []func(Files) error{h.openHeads, h.openExts} {
		if err := open(files); err != nil {
			h.Close()
			return nil, err
		}
	}
	return h, nil
}

// openHeads opens the .cbh file.
func (h *Headers) openHeads(files Files) (err error) {
	if h.heads, err = open(files, ".cbh"); err != nil {
		return err
	}
	b, err := h.heads.Start(cbh.RecordSize)
	if err != nil {
		return err
	}
	head, err := cbh.DecodeFileHeader(b)
	if err != nil {
		return wire.Locate(err, h.heads.Name(), 0, -1)
	}
	stored, wrong := head.Stored(h.heads.Size())
	if stored > maxRecords {
		return h.heads.Wrong(0, -1, "", model.ErrCorrupt, "%d records are more than the format can number", stored)
	}
	h.warn(h.heads, wrong)
	h.Count = model.RecordID(stored)
	return nil
}

// warn notes that a header of a file counts other records than there are; nil
// is nothing.
func (h *Headers) warn(f *dbfile.File, wrong error) {
	if wrong != nil {
		h.Warnings = append(h.Warnings, wire.Locate(wrong, f.Name(), 0, -1))
	}
}

// maxRecords is the largest number of records: game ids have 24 bits.
const maxRecords = 1<<24 - 1

// openExts opens the .cbj file; one that is damaged counts as missing.
func (h *Headers) openExts(files Files) (err error) {
	if !files.Has(".cbj") {
		return nil
	}
	if h.exts, err = open(files, ".cbj"); err != nil {
		return err
	}
	b, err := h.exts.Start(cbh.ExtHeaderSize)
	if err != nil {
		return err
	}
	if h.ext, err = cbh.DecodeExtHeader(b); err != nil {
		warning, failure := cbh.PassOver(wire.Locate(err, h.exts.Name(), 0, -1))
		h.exts.Close() // it was only read
		h.exts, h.Warnings = nil, append(h.Warnings, warning)
		return failure
	}
	stored, wrong := h.ext.Stored(h.exts.Size())
	h.warn(h.exts, wrong)
	h.extCount = model.RecordID(min(stored, int64(h.Count)))
	h.HasTitles = h.ext.RecordSize >= cbh.ExtRecordSize
	return nil
}

// Close closes the files.
func (h *Headers) Close() {
	for _, f := range []*dbfile.File{h.heads, h.exts} {
		if f != nil {
			f.Close() // it was only read
		}
	}
}

// HeaderReader reads stored headers. It is for one goroutine.
type HeaderReader struct {
	headers     *Headers
	heads, exts *dbfile.Window
}

// How far readers read ahead.
const (
	// FarAhead is for reading all records.
	FarAhead = 1 << 18
	// NearAhead is for reading some.
	NearAhead = 1 << 10
)

// Reader returns a reader that reads so many bytes ahead.
func (h *Headers) Reader(ahead int) *HeaderReader {
	return &HeaderReader{headers: h, heads: dbfile.NewWindow(h.heads, ahead), exts: dbfile.NewWindow(h.exts, ahead)}
}

// Header is the stored header of a record.
type Header struct {
	// Game is the record of the .cbh file, Ext that of the .cbj file, nil if
	// there is none.
	Game, Ext []byte
}

// MovesOffset is where the record begins in the .cbg file. The .cbh file has
// the low 32 bits; the .cbj file has all 64, which count where they agree.
// (spec/cbh-entities.md 10)
func (h Header) MovesOffset() int64 {
	low := binary.BigEndian.Uint32(h.Game[1:]) // games and texts have it there
	return cbh.Place(low, cbh.DecodeExtRecord(h.Ext).MovesOffset)
}

// At returns the header of a record, 1 to Count. It is valid until the next
// call.
func (r *HeaderReader) At(id model.RecordID) (Header, error) {
	head, err := r.heads.At(int64(id)*cbh.RecordSize, cbh.RecordSize)
	if err != nil || id > r.headers.extCount {
		return Header{Game: head}, err
	}
	size := int64(r.headers.ext.RecordSize)
	ext, err := r.exts.At(cbh.ExtHeaderSize+int64(id-1)*size, size)
	return Header{head, ext}, err
}

// References returns what a record, 1 to Count, refers to.
func (r *HeaderReader) References(id model.RecordID) (derive.References, error) {
	h, err := r.At(id)
	if err != nil {
		return derive.References{}, err
	}
	return derive.ReferencesOf(h.Game, h.Ext)
}

// Capacities returns how many records each of the entity files of a pair has,
// deleted ones included. A file that is missing has none.
func Capacities(files Files, pair *cbh.ListFile) ([]int32, error) {
	list := make([]int32, len(pair.Kinds))
	for i, kind := range pair.Kinds {
		var err error
		if list[i], err = capacity(files, kind); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// maxEntityHeader is more than any header of an entity file that was seen.
const maxEntityHeader = 128

func capacity(files Files, kind *cbh.EntityFile) (int32, error) {
	if !files.Has(kind.Ext) {
		return 0, nil
	}
	f, err := open(files, kind.Ext)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	b, err := f.Start(maxEntityHeader)
	if err != nil {
		return 0, err
	}
	head, err := cbh.DecodeEntityHeader(b)
	if err != nil {
		return 0, wire.Locate(err, f.Name(), 0, -1)
	}
	records, _ := head.Stored(f.Size())
	return int32(records), nil
}
