package read

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"cbkit/internal/dbfile"
	"cbkit/internal/scid"
	"cbkit/internal/wire"
	"cbkit/model"
)

// RescueScid opens what is left of a damaged database of Scid, whichever of its files are
// damaged or missing, and returns how many entries there are. If entries are missing or
// lead nowhere, RescueScid reads the file of games from end to end for records that no
// entry leads to; these come after all others and lack what only an entry says. A name
// that cannot be read is its number, such as "#17". What a record has lost is in its
// errors and in Record.Damage.
func RescueScid(set *FileSet, main string, opt Options) (db *Scid, ids model.RecordID, err error) {
	opt.KeepGoing = true
	db = newScid(main)
	db.found = map[model.RecordID]scid.Entry{}
	db.version = scid.Version(main[len(main)-1] - '0')
	err = db.load(set, "", opt, db.openFiles, db.readNames, func() (err error) {
		ids, err = db.rescue()
		return err
	})
	return db, ids, err
}

// Unsearched returns how many bytes [RescueScid] did not search for records, because that
// would take too long.
func (db *Scid) Unsearched() int64 { return db.unsearched }

// nothing is a file without content.
type nothing struct{}

// rescue counts the entries, and finds the records that they do not lead to.
func (db *Scid) rescue() (ids model.RecordID, err error) {
	header, size := int64(db.version.HeaderSize()), int64(db.version.EntrySize())
	announced := int64(-1)
	if db.version != scid.V5 {
		b, err := db.index.Start(header)
		if err != nil {
			return 0, err
		}
		h, _, err := scid.DecodeHeader(b)
		if err != nil {
			db.opt.damage(wire.Locate(err, db.index.Name(), 0, -1))
		} else {
			announced = int64(h.Games)
		}
		db.header = h
	}
	entries := max(0, db.index.Size()-header) / size
	db.count = model.RecordID(min(entries, 1<<31-2))
	ids = db.count
	whole := db.index.Size() > 0 && (announced < 0 && db.version == scid.V5 || announced == entries) && (db.index.Size()-header)%size == 0
	r := db.newScidReader(dbfile.FarAhead)
	type extent struct{ from, to int64 }
	var taken []extent
	for id := model.RecordID(1); id <= ids; id++ {
		e, err := r.entry(id)
		if err != nil {
			return ids, err
		}
		if r.checkExtent(id, &e) != nil {
			whole = false
			continue
		}
		taken = append(taken, extent{int64(e.Offset), int64(e.Offset) + int64(e.Length)})
	}
	if whole {
		return ids, nil
	}
	slices.SortFunc(taken, func(a, b extent) int { return int(min(1, max(-1, a.from-b.from))) })
	at, budget := int64(0), searchBudget(db.games.Size())
	for _, next := range append(taken, extent{db.games.Size(), db.games.Size()}) {
		if err := db.search(r, at, next.from, &budget); err != nil {
			return ids, err
		}
		at = max(at, next.to)
	}
	return ids, nil
}

// fewestPlies are how many moves a record has at least that does not begin where another
// one ends: less is found in any bytes.
const fewestPlies = 8

// searchBudget is how many bytes are decoded in vain in a file of a size: more is searched
// only in files that were made for that.
func searchBudget(size int64) int64 { return 256*size + 1<<24 }

// blanks are so many zeros that no record has them, as in front of a block.
var blanks [64]byte

// search finds records between two places.
func (db *Scid) search(r *scidReader, from, to int64, budget *int64) error {
	rec := scid.Game{Open: true}
	follows := true // what is there begins where a record ends
	for at := from; at < to; {
		b, err := r.games.At(at, min(scid.MaxRecord, to-at))
		if err != nil {
			return err
		}
		if bytes.HasPrefix(b, blanks[:]) { // then at most two of them begin a record
			n := len(b) - len(bytes.TrimLeft(b, "\x00"))
			at, follows = at+int64(n), true
			if n < len(b) {
				at -= 2
			}
			continue
		}
		if *budget < 0 {
			db.unsearched += to - at
			return nil
		}
		plies := 0
		if err = rec.Decode(b); err == nil {
			for _, s := range rec.Steps {
				if s.Kind == scid.StepMove {
					plies++
				}
			}
		}
		if err != nil || !follows && plies < fewestPlies || slices.ContainsFunc(rec.Tags, isNoTag) {
			if wrong, ok := errors.AsType[*model.FormatError](err); ok {
				*budget -= wrong.Offset
			}
			at++
			follows = follows && b[0] == 0 || at%db.version.Block() == 0 // blanks in front of a block
			continue
		}
		db.count++
		e := scid.Entry{Offset: uint64(at), Length: uint32(rec.Size), White: noScidName, Black: noScidName, Event: noScidName, Site: noScidName, Round: noScidName}
		db.found[db.count] = e
		at += int64(rec.Size)
		follows = true
	}
	return nil
}

// isNoTag reports whether a tag has no name that a program gives.
func isNoTag(t scid.Tag) bool {
	return strings.ContainsFunc(t.Name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// noScidName is what entries refer to that were made for records without one.
const noScidName = 1<<32 - 1

// ReadAt implements io.ReaderAt.
func (nothing) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }

// Close implements io.Closer.
func (nothing) Close() error { return nil }

// Size is that of the file.
func (nothing) Size() int64 { return 0 }
