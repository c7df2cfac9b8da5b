package read

import (
	"cbkit/internal/cbh"
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
	head, b, err := db.entityRecords(&codec.EntityFile)
	if err != nil && codec.Optional() {
		err = db.passOver(codec.Ext, err)
	}
	if head == nil || err != nil {
		return nil, err
	}
	size := codec.RecordSize()
	n := len(b) / size
	leftovers := make([]model.Leftover, n)
	for id := range n {
		record := b[id*size : (id+1)*size]
		links, err := cbh.DecodeEntityLinks(record)
		if err != nil {
			return nil, wire.Locate(err, db.set.Name(codec.Ext), int64(head.Size()+id*size), int64(id))
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
	return head, nil
}

// entityRecords returns the header and the whole records of an entity file, a
// header of nil if there is no such file.
func (db *ChessBase) entityRecords(kind *cbh.EntityFile) (*cbh.EntityHeader, []byte, error) {
	f, err := db.set.open(kind.Ext, !kind.Optional())
	if f == nil {
		return nil, nil, err
	}
	defer f.Close()
	b, err := f.All()
	if err != nil {
		return nil, nil, err
	}
	head, err := cbh.DecodeEntityHeader(b)
	if err == nil {
		err = kind.Check(&head)
	}
	if err != nil {
		return nil, nil, wire.Locate(err, f.Name(), 0, -1)
	}
	records, wrong := head.Stored(f.Size())
	db.opt.warn(wire.Locate(wrong, f.Name(), 0, -1))
	b = b[head.Size():][:records*int64(kind.RecordSize())]
	db.ends[kind.Ext] = int64(head.Size() + len(b))
	return &head, b, nil
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
	f, err := db.set.open(ext, false)
	if f == nil {
		return &tournamentExtras{}, err
	}
	defer f.Close()
	b, err := f.All()
	if err != nil {
		return nil, err
	}
	head, err := cbh.DecodeTournamentExtraHeader(b)
	if err != nil {
		return &tournamentExtras{}, db.passOver(ext, wire.Locate(err, f.Name(), 0, -1))
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
