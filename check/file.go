package check

import (
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/read"
)

// openFile opens a file of a set. The error names it.
func openFile(set *read.FileSet, ext string) (*dbfile.File, error) {
	return cbhdb.FilesOf(set).Open(ext)
}

// windowSize is how far a window reads ahead: enough for a batch of usual
// games, not much more than it, since every batch has its own.
const windowSize = 1 << 17

func newWindow(f *dbfile.File) *dbfile.Window { return dbfile.NewWindow(f, windowSize) }
