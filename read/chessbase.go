package read

import (
	"context"
	"errors"
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// ChessBase is an open ChessBase database. It is a [Database].
type ChessBase struct {
	set  *FileSet
	opt  Options
	page cbh.CodePage

	cbh, cbj, cbg, cba *dbfile.File // cbj is nil if there is none

	head         cbh.FileHeader
	ext          cbh.ExtHeader
	moves, notes cbh.BlockHeader

	count    model.RecordID   // records in the .cbh file
	extCount model.RecordID   // those of them that the .cbj file has too
	cut      error            // the .cbh file announces more records than it has
	ends     map[string]int64 // of the records in entity files, by ending

	tables   model.Entities
	media    *cbh.MediaFile
	leftover cbh.DatabaseLeftover

	passedOver []string // endings of optional files that are damaged
}

var _ Database = (*ChessBase)(nil)

// openChessBase opens the files and reads everything but the records.
func openChessBase(set *FileSet, opt Options) (*ChessBase, error) {
	page, err := opt.page()
	if err != nil {
		return nil, err
	}
	db := &ChessBase{set: set, opt: opt, page: page, ends: map[string]int64{}}
	for _, load := range []func() error{
		db.readHead, db.openFiles, db.readExtHead, db.readBlockHeads, db.readEntities, db.readOthers,
	} {
		if err := load(); err != nil {
			db.Close()
			return nil, err
		}
	}
	return db, nil
}

// openFiles opens the other files that stay open.
func (db *ChessBase) openFiles() error {
	for _, f := range []struct {
		ext       string
		mandatory bool
		to        **dbfile.File
	}{{".cbg", true, &db.cbg}, {".cba", true, &db.cba}, {".cbj", false, &db.cbj}} {
		opened, err := db.set.open(f.ext, f.mandatory)
		if err != nil {
			return err
		}
		*f.to = opened
	}
	return nil
}

// readHead opens the .cbh file, reads its header and counts its records.
func (db *ChessBase) readHead() (err error) {
	if db.cbh, err = db.set.open(".cbh", true); err != nil {
		return err
	}
	f := db.cbh
	if f.Size() < cbh.RecordSize {
		return f.Wrong(0, -1, "", model.ErrNotDatabase, "%d bytes are no ChessBase header, which has %d", f.Size(), cbh.RecordSize)
	}
	b, err := f.Bytes(nil, 0, cbh.RecordSize)
	if err != nil {
		return err
	}
	if db.head, err = cbh.DecodeFileHeader(b); err != nil {
		return wire.Locate(err, f.Name(), 0, -1)
	}
	stored, wrong := db.head.Stored(f.Size())
	if stored > maxRecords {
		return f.Wrong(0, -1, "", model.ErrCorrupt, "%d records are more than the format can number", stored)
	}
	db.count = model.RecordID(stored)
	if wrong = wire.Locate(wrong, f.Name(), 0, -1); errors.Is(wrong, model.ErrTruncated) {
		db.cut = wrong
		db.opt.damage(wrong)
		return nil
	}
	db.opt.warn(wrong)
	return nil
}

// maxRecords is the largest number of records: game ids have 24 bits.
const maxRecords = 1<<24 - 1

// readExtHead reads the header of the .cbj file; one that is damaged counts as
// missing.
func (db *ChessBase) readExtHead() error {
	f := db.cbj
	if f == nil {
		return nil
	}
	b, err := f.Bytes(nil, 0, min(f.Size(), cbh.ExtHeaderSize))
	if err != nil {
		return err
	}
	if db.ext, err = cbh.DecodeExtHeader(b); err != nil {
		db.cbj = nil
		f.Close() // it was only read
		return db.passOver(".cbj", wire.Locate(err, f.Name(), 0, -1))
	}
	stored, wrong := db.ext.Stored(f.Size())
	db.opt.warn(wire.Locate(wrong, f.Name(), 0, -1))
	db.extCount = model.RecordID(min(stored, int64(db.count)))
	return nil
}

// readBlockHeads reads the headers of the .cbg and .cba files.
func (db *ChessBase) readBlockHeads() error {
	for _, f := range []struct {
		*dbfile.File
		head *cbh.BlockHeader
	}{{db.cbg, &db.moves}, {db.cba, &db.notes}} {
		b, err := f.Bytes(nil, 0, min(f.Size(), cbh.BlockHeaderSize))
		if err != nil {
			return err
		}
		if *f.head, err = cbh.DecodeBlockHeader(b); err != nil {
			return wire.Locate(err, f.Name(), 0, -1)
		}
	}
	return nil
}

// hasExt reports whether the .cbj file has a record of a game.
func (db *ChessBase) hasExt(id model.RecordID) bool { return id <= db.extCount }

// extOffset is where that record begins.
func (db *ChessBase) extOffset(id model.RecordID) int64 {
	return cbh.ExtHeaderSize + int64(id-1)*int64(db.ext.RecordSize)
}

// Entities implements [model.Source].
func (db *ChessBase) Entities() *model.Entities { return &db.tables }

// Count implements [model.Source].
func (db *ChessBase) Count() int { return int(db.count) }

// Leftover implements [model.Source]: the headers of all files.
func (db *ChessBase) Leftover() *model.Leftover {
	return &model.Leftover{Format: cbh.Format, Data: db.leftover.Append(nil)}
}

// Files returns the set of files the database consists of.
func (db *ChessBase) Files() *FileSet { return db.set }

// Record implements [Database].
func (db *ChessBase) Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error) {
	if err := ctx.Err(); err != nil {
		return model.Record{}, err
	}
	if id < 1 || id > db.count {
		return model.Record{}, fmt.Errorf("%s: record %d: %w; there are %d", db.cbh.Name(), id, model.ErrNoRecord, db.count)
	}
	b := newBatch(1)
	b.first, b.want, b.n = id, want, 1
	raw := &b.raws[0]
	raw.err = db.newReader(dbfile.NearAhead).read(b, raw, id)
	b.slots[0].decode(db, b, raw, id)
	return b.slots[0].record, b.slots[0].err
}

// Close implements [Database].
func (db *ChessBase) Close() error {
	var err error
	for _, f := range []*dbfile.File{db.cbh, db.cbj, db.cbg, db.cba} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}
