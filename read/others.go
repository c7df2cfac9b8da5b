package read

import (
	"slices"
	"strings"

	"cbkit/internal/cbh"
	"cbkit/internal/wire"
)

// readOthers reads the small files that are kept as a whole, and lists the
// rest.
func (db *ChessBase) readOthers() error {
	db.leftover.Games = &db.head
	// The sizes in these headers are those of the files as they are, holes
	// included; a copy has its own.
	db.leftover.Moves = &cbh.BlockHeader{Size: db.moves.Size}
	db.leftover.Annotations = &cbh.BlockHeader{Size: db.notes.Size}
	if db.cbj != nil {
		db.leftover.Ext = &db.ext
	}
	for _, f := range []struct {
		ext string
		to  *[]byte
	}{{".cbm", &db.leftover.Media}, {".flags", &db.leftover.Examined}, {".ini", &db.leftover.Settings}} {
		b, err := db.set.readAll(f.ext)
		if err != nil {
			return err
		}
		*f.to = b
	}
	for _, ext := range db.set.Endings() {
		if isCompanion(ext) {
			db.leftover.Others = append(db.leftover.Others, ext)
		}
	}
	return db.readMedia()
}

// readAll reads a file that may be missing; then it returns nil.
func (s *FileSet) readAll(ext string) ([]byte, error) {
	f, err := s.open(ext, false)
	if f == nil {
		return nil, err
	}
	defer f.Close()
	return f.all()
}

// isCompanion reports whether a file belongs to the database although nothing
// of it is in the records, tables or leftover: boosters and opening keys, with
// room for endings that later programs may use.
func isCompanion(ext string) bool {
	if slices.Contains(cbh.NewFileExts, ext) || slices.Contains(otherDatabases, ext) {
		return false
	}
	for _, prefix := range []string{".cb", ".ci", ".ck", ".cp"} {
		if strings.HasPrefix(ext, prefix) {
			return true
		}
	}
	return ext == ".pgi"
}

// otherDatabases are the endings of files that are databases of their own:
// archives of whole ones, those of the 1990s, and those in a single file.
var otherDatabases = []string{".cbv", ".cbz", ".cbf", ".cbi", ".cbone"}

// readMedia reads the .cbm file.
func (db *ChessBase) readMedia() error {
	if db.leftover.Media == nil {
		db.media = cbh.NewMediaFile()
		return nil
	}
	media, err := cbh.DecodeMediaFile(db.leftover.Media)
	db.media = media
	return wire.Locate(err, db.set.Name(".cbm"), 0, -1)
}
