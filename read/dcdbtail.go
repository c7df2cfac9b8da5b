package read

import (
	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/model"
)

// cutIndex returns an error if the .dci file was cut between two entries. It
// counts none, but the .dcg file tells: games follow the last one that an entry
// leads to, whole ones up to the end of the file. (docs/formats/dcdb.md, Cut files)
func (db *SimpleDB) cutIndex() error {
	r := db.newSimpleReader(dbfile.FarAhead, 1, model.WantHeaders)
	end, astray := int64(dcdb.MagicSize), 0
	for id := db.count; id > 0 && end < db.games.Size(); id-- { // mostly the last entry leads to the last game
		place, err := r.endOf(id)
		if err != nil {
			return err
		}
		if end = max(end, place); place == 0 {
			astray++
		}
	}
	lost := r.gamesBehind(end) - astray // entries that lead nowhere lack one each
	if lost <= 0 {
		return nil
	}
	return db.index.Wrong(db.index.Size(), int64(db.count)+1, "", model.ErrTruncated,
		"the file ends before the entries of %d games, which are in %s from %d on", lost, db.games.Name(), end)
}

// endOf returns where the game of an entry ends; 0 if it lies nowhere.
func (r *simpleReader) endOf(id model.RecordID) (int64, error) {
	l := r.db.layout
	raw, err := r.entries.At(r.db.entryPlace(id), int64(l.EntrySize()))
	if err != nil {
		return 0, err
	}
	e := l.DecodeEntry(raw)
	place, size, err := r.gameExtent(id, &e)
	if err != nil && !dbfile.IsDamage(err) {
		return 0, err
	}
	return place + max(size, 0), nil
}

// gamesBehind returns how many games lie one behind the other from a place to the
// end of the file; 0 if anything else does.
func (r *simpleReader) gamesBehind(at int64) (n int) {
	f := r.db.games
	for at < f.Size() {
		head, err := r.games.At(at, min(dcdb.MaxLengthSize, f.Size()-at))
		if err != nil {
			return 0
		}
		size, digits := dcdb.DecodeLength(head)
		if digits == 0 || size == 0 || int64(size) > f.Size()-at-int64(digits) {
			return 0
		}
		at += int64(digits) + int64(size)
		n++
	}
	return n
}
