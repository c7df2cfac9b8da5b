package booster

import (
	"fmt"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
)

// Files finds the files of a database by their endings, as cbkit/read.FileSet
// does.
type Files interface {
	// Has reports whether there is a file with the ending.
	Has(ext string) bool
	// Name and Path return its name without and with its folder; of a file
	// that is missing, those that it would have.
	Name(ext string) string
	Path(ext string) string
}

// open opens a file. An error for one that is missing wraps fs.ErrNotExist.
func open(files Files, ext string) (*dbfile.File, error) {
	f, err := dbfile.Open(fsys.OS{}, files.Path(ext), files.Name(ext))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files.Name(ext), err)
	}
	return f, nil
}
