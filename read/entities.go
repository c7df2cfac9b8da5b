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
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.Players, &t.Players, true, nil) },
		func() (*cbh.EntityHeader, error) {
			return readTable(db, &cbh.Tournaments, &t.Tournaments, true, extras.addTo)
		},
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.Annotators, &t.Annotators, true, nil) },
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.Sources, &t.Sources, true, nil) },
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.Teams, &t.Teams, false, nil) },
		func() (*cbh.EntityHeader, error) { return readTable(db, &cbh.GameTitles, &t.GameTitles, false, nil) },
	} {
		if heads[i], err = read(); err != nil {
			return err
		}
	}
	return nil
}

// readTable reads one entity file. Each slot keeps its record as a leftover.
// Complete, if not nil, adds what other files say about an entity. Without a
// file the table stays empty and the header is nil.
func readTable[T comparable](db *ChessBase, codec *cbh.EntityCodec[T], table *model.Table[T], mandatory bool, complete func(id int, v *T)) (*cbh.EntityHeader, error) {
	f, err := db.set.open(codec.Ext, mandatory)
	if f == nil {
		return nil, err
	}
	defer f.Close()
	b, err := f.all()
	if err != nil {
		return nil, err
	}
	head, err := cbh.DecodeEntityHeader(b)
	if err == nil {
		err = codec.Check(&head)
	}
	if err != nil {
		return nil, wire.Locate(err, f.name, 0, -1)
	}
	size := codec.RecordSize()
	b = b[head.Size():]
	n := min(int(head.Capacity), len(b)/size)
	leftovers := make([]model.Leftover, n)
	for id := range n {
		record := b[id*size : (id+1)*size]
		links, err := cbh.DecodeEntityLinks(record)
		if err != nil {
			return nil, wire.Locate(err, f.name, int64(head.Size()+id*size), int64(id))
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
	return &head, nil
}

// tournamentExtras are the records of a .cbtt file.
type tournamentExtras struct {
	records []byte
	size    int
}

// readTournamentExtras reads the .cbtt file; without one, or with one whose
// version is not known, there is nothing to add.
func (db *ChessBase) readTournamentExtras() (*tournamentExtras, error) {
	const ext = ".cbtt"
	f, err := db.set.open(ext, false)
	if f == nil {
		return &tournamentExtras{}, err
	}
	defer f.Close()
	b, err := f.all()
	if err != nil {
		return nil, err
	}
	head, err := cbh.DecodeTournamentExtraHeader(b)
	if err != nil {
		return nil, wire.Locate(err, f.name, 0, -1)
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
