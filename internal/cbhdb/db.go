package cbhdb

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"cbkit/internal/dbfile"
)

// Files finds and opens the files of one database by their endings, which are
// in lower case and have their dot, such as ".cbg".
type Files interface {
	// Has reports whether there is a file with the ending.
	Has(ext string) bool
	// Name returns its name without a folder; of a file that is missing, the
	// one that it would have.
	Name(ext string) string
	// Open opens it. Errors name the file.
	Open(ext string) (*dbfile.File, error)
	// Changed returns when it was changed last, as the file system says.
	Changed(ext string) (time.Time, error)
}

// DB is an open database. Files are opened when they are needed first. Reading
// may be done from several goroutines at once, each with its own readers.
type DB struct {
	files Files

	lock   sync.Mutex
	opened map[string]*dbfile.File

	headers            once[*HeaderFile]
	extensions         once[*ExtensionFile]
	moves, annotations once[*Blocks]
	entities           [6]once[*Entities]
}

// New returns a database without opening any file.
func New(files Files) *DB { return &DB{files: files, opened: map[string]*dbfile.File{}} }

// Files returns the files the database consists of.
func (db *DB) Files() Files { return db.files }

// once is a value that is made when it is needed first.
type once[T any] struct {
	sync.Once
	value T
	err   error
}

func (o *once[T]) get(make func() (T, error)) (T, error) {
	o.Do(func() { o.value, o.err = make() })
	return o.value, o.err
}

// File returns the open file with an ending, nil if there is none. It is closed
// with the database.
func (db *DB) File(ext string) (*dbfile.File, error) {
	if !db.files.Has(ext) {
		return nil, nil
	}
	db.lock.Lock()
	defer db.lock.Unlock()
	if f := db.opened[ext]; f != nil {
		return f, nil
	}
	f, err := db.files.Open(ext)
	if err != nil {
		return nil, err
	}
	db.opened[ext] = f
	return f, nil
}

// Content returns the whole content of a file, nil if there is none.
func (db *DB) Content(ext string) ([]byte, error) {
	if !db.files.Has(ext) {
		return nil, nil
	}
	f, err := db.files.Open(ext)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	b, err := f.All()
	if b == nil && err == nil {
		b = []byte{}
	}
	return b, err
}

// mandatory is File for a file without which nothing can be done.
func (db *DB) mandatory(ext string) (*dbfile.File, error) {
	f, err := db.File(ext)
	if f == nil && err == nil {
		err = dbfile.Missing(db.files.Name(ext))
	}
	return f, err
}

// Close closes all files. Nothing else may be running.
func (db *DB) Close() error {
	var err error
	for _, ext := range slices.Sorted(maps.Keys(db.opened)) {
		err = errors.Join(err, db.opened[ext].Close())
	}
	return err
}
