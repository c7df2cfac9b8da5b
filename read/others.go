package read

import (
	"errors"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// readOthers reads the small files that are kept as a whole, and lists the
// rest, but for boosters, which follow from the database.
func (db *ChessBase) readOthers() error {
	l := &db.leftover
	l.Games, l.Moves, l.Annotations = &db.headers.Head, &db.moves.Head, &db.annotations.Head
	l.Records, l.ExtRecords = int32(db.headers.Count), int32(db.extCount())
	if db.extensions != nil {
		l.Ext = &db.extensions.Head
	}
	for _, f := range []struct {
		ext string
		to  *[]byte
	}{{".cbm", &l.Media}, {".flags", &l.Examined}, {".ini", &l.Settings}} {
		b, err := db.files.Content(f.ext)
		if err != nil {
			return err
		}
		*f.to = b
	}
	if err := db.readMedia(); err != nil {
		return err
	}
	for _, ext := range db.set.Endings() {
		if !isRead(ext) && dbfile.IsChessBase(ext) && !dbfile.IsBooster(ext) || slices.Contains(db.passedOver, ext) {
			l.Others = append(l.Others, ext)
		}
	}
	return nil
}

// isRead reports whether what a file holds is in the records, tables or leftover
// of the database.
func isRead(ext string) bool { return ext == ".ini" || slices.Contains(readFiles, ext) }

var readFiles = dbfile.ChessBase.Exts(dbfile.Main, dbfile.Part, dbfile.Optional)

// passOver takes an error in an optional file, whose name it has. One that
// is damaged counts as missing, and a copy carries it like one of which nothing
// is known.
func (db *ChessBase) passOver(ext string, err error) error {
	warning, failure := dbfile.PassOver(err)
	if warning != nil {
		db.passedOver = append(db.passedOver, ext)
		if errors.Is(err, model.ErrUnsupported) {
			db.opt.warn(warning) // sound, perhaps, for a program that knows it
		} else {
			db.opt.damage(warning)
		}
	}
	return failure
}

// readMedia takes the .cbm file, which was read, apart.
func (db *ChessBase) readMedia() error {
	db.media = cbh.NewMediaFile()
	if db.leftover.Media == nil {
		return nil
	}
	media, err := cbh.DecodeMediaFile(db.leftover.Media)
	if err != nil {
		db.leftover.Media = nil
		return db.passOver(".cbm", wire.Locate(err, db.set.Name(".cbm"), 0, -1))
	}
	db.media = media
	return nil
}
