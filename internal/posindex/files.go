package posindex

import (
	"time"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
)

// endings2 are the endings of a database of ChessBase 17 by those of a .cbh: of the index,
// and of what it follows from.
var endings2 = map[string]string{".cbh": ".2cbh", ".cbj": ".2lid", ".cbg": ".2cbg", Ext: dbfile.Positions2Ext}

// Named are the names of the files of a database of ChessBase 17 by the endings of a .cbh.
type Named struct {
	Files interface {
		Name(ext string) string
		Path(ext string) string
	}
}

// Name returns the name of a file.
func (n Named) Name(ext string) string { return n.Files.Name(endings2[ext]) }

// Path returns its name with the folder.
func (n Named) Path(ext string) string { return n.Files.Path(endings2[ext]) }

// FilesOf returns the files of a database by the endings of a .cbh.
func FilesOf(files cbhdb.Files) cbhdb.Files {
	if dbfile.IndexExt(files) == dbfile.Positions2Ext {
		return files2{files}
	}
	return files
}

// files2 are the files of a database of ChessBase 17.
type files2 struct{ cbhdb.Files }

func (f files2) Has(ext string) bool                   { return f.Files.Has(endings2[ext]) }
func (f files2) Name(ext string) string                { return f.Files.Name(endings2[ext]) }
func (f files2) Open(ext string) (*dbfile.File, error) { return f.Files.Open(endings2[ext]) }
func (f files2) Changed(ext string) (time.Time, error) { return f.Files.Changed(endings2[ext]) }
