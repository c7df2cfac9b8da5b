package read

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/internal/wire"
	"cbkit/model"
)

// SimpleDB is an open Simple Chess Database. It is a [Database].
//
// Its tournaments are the pairs of a site and an event that games refer to.
// They enter the tables as the games that have them are read; no two
// goroutines may read records at a time.
type SimpleDB struct {
	set   *FileSet
	opt   Options
	watch *Watch

	index, games *dbfile.File
	layout       dcdb.Layout
	header       []byte // of the index
	count        model.RecordID
	foreign      func([]byte) string

	players       nameFile
	sites, events nameFile
	playerIDs     []model.EntityID // by number of the record in the .dcn file
	tables        model.Entities
	tournaments   map[[2]uint32]model.EntityID // by places of site and event

	promotions struct {
		once sync.Once
		dcdb.Promotions
	}
}

var _ Database = (*SimpleDB)(nil)

// IsSimple reports whether a path that the files were found by means a Simple
// Chess Database: by its ending, or because there is no other.
func (s *FileSet) IsSimple(path string) bool {
	return s.Has(".dci") && (dbfile.Simple.Has(filepath.Ext(path)) || !s.Has(".cbh"))
}

// openSimple opens the files and reads the names. If an editor changes them
// meanwhile it begins anew.
func openSimple(set *FileSet, opt Options) (db *SimpleDB, err error) {
	for range overtaken {
		if db, err = openSimpleOnce(set, opt); !errors.Is(err, model.ErrChanged) {
			break
		}
	}
	return db, err
}

// openSimpleOnce is openSimple for one state of the database.
func openSimpleOnce(set *FileSet, opt Options) (*SimpleDB, error) {
	page, err := opt.page()
	if err != nil {
		return nil, err
	}
	set, watch, err := set.Watch(".dci")
	if err != nil {
		return nil, err
	}
	db := &SimpleDB{set: set, opt: opt, watch: watch, foreign: page.Decode, tournaments: map[[2]uint32]model.EntityID{},
		players: nameFile{people: true}}
	for _, load := range []func() error{db.openFiles, db.readIndexHeader, db.readNames} {
		if err := load(); err != nil {
			db.Close()
			if changed := watch.Check(); changed != nil {
				err = changed
			}
			return nil, err
		}
	}
	if changed := watch.Check(); changed != nil {
		db.Close()
		return nil, changed
	}
	return db, nil
}

// Changed returns an error that wraps model.ErrChanged if somebody has changed the
// database since it was opened.
func (db *SimpleDB) Changed() error { return db.watch.Check() }

// openFiles opens all files and looks at their magic bytes.
func (db *SimpleDB) openFiles() error {
	for _, f := range []struct {
		ext       string
		kind      dcdb.File
		mandatory bool
		to        **dbfile.File
	}{
		{".dci", dcdb.Index, true, &db.index}, {".dcg", dcdb.Games, true, &db.games},
		{".dcn", dcdb.Names, true, &db.players.File}, {".dcs", dcdb.Sites, true, &db.sites.File},
		{".dce", dcdb.Events, false, &db.events.File},
	} {
		opened, err := db.set.open(f.ext, f.mandatory)
		if err != nil {
			return err
		}
		if *f.to = opened; opened == nil {
			continue
		}
		b, err := opened.Bytes(nil, 0, min(opened.Size(), dcdb.MagicSize))
		if err != nil {
			return err
		}
		misprinted, err := dcdb.CheckMagic(b, f.kind)
		if err != nil {
			return wire.Locate(err, opened.Name(), 0, -1)
		}
		if misprinted {
			db.warn(opened.Wrong(2, -1, "magic", model.ErrCorrupt, "the misprint of the format's description, ed for 6d"))
		}
	}
	return nil
}

// readIndexHeader finds out the layout of the index and counts its entries.
func (db *SimpleDB) readIndexHeader() error {
	f := db.index
	head, err := f.Bytes(nil, 0, min(f.Size(), dcdb.ProbeSize))
	if err != nil {
		return err
	}
	if db.layout, err = dcdb.Detect(head, f.Size(), db.games.Size()); err != nil {
		return wire.Locate(err, f.Name(), 0, -1)
	}
	if l := db.layout; l != dcdb.V0 && l != dcdb.V1 {
		db.warn(f.Wrong(dcdb.MagicSize, -1, "version", model.ErrUnsupported, "the entries have the layout %v; it is read", l))
	}
	db.header = head[:db.layout.HeaderSize()]
	size := int64(db.layout.EntrySize())
	entries := (f.Size() - int64(len(db.header))) / size
	if rest := (f.Size() - int64(len(db.header))) % size; rest != 0 {
		db.opt.damage(f.Wrong(f.Size()-rest, entries+1, "", model.ErrTruncated, "%d bytes behind the last whole entry are left out", rest))
	}
	if entries > 1<<31-1 {
		return f.Wrong(0, -1, "", model.ErrUnsupported, "%d entries are more than can be numbered", entries)
	}
	db.count = model.RecordID(entries)
	return db.passCut()
}

// passCut tells of an index that was cut, and goes on with what is there.
func (db *SimpleDB) passCut() error {
	err := db.cutIndex()
	if err != nil && !dbfile.IsDamage(err) {
		return err
	}
	db.opt.damage(err)
	return nil
}

// warn tells of damage that is passed over.
func (db *SimpleDB) warn(err error) { db.opt.warn(err) }

// LegalMoves implements [model.Referee].
func (db *SimpleDB) LegalMoves() bool { return true }

// Entities implements [model.Source].
func (db *SimpleDB) Entities() *model.Entities { return &db.tables }

// Count implements [model.Source].
func (db *SimpleDB) Count() int { return int(db.count) }

// Leftover implements [model.Source]: the header of the index.
func (db *SimpleDB) Leftover() *model.Leftover {
	return &model.Leftover{Format: dcdb.Format, Data: slices.Clone(db.header)}
}

// Files returns the set of files the database consists of.
func (db *SimpleDB) Files() *FileSet { return db.set }

// Layout describes the layout of the index: "v0", "v1" or one of the older
// ones.
func (db *SimpleDB) Layout() string { return db.layout.String() }

// Record implements [Database].
func (db *SimpleDB) Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error) {
	if err := ctx.Err(); err != nil {
		return model.Record{}, err
	}
	if id < 1 || id > db.count {
		return model.Record{}, fmt.Errorf("%s: record %d: %w; there are %d", db.index.Name(), id, model.ErrNoRecord, db.count)
	}
	b := newSimpleBatch(1)
	db.newSimpleReader(dbfile.NearAhead, id, want).fill(b)
	if b.changed != nil {
		return model.Record{}, b.changed
	}
	b.decode(db)
	return b.slots[0].finish(db)
}

// Preflight implements [model.Preflighter]: it looks at the extents of all
// games and returns the first that does not lie inside its file.
func (db *SimpleDB) Preflight(ctx context.Context) error {
	r := db.newSimpleReader(dbfile.FarAhead, 1, model.WantHeaders)
	return dbfile.Preflight(ctx, db.count, nil, r.checkExtent)
}

// Close implements [Database].
func (db *SimpleDB) Close() error {
	var err error
	for _, f := range []*dbfile.File{db.index, db.games, db.players.File, db.sites.File, db.events.File} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}
