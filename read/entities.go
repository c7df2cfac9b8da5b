package read

import (
	"fmt"
	"io/fs"
	"reflect"
	"sync/atomic"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// openTable returns a function that opens one entity file, whose content is read when it
// is asked for. Complete, if not nil, adds what other files say about some entities, the
// first of which has an id. Without a file that can be used the table stays empty, and no
// header is left over.
func openTable[T comparable](db *ChessBase, codec *cbh.EntityCodec[T], table *model.Table[T], complete func(first int32, values []T) error) func() error {
	return func() error {
		e, err := db.files.Entities(&codec.EntityFile)
		if err != nil && codec.Optional() {
			return db.passOver(codec.Ext, err)
		}
		if e == nil || err != nil {
			return err
		}
		db.opt.warn(e.Miscount)
		db.opt.damage(e.Mended)
		if db.opt.asBytes {
			err = sampleTable(db, codec, e, table)
		} else {
			*table = newStoredTable(db, codec, e, complete)
		}
		kind := cbhdb.KindOf(&codec.EntityFile)
		db.leftover.Entities[kind], db.leftover.Slots[kind] = &e.Head, int32(table.Len())
		return err
	}
}

// newStoredTable returns the table of an entity file.
func newStoredTable[T comparable](db *ChessBase, codec *cbh.EntityCodec[T], e *cbhdb.Entities, complete func(first int32, values []T) error) model.Table[T] {
	memory := othersMemory
	if codec.Ext == cbh.Players.Ext {
		memory = playersMemory
	}
	return model.StoredTable(&storedTable[T]{
		db: db, codec: codec, file: e, complete: complete,
		most:  memory / pageSize / (int(reflect.TypeFor[T]().Size()) + textsOf),
		pages: make([]atomic.Pointer[entityPage[T]], (e.Count+pageSize-1)/pageSize),
	})
}

// sampleAhead is how many bytes of a table are read at once for a guess where its entities
// are close to each other.
const sampleAhead = 1 << 16

// sampleTable reads some entities from all over a file, for a guess, in a time that
// does not depend on its size, but for those whose texts are UTF-8 in any page. Their
// numbers are others.
func sampleTable[T comparable](db *ChessBase, codec *cbh.EntityCodec[T], e *cbhdb.Entities, table *model.Table[T]) error {
	step := max(1, e.Count/guessNames)
	ahead := codec.RecordSize()
	if int(step)*ahead <= dbfile.NearAhead { // every page of the file has one
		ahead = sampleAhead
	}
	r := e.Reader(ahead)
	for id := int32(0); id < e.Count; id += step {
		rec, err := r.At(id)
		if err != nil {
			return wire.Locate(err, e.Name(), e.Offset(id), int64(id))
		}
		if !codec.IsUTF8(rec.Payload) {
			table.Append(model.Slot[T]{Value: codec.Decode(rec.Payload, db.page), Deleted: rec.Links.IsDeleted()})
		}
	}
	return nil
}

// extrasExt is the ending of the file with more about tournaments.
const extrasExt = ".cbtt"

// openExtras opens the .cbtt file; without one, or with one that is damaged or of
// a version that is not known, there is nothing to add.
func (db *ChessBase) openExtras() error {
	f, err := db.files.File(extrasExt)
	if f == nil {
		return err
	}
	b, err := f.Start(cbh.TournamentExtraHeaderSize)
	if err != nil {
		return err
	}
	head, err := cbh.DecodeTournamentExtraHeader(b)
	if err != nil {
		return db.passOver(extrasExt, wire.Locate(err, f.Name(), 0, -1))
	}
	db.extras, db.extraSize = f, int64(head.RecordSize)
	return nil
}

// addExtras adds what is known of some tournaments.
func (db *ChessBase) addExtras(first int32, values []model.Tournament) error {
	if db.extras == nil {
		return nil
	}
	size := db.extraSize
	whole := (db.extras.Size() - cbh.TournamentExtraHeaderSize) / size
	n := min(int64(len(values)), whole-int64(first))
	if n <= 0 {
		return nil
	}
	b, err := db.extras.Bytes(nil, cbh.TournamentExtraHeaderSize+int64(first)*size, n*size)
	if err != nil {
		return err
	}
	for i := range n {
		cbh.DecodeTournamentExtra(&values[i], b[i*size:(i+1)*size])
	}
	return nil
}

// danglingReferences appends an error for each reference of a record that is not
// into the tables. It names the entity file if that has lost the record, and
// the .cbh file if there never was one. Files that are missing, or count as
// missing, are told apart by fs.ErrNotExist.
func (db *ChessBase) danglingReferences(dst []error, rec *model.Record) []error {
	if model.CheckReferences(rec, &db.tables) == nil {
		return dst
	}
	for _, r := range rec.AppendReferences(nil, &db.tables) {
		if r.Valid() {
			continue
		}
		kind := entityFileOf[r.Kind]
		name := db.set.Name(cbh.EntityFiles[kind].Ext)
		e := &model.FormatError{File: db.headers.Name(), Offset: int64(rec.ID) * cbh.RecordSize, Record: int64(rec.ID), Field: r.Field}
		switch head := db.leftover.Entities[kind]; {
		case head == nil:
			e.Err = fmt.Errorf("%v: %s: %w", r, name, fs.ErrNotExist)
		case r.ID >= 0 && int64(r.ID) < int64(head.Capacity):
			e.File, e.Offset, e.Record, e.Field = name, -1, int64(r.ID), ""
			e.Err = fmt.Errorf("%w: the file has %d of %d records; record %d of %s refers to this one as %s",
				model.ErrTruncated, r.Len, head.Capacity, rec.ID, db.headers.Name(), r.Field)
		default:
			e.Err = fmt.Errorf("%w: %v; %s has %d", model.ErrCorrupt, r, name, r.Len)
		}
		dst = append(dst, e)
	}
	return dst
}

// entityFileOf are the numbers in cbh.EntityFiles of the kinds of references.
var entityFileOf = map[string]int{"player": 0, "tournament": 1, "annotator": 2, "source": 3, "team": 4, "game title": 5}
