package cbhdb

import (
	"errors"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Heads is the .cbh file.
type Heads struct {
	*dbfile.File
	Head cbh.FileHeader
	// Count is the number of whole records that the file has.
	Count model.RecordID
	// Miscount is not nil if the header announces others: it wraps
	// model.ErrTruncated if records are missing, model.ErrCorrupt if there are
	// more.
	Miscount error
}

// Heads returns the .cbh file. The error wraps model.ErrNotDatabase if it is
// something else, and model.ErrCorrupt if it has more records than ids.
func (db *DB) Heads() (*Heads, error) { return db.heads.get(db.openHeads) }

func (db *DB) openHeads() (*Heads, error) {
	f, err := db.mandatory(".cbh")
	if err != nil {
		return nil, err
	}
	if f.Size() < cbh.RecordSize {
		return nil, f.Wrong(0, -1, "", model.ErrNotDatabase, "%d bytes are no ChessBase header, which has %d", f.Size(), cbh.RecordSize)
	}
	b, err := f.Start(cbh.RecordSize)
	if err != nil {
		return nil, err
	}
	h := &Heads{File: f}
	if h.Head, err = cbh.DecodeFileHeader(b); err != nil {
		return nil, wire.Locate(err, f.Name(), 0, -1)
	}
	stored, wrong := h.Head.Stored(f.Size())
	if stored > cbh.MaxRecords {
		return nil, f.Wrong(0, -1, "", model.ErrCorrupt, "%d records are more than the format can number", stored)
	}
	h.Count, h.Miscount = model.RecordID(stored), wire.Locate(wrong, f.Name(), 0, -1)
	return h, nil
}

// Cut returns Miscount if records are missing at the end of the file.
func (h *Heads) Cut() error {
	if errors.Is(h.Miscount, model.ErrTruncated) {
		return h.Miscount
	}
	return nil
}

// Offset is where a record begins.
func (h *Heads) Offset(id model.RecordID) int64 { return int64(id) * cbh.RecordSize }

// Put writes a record: one that is there, or the next one. The header, which
// counts them, is written by PutHead.
func (h *Heads) Put(id model.RecordID, record []byte) error {
	if _, err := h.WriteAt(record, h.Offset(id)); err != nil {
		return err
	}
	h.Count = max(h.Count, id)
	return nil
}

// PutHead writes the header as h.Head has it.
func (h *Heads) PutHead() error {
	_, err := h.WriteAt(h.Head.Append(nil), 0)
	return err
}

// Exts is the .cbj file.
type Exts struct {
	*dbfile.File
	Head cbh.ExtHeader
	// Stored is the number of whole records that the file has; those that count
	// are no more than the .cbh file has.
	Stored int64
	// Miscount is not nil if the header counts others; see Heads.
	Miscount error
}

// Exts returns the .cbj file, nil if there is none.
func (db *DB) Exts() (*Exts, error) { return db.exts.get(db.openExts) }

func (db *DB) openExts() (*Exts, error) {
	f, err := db.File(".cbj")
	if f == nil {
		return nil, err
	}
	b, err := f.Start(cbh.ExtHeaderSize)
	if err != nil {
		return nil, err
	}
	x := &Exts{File: f}
	if x.Head, err = cbh.DecodeExtHeader(b); err != nil {
		return nil, wire.Locate(err, f.Name(), 0, -1)
	}
	stored, wrong := x.Head.Stored(f.Size())
	x.Stored, x.Miscount = stored, wire.Locate(wrong, f.Name(), 0, -1)
	return x, nil
}

// Has reports whether the file has a record of a game or text; of no file, it
// has not.
func (x *Exts) Has(id model.RecordID) bool { return x != nil && int64(id) <= x.Stored }

// Offset is where the record of a game or text begins.
func (x *Exts) Offset(id model.RecordID) int64 {
	return cbh.ExtHeaderSize + int64(id-1)*int64(x.Head.RecordSize)
}

// Put writes a record: one that is there, or the next one. The header, which
// counts them, is written by PutHead.
func (x *Exts) Put(id model.RecordID, record []byte) error {
	if _, err := x.WriteAt(record, x.Offset(id)); err != nil {
		return err
	}
	x.Stored = max(x.Stored, int64(id))
	return nil
}

// PutHead writes the header as x.Head has it.
func (x *Exts) PutHead() error {
	_, err := x.WriteAt(x.Head.Append(nil), 0)
	return err
}
