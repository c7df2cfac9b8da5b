package read

import (
	"fmt"
	"io/fs"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/wire"
	"cbkit/model"
)

// readEntities reads all entity files into tables.
func (db *ChessBase) readEntities() error {
	extras, err := db.readTournamentExtras()
	if err != nil {
		return err
	}
	t, heads := &db.tables, &db.leftover.Entities
	for i, read := range []func() (*cbh.EntityHeader, error){
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.Players, &t.Players, nil) },
		func() (*cbh.EntityHeader, error) {
			return readTable(db, &cbh.Tournaments, &t.Tournaments, extras.addTo)
		},
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.Annotators, &t.Annotators, nil) },
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.Sources, &t.Sources, nil) },
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.Teams, &t.Teams, nil) },
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.GameTitles, &t.GameTitles, nil) },
	} {
		if heads[i], err = read(); err != nil {
			return err
		}
	}
	db.leftover.Slots = [...]int32{
		int32(t.Players.Len()), int32(t.Tournaments.Len()), int32(t.Annotators.Len()),
		int32(t.Sources.Len()), int32(t.Teams.Len()), int32(t.GameTitles.Len()),
	}
	return nil
}

// readTable reads one entity file. Each slot keeps its record as a leftover.
// Complete, if not nil, adds what other files say about an entity. Without a
// file that can be used the table stays empty and the header is nil.
func readTable[T comparable](db *ChessBase, codec *cbh.EntityCodec[T], table *model.Table[T], complete func(id int, v *T)) (*cbh.EntityHeader, error) {
	e, err := db.files.Entities(&codec.EntityFile)
	if err != nil && codec.Optional() {
		return nil, db.passOver(codec.Ext, err)
	}
	if e == nil || err != nil {
		return nil, err
	}
	db.opt.warn(e.Miscount)
	db.opt.damage(e.Mended)
	if db.opt.asBytes {
		return &e.Head, sampleTable(db, codec, e, table)
	}
	size, n := codec.RecordSize(), int(e.Count)
	b, err := e.Bytes(nil, e.Offset(0), e.End()-e.Offset(0))
	if err != nil {
		return nil, err
	}
	leftovers := make([]model.Leftover, n)
	for id := range n {
		record := b[id*size : (id+1)*size]
		links, err := cbh.DecodeEntityLinks(record)
		if err != nil {
			return nil, wire.Locate(err, e.Name(), e.Offset(int32(id)), int64(id))
		}
		leftovers[id] = model.Leftover{Format: cbh.Format, Data: record}
		slot := model.Slot[T]{
			Value:    codec.Decode(record[cbh.EntityLinksSize:], db.page),
			Deleted:  links.IsDeleted(),
			Leftover: &leftovers[id],
		}
		if complete != nil {
			complete(id, &slot.Value)
		}
		table.Append(slot)
	}
	return &e.Head, nil
}

// sampleTable reads some entities from all over a file, for a guess, in a time that
// does not depend on its size. Their numbers are others.
func sampleTable[T comparable](db *ChessBase, codec *cbh.EntityCodec[T], e *cbhdb.Entities, table *model.Table[T]) error {
	r := e.Reader(codec.RecordSize())
	step := max(1, e.Count/guessNames)
	for id := int32(0); id < e.Count; id += step {
		rec, err := r.At(id)
		if err != nil {
			return wire.Locate(err, e.Name(), e.Offset(id), int64(id))
		}
		table.Append(model.Slot[T]{Value: codec.Decode(rec.Payload, db.page), Deleted: rec.Links.IsDeleted()})
	}
	return nil
}

// tournamentExtras are the records of a .cbtt file.
type tournamentExtras struct {
	records []byte
	size    int
}

// readTournamentExtras reads the .cbtt file; without one, or with one that is
// damaged or of a version that is not known, there is nothing to add.
func (db *ChessBase) readTournamentExtras() (*tournamentExtras, error) {
	const ext = ".cbtt"
	b, err := db.files.Content(ext)
	if b == nil {
		return &tournamentExtras{}, err
	}
	head, err := cbh.DecodeTournamentExtraHeader(b)
	if err != nil {
		return &tournamentExtras{}, db.passOver(ext, wire.Locate(err, db.set.Name(ext), 0, -1))
	}
	db.leftover.TournamentExtras = b
	return &tournamentExtras{b[cbh.TournamentExtraHeaderSize:], int(head.RecordSize)}, nil
}

// addTo adds what is known of tournament id.
func (x *tournamentExtras) addTo(id int, t *model.Tournament) {
	if x.size > 0 && id < len(x.records)/x.size {
		cbh.DecodeTournamentExtra(t, x.records[id*x.size:(id+1)*x.size])
	}
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
		e := &model.FormatError{File: db.heads.Name(), Offset: int64(rec.ID) * cbh.RecordSize, Record: int64(rec.ID), Field: r.Field}
		switch head := db.leftover.Entities[kind]; {
		case head == nil:
			e.Err = fmt.Errorf("%v: %s: %w", r, name, fs.ErrNotExist)
		case r.ID >= 0 && int64(r.ID) < int64(head.Capacity):
			e.File, e.Offset, e.Record, e.Field = name, -1, int64(r.ID), ""
			e.Err = fmt.Errorf("%w: the file has %d of %d records; record %d of %s refers to this one as %s",
				model.ErrTruncated, r.Len, head.Capacity, rec.ID, db.heads.Name(), r.Field)
		default:
			e.Err = fmt.Errorf("%w: %v; %s has %d", model.ErrCorrupt, r, name, r.Len)
		}
		dst = append(dst, e)
	}
	return dst
}

// entityFileOf are the numbers in cbh.EntityFiles of the kinds of references.
var entityFileOf = map[string]int{"player": 0, "tournament": 1, "annotator": 2, "source": 3, "team": 4, "game title": 5}

// LegalMoves implements [model.Referee].
func (db *ChessBase) LegalMoves() bool { return true }
