package read

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"sync/atomic"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// ChessBase is an open ChessBase database. It is a [Database]. Several goroutines may
// use it at once, also for passes over its records.
type ChessBase struct {
	set  *FileSet
	opt  Options
	page cbh.CodePage

	watch              *Watch
	files              *cbhdb.DB
	headers            *cbhdb.HeaderFile
	extensions         *cbhdb.ExtensionFile // nil if there is none
	moves, annotations *cbhdb.Blocks

	tables    model.Entities
	extras    *dbfile.File // about tournaments; nil if there is none
	extraSize int64
	unread    atomic.Pointer[error] // why entities could not be read

	media    *cbh.MediaFile
	leftover cbh.DatabaseLeftover
	reached  reached

	passedOver []string // endings of optional files that are damaged
}

var (
	_ Database       = (*ChessBase)(nil)
	_ model.Measured = (*ChessBase)(nil)
)

// overtaken is how often opening begins anew when a writer has changed the
// database meanwhile.
const overtaken = 50

// undisturbed opens something; if a writer changes it meanwhile, which is model.ErrChanged,
// it begins anew.
func undisturbed[D any](open func() (D, error)) (opened D, err error) {
	for range overtaken {
		if opened, err = open(); !errors.Is(err, model.ErrChanged) {
			break
		}
	}
	return opened, err
}

// openChessBase opens the files of one state of the database, and reads everything but the
// records.
func openChessBase(set *FileSet, opt Options) (*ChessBase, error) {
	page, err := opt.page()
	if err != nil {
		return nil, err
	}
	set, w, err := set.Watch(".cbh")
	if err != nil {
		return nil, err
	}
	db := &ChessBase{set: set, opt: opt, page: page, watch: w, files: cbhdb.New(cbhdb.FilesOf(set))}
	for _, load := range []func() error{db.openFiles, db.readEntities, db.readOthers} {
		if err = load(); err != nil {
			break
		}
	}
	if err = cmp.Or(w.Check(), err); err != nil {
		db.files.Close() // it was only read
		return nil, err
	}
	return db, nil
}

// openFiles opens the files of the records.
func (db *ChessBase) openFiles() (err error) {
	if db.headers, err = db.files.HeaderFile(); err != nil {
		return err
	}
	if cut := db.headers.Cut(); cut != nil {
		db.opt.damage(cut)
	} else {
		db.opt.warn(db.headers.Miscount)
	}
	if db.moves, err = db.files.MoveFile(); err != nil {
		return err
	}
	if db.annotations, err = db.files.AnnotationFile(); err != nil {
		return err
	}
	if db.extensions, err = db.files.ExtensionFile(); err != nil {
		return db.passOver(".cbj", err)
	}
	if db.extensions != nil {
		db.opt.warn(db.extensions.Miscount)
	}
	return nil
}

// Entities implements [model.Source]. Entities are read when they are looked up,
// and those asked for last are kept: however many there are, they take little
// memory. One that cannot be read is the zero value; then [model.Entities.Err] has an
// error, and so has every pass over the records, at its end at the latest.
func (db *ChessBase) Entities() *model.Entities { return &db.tables }

// Count implements [model.Source]; after Close it is 0.
func (db *ChessBase) Count() int {
	if db.watch.closed.Load() {
		return 0
	}
	return int(db.headers.Count)
}

// Leftover implements [model.Source]: the headers of all files; after Close it is nil.
func (db *ChessBase) Leftover() *model.Leftover {
	if db.watch.closed.Load() {
		return nil
	}
	all := db.leftover
	if db.extras != nil {
		b, err := db.extras.All()
		if err = db.unlessChanged(err); err != nil {
			db.lose(err)
		}
		all.TournamentExtras = b
	}
	return &model.Leftover{Format: cbh.Format, Data: all.Append(nil)}
}

// CodePage returns the page of names and texts that are not UTF-8, such as "1252".
func (db *ChessBase) CodePage() string { return db.page.String() }

// Files returns the set of files the database consists of.
func (db *ChessBase) Files() *FileSet { return db.set }

// Record implements [Database].
func (db *ChessBase) Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error) {
	if err := ctx.Err(); err != nil {
		return model.Record{}, err
	}
	if db.watch.closed.Load() {
		return model.Record{}, fs.ErrClosed
	}
	b := newBatch(1)
	b.want, b.n = want, 1
	raw := &b.raws[0]
	raw.id = id
	raw.err = db.newReader(dbfile.NearAhead, nil).read(b, raw)
	if err := db.watch.Check(); err != nil {
		return model.Record{}, err
	}
	b.slots[0].decode(db, b, raw)
	return b.slots[0].record, b.slots[0].err
}

// Preflight implements [model.Preflighter]: it returns an error if records are
// missing at the end of the .cbh file, looks at the extents of all others and
// returns the first that does not lie inside its file.
func (db *ChessBase) Preflight(ctx context.Context) error {
	return db.unlessChanged(db.files.Preflight(ctx))
}

// Changed returns an error that wraps [model.ErrChanged] if another program has changed
// the database since it was opened. Callers that read its files themselves call it after
// the last read: if it returns nil, everything they read belongs to one state.
func (db *ChessBase) Changed() error { return db.watch.Check() }

// unlessChanged returns the error of reading, or that another program has changed
// the database meanwhile, which may be the reason of it.
func (db *ChessBase) unlessChanged(err error) error { return cmp.Or(db.watch.Check(), err) }

// lose notes why entities could not be read; the first reason counts.
func (db *ChessBase) lose(err error) { db.unread.CompareAndSwap(nil, &err) }

// lost returns why entities could not be read, nil if all could.
func (db *ChessBase) lost() error {
	if err := db.unread.Load(); err != nil {
		return *err
	}
	return nil
}

// Close implements [Database]. Entities cannot be looked up afterwards.
func (db *ChessBase) Close() error {
	db.watch.closed.Store(true)
	return db.files.Close()
}
