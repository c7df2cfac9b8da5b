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
	l.Records = int32(db.headers.Count)
	if x := db.extensions; x != nil {
		l.Ext, l.ExtRecords = &x.Head, int32(min(x.Stored, int64(l.Records))) // others than those of the .cbh file do not count
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
	db.media = cbh.NewMediaFile()
	if l.Media != nil {
		media, err := cbh.DecodeMediaFile(l.Media)
		if err == nil {
			db.media = media
		} else {
			l.Media = nil
			if err := db.passOver(".cbm", wire.Locate(err, db.set.Name(".cbm"), 0, -1)); err != nil {
				return err
			}
		}
	}
	for _, ext := range db.set.Endings() {
		isRead := ext == settings || slices.Contains(readFiles, ext) // it is in the records, tables or leftover
		if !isRead && dbfile.IsChessBase(ext) && !dbfile.IsBooster(ext) || slices.Contains(db.passedOver, ext) {
			l.Others = append(l.Others, ext)
		}
	}
	return nil
}

// readFiles hold the records and what belongs to them.
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
