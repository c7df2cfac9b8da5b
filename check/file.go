package check

import (
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/read"
)

// file is an open file of a database.
type file struct {
	*dbfile.File
	ext string
}

// openFile opens a file of a set.
func openFile(set *read.FileSet, ext string) (*file, error) {
	f, err := dbfile.Open(fsys.OS{}, set.Path(ext), set.Name(ext))
	if err != nil {
		return nil, err
	}
	return &file{f, ext}, nil
}

// windowSize is how far a window reads ahead: enough for a batch of usual
// games, not much more than it, since every batch has its own.
const windowSize = 1 << 17

func newWindow(f *file) *dbfile.Window { return dbfile.NewWindow(f.File, windowSize) }
