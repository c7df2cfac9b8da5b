package read

import (
	"sync"

	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/model"
)

// nameFile is a file of names. Without a file, which is possible for events,
// there are no names.
type nameFile struct {
	*dbfile.File
	names  []string // in stored order
	exact  []bool   // the record is what its name is written as
	people bool     // they are names of players

	once  sync.Once
	usual []bool // see canonical
}

// readNames reads the three files of names.
func (db *SimpleDB) readNames() error {
	for _, f := range []*nameFile{&db.players, &db.sites, &db.events} {
		if err := f.read(db); err != nil {
			return err
		}
	}
	db.playerIDs = make([]model.EntityID, len(db.players.names))
	for i, name := range db.players.names {
		db.playerIDs[i] = db.player(name)
	}
	return nil
}

// player returns the id of the player with the given name.
func (db *SimpleDB) player(name string) model.EntityID {
	if p := dcdb.Player(name); p != (model.Player{}) {
		return db.tables.Players.Intern(p)
	}
	return model.NoEntity
}

// read reads all names of a file.
func (f *nameFile) read(db *SimpleDB) error {
	if f.File == nil {
		return nil
	}
	b, err := f.All()
	if err != nil {
		return err
	}
	b = b[dcdb.MagicSize:]
	foreign := 0
	records := (len(b) + dcdb.NameSize - 1) / dcdb.NameSize
	f.names, f.exact = make([]string, 0, records), make([]bool, 0, records)
	for len(b) > 0 {
		record := b[:min(len(b), dcdb.NameSize)]
		b = b[len(record):]
		name, ok := dcdb.DecodeName(record, db.foreign)
		if !ok {
			foreign++
		}
		f.names = append(f.names, name)
		f.exact = append(f.exact, len(record) == dcdb.NameSize && dcdb.EncodeName(name) == dcdb.Name(record))
	}
	if foreign > 0 {
		db.opt.warn(f.Wrong(dcdb.MagicSize, -1, "", model.ErrCorrupt, "%d names are not UTF-8; they are read by the code page", foreign))
	}
	return nil
}

// at returns the name at a place; number is that of its record, or -1. Name is
// "" and no error where the place is 0, which stands for nothing. Damaged is called
// for places where no name begins.
func (f *nameFile) at(db *SimpleDB, place uint32, field string, record model.RecordID, damaged func(error)) (name string, number int) {
	if place == 0 || f.File == nil {
		return "", -1
	}
	if n, ok := dcdb.NameNumber(place); ok && n < len(f.names) {
		return f.names[n], n
	}
	if place < dcdb.MagicSize || int64(place) >= f.Size() {
		damaged(db.wrongRef(record, field, "%d is not inside %s; it counts as unknown", place, f.Name()))
		return "", -1
	}
	damaged(db.wrongRef(record, field, "no name begins at %d of %s; what stands there is taken", place, f.Name()))
	b, err := f.Bytes(nil, int64(place), min(dcdb.NameSize, f.Size()-int64(place)))
	if err != nil {
		damaged(err)
		return "", -1
	}
	name, _ = dcdb.DecodeName(b, db.foreign)
	return name, -1
}

// canonical reports whether a reference is the one that would be written for
// the name: to the first of equal records, which is just as names are encoded.
func (f *nameFile) canonical(place uint32) bool {
	if f.File == nil {
		return true
	}
	f.once.Do(func() {
		seen := make(map[dcdb.Name]bool, len(f.names))
		f.usual = make([]bool, len(f.names))
		for i, name := range f.names {
			record := dcdb.EncodeName(name)
			f.usual[i] = f.exact[i] && name != "" && !seen[record] && (!f.people || dcdb.Player(name).String() == name || name == dcdb.Unknown)
			seen[record] = true
		}
	})
	n, ok := dcdb.NameNumber(place)
	return ok && n < len(f.usual) && f.usual[n]
}

// wrongRef is an error about a reference in an index entry.
func (db *SimpleDB) wrongRef(record model.RecordID, field, format string, args ...any) error {
	return db.index.Wrong(db.entryPlace(record), int64(record), field, model.ErrCorrupt, format, args...)
}

// playerAt returns the player whose name is at a place.
func (db *SimpleDB) playerAt(place uint32, field string, record model.RecordID, damaged func(error)) model.EntityID {
	name, number := db.players.at(db, place, field, record, damaged)
	if number >= 0 {
		return db.playerIDs[number]
	}
	return db.player(name)
}

// tournamentAt returns the tournament of a site and an event. A damaged pair is reported
// for every record.
func (db *SimpleDB) tournamentAt(site, event uint32, record model.RecordID, damaged func(error)) model.EntityID {
	if db.events.File == nil {
		event = 0
	}
	key := [2]uint32{site, event}
	if id, seen := db.tournaments[key]; seen {
		return id
	}
	sound := true
	report := func(err error) {
		sound = false
		damaged(err)
	}
	t := model.Tournament{Title: db.nameAt(&db.events, event, "event", record, report), Place: db.nameAt(&db.sites, site, "site", record, report)}
	id := model.NoEntity
	if t != (model.Tournament{}) {
		id = db.tables.Tournaments.Intern(t)
	}
	if sound {
		db.tournaments[key] = id
	}
	return id
}

// nameAt returns the name at a place, "" if it is unknown.
func (db *SimpleDB) nameAt(f *nameFile, place uint32, field string, record model.RecordID, damaged func(error)) string {
	name, _ := f.at(db, place, field, record, damaged)
	if dcdb.IsUnknown(name) {
		return ""
	}
	return name
}
