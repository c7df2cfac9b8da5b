package read

import (
	"context"
	"errors"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// ChessBase is an open ChessBase database. It is a [Database]. Several goroutines may
// use it at once, also for passes over its records.
//
// Entities are read when they are looked up, and those asked for last are kept: however
// many there are, they take little memory. One that cannot be read is the zero value; then
// [model.Entities.Err] has an error, and so has every pass over the records, at its end at
// the latest.
type ChessBase struct {
	batched
	files              *cbhdb.DB
	headers            *cbhdb.HeaderFile
	extensions         *cbhdb.ExtensionFile // nil if there is none
	moves, annotations *cbhdb.Blocks

	extras    *dbfile.File // about tournaments; nil if there is none
	extraSize int64

	media    *cbh.MediaFile
	leftover cbh.DatabaseLeftover

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
	db := &ChessBase{}
	db.large, db.heavyHeaders = []string{".cbh", ".cbg", ".cba"}, true
	readBy(&db.batched, func(records int) *batch { return newBatch(db, records) }, db.newRecordReader)
	t := &db.tables
	if err := db.load(set, ".cbh", opt, db.openFiles, db.openExtras,
		openTable(db, &cbh.Players, &t.Players, nil), openTable(db, &cbh.Tournaments, &t.Tournaments, db.addExtras),
		openTable(db, &cbh.Annotators, &t.Annotators, nil), openTable(db, &cbh.Sources, &t.Sources, nil),
		openTable(db, &cbh.Teams, &t.Teams, nil), openTable(db, &cbh.GameTitles, &t.GameTitles, nil), db.readOthers); err != nil {
		return nil, err
	}
	return db, nil
}

// openFiles opens the files of the records.
func (db *ChessBase) openFiles() (err error) {
	db.files = cbhdb.New(cbhdb.FilesOf(db.set))
	db.opened = append(db.opened, db.files)
	if db.headers, err = db.files.HeaderFile(); err != nil {
		return err
	}
	db.count = db.headers.Count
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

// Preflight implements [model.Preflighter]: it returns an error if records are
// missing at the end of the .cbh file, looks at the extents of all others and
// returns the first that does not lie inside its file.
func (db *ChessBase) Preflight(ctx context.Context) error {
	return db.unlessChanged(db.files.Preflight(ctx))
}
