package cbhedit

import (
	"errors"
	"fmt"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/internal/posindex"
	"cbkit/model"
)

// DB is a database under change. After an error of a method that changes
// something the transaction can only be rolled back. It is for one goroutine.
type DB struct {
	set    *journal.Set
	limits limits
	names  *dbfile.Names // as of the beginning of the transaction

	db          *cbhdb.DB
	headers     *cbhdb.HeaderFile
	extensions  *cbhdb.ExtensionFile // nil if there is none
	moves       *blocks
	annotations *blocks
	entities    [6]*Entities
	extras      *extras
	// dangling are the records that refer to entities behind the last ones, by kind; none
	// is known before it is needed. It holds as long as the editor: what changes
	// refers to entities that are there.
	dangling [cbhdb.Titles + 1]danglingReference

	before model.RecordID // number of records before the transaction
	// What has changed: headers; the number of records of the .cbj file;
	// references, or the numbers of entities, those of game titles apart.
	headersChanged, extsGrown, listsChanged, titlesChanged bool
	// extsIncomplete says that the .cbj file did not have the records of all games before;
	// emptied that an entity file has become one without records.
	extsIncomplete, emptied bool
	// changedReferences are the records, of those before, whose references have changed.
	changedReferences idSet
	// changedHeaders are those whose headers have changed, but for places.
	changedHeaders idSet

	offsets *dbfile.File // the .cbgi file, nil if there is none that fits
	seal    seal
	index   *posindex.Edit // nil if there is nothing to do
	// Changed is the clock of change times, which tests set; nil is time.Now.
	Changed func() time.Time
	did     Work
	failed  error
}

// Work is what a transaction did, besides what it was asked for.
type Work struct {
	// Moved is the number of bytes that had to make room.
	Moved int64
	// Rewritten are the names of files that were written anew as a whole.
	Rewritten []string
	// Once are changes that are made once in the life of a database, in words.
	Once []string
	// Dropped are the names of search boosters that no longer fit.
	Dropped []string
	// Added and Removed are the numbers of entities that came and went.
	Added, Removed int
}

// DefaultMemory is the memory for changes, in bytes.
const DefaultMemory = 16 << 20

// limits are how much is kept in memory of what grows with the changes, or with
// the database.
type limits struct {
	entities int   // records of each entity file
	uses     int   // entities whose references have become more
	inPlace  int64 // bytes of a file that are always changed where they are
}

// Open begins with the files of a set. Memory is how much to use, in bytes; 0 is
// DefaultMemory.
func Open(set *journal.Set, memory int) (*DB, error) {
	if memory == 0 {
		memory = DefaultMemory
	}
	d := &DB{set: set, limits: limitsOf(memory)}
	return d, d.Begin()
}

// limitsOf returns the limits for so much memory.
func limitsOf(memory int) limits {
	return limits{entities: max(memory>>10, 4), uses: max(memory>>7, 1), inPlace: int64(memory >> 6)}
}

// Create makes the files of a database without records in a set that has none, and opens
// it. Those that are not to be the usual ones are given by their endings.
func Create(set *journal.Set, given map[string][]byte) (*DB, error) {
	d := &DB{set: set, limits: limitsOf(DefaultMemory)}
	var err error
	if d.names, err = set.Files(); err != nil {
		return nil, err
	}
	for _, ext := range cbh.NewFileExts {
		content, is := given[ext]
		if !is {
			content, _ = cbh.EmptyFile(ext)
		}
		if err := d.create(ext, content); err != nil {
			return nil, err
		}
	}
	return d, d.Begin()
}

// Begin starts a transaction: the one before was committed or rolled back.
func (d *DB) Begin() (err error) {
	d.did = Work{}
	defer func() { d.failed = err }() // and every call returns it
	d.headersChanged, d.extsGrown, d.listsChanged, d.titlesChanged, d.emptied = false, false, false, false, false
	d.changedReferences, d.changedHeaders, d.seal, d.index = nil, nil, seal{}, nil
	if d.names, err = d.set.Files(); err != nil {
		return err
	}
	if err := d.reopen(); err != nil {
		return err
	}
	if err := d.headers.Cut(); err != nil {
		return fmt.Errorf("%w; what is there can be saved with cbkit salvage", err)
	}
	d.before = d.headers.Count
	d.extsIncomplete = d.extensions == nil || d.extensions.Stored < int64(d.before)
	for i, kind := range cbh.EntityFiles {
		d.entities[i] = &Entities{d: d, kind: kind, signed: kind.DefaultSigned, cache: map[int32]cbhdb.EntityRecord{}, uses: map[int32]*use{}}
	}
	d.extras = nil
	if d.offsets, err = d.openOffsets(); err != nil {
		return err
	}
	if d.moves, err = d.openBlocks((*cbhdb.DB).MoveFile, (*cbhdb.Header).MovesAt, d.moves); err != nil {
		return err
	}
	d.annotations, err = d.openBlocks((*cbhdb.DB).AnnotationFile, (*cbhdb.Header).AnnotationsAt, d.annotations)
	return err
}

// reopen opens the files anew: one has come.
func (d *DB) reopen() (err error) {
	d.db = cbhdb.New(files{d})
	if d.headers, err = d.db.HeaderFile(); err != nil {
		return err
	}
	d.extensions, err = d.db.ExtensionFile()
	return err
}

// Count returns the number of records.
func (d *DB) Count() model.RecordID { return d.headers.Count }

// Name returns the name of the file with an ending, of one that is missing the
// one that it would have.
func (d *DB) Name(ext string) string { return files{d}.Name(ext) }

// file returns a file of the set, which may be missing.
func (d *DB) file(ext string) (*journal.File, error) { return d.set.File(d.Name(ext)) }

// has reports whether there is a file.
func (d *DB) has(ext string) bool { return files{d}.Has(ext) }

// create makes a file that was not there.
func (d *DB) create(ext string, content []byte) error {
	f, err := d.file(ext)
	if err != nil {
		return err
	}
	return f.Fill(content)
}

// files are the files of the transaction for package cbhdb.
type files struct{ d *DB }

// Has implements cbhdb.Files.
func (s files) Has(ext string) bool {
	f, err := s.d.file(ext)
	if err != nil {
		return s.d.names.Has(ext) // opening it returns the error
	}
	return f.Exists()
}

// Name implements cbhdb.Files.
func (s files) Name(ext string) string { return s.d.names.Name(ext) }

// Open implements cbhdb.Files.
func (s files) Open(ext string) (*dbfile.File, error) {
	f, err := s.d.file(ext)
	if err != nil {
		return nil, err
	}
	return dbfile.New(opened{f}, s.Name(ext)), nil
}

// Changed implements cbhdb.Files.
func (s files) Changed(ext string) (time.Time, error) {
	f, err := s.d.file(ext)
	if err != nil {
		return time.Time{}, err
	}
	return f.Changed(), nil
}

// opened is a file that is closed with the set.
type opened struct{ *journal.File }

// Close implements io.Closer.
func (opened) Close() error { return nil }

// errFailed is what every call returns after an error, until the next transaction
// begins.
var errFailed = errors.New("the transaction has failed; only a rollback can follow")

// fail notes that a change was made in part.
func (d *DB) fail(err error) error {
	if err != nil && d.failed == nil {
		d.failed = err
	}
	return err
}

// check refuses work after an error.
func (d *DB) check() error {
	if d.failed == nil || errors.Is(d.failed, model.ErrNeedsRecovery) { // then no rollback can follow
		return d.failed
	}
	return fmt.Errorf("%w: %w", errFailed, d.failed)
}

// noteOnce notes a change that is made once.
func (d *DB) noteOnce(format string, args ...any) {
	d.did.Once = append(d.did.Once, fmt.Sprintf(format, args...))
}
