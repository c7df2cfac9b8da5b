package read

import (
	"context"
	"fmt"
	"io/fs"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Database is an open database: a source of records that also finds single
// ones. It must be closed.
//
// Several goroutines may use a [ChessBase] database at once, to read records and to look
// up entities by id. Any other database may be read by one goroutine at a time, since it
// adds names to its tables as it reads. Close must be the last call on either.
type Database interface {
	model.Source
	model.Preflighter

	// Record returns one record; it is the caller's to keep. An id outside
	// the database is model.ErrNoRecord. The context is looked at once, before
	// anything is read.
	Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error)

	// Info says what the database is. It reads all headers.
	Info(ctx context.Context) (Info, error)

	// Close closes the files. Nothing else may be running.
	Close() error
}

// Options configures how a database is read. The zero value is good for most
// databases.
type Options struct {
	// CodePage is the page of names and texts that are not UTF-8: 1250 to
	// 1258, 437, 850, 852, 866, 874, iso-8859-1 to -16, koi8-r or koi8-u; ""
	// is 1252.
	CodePage string
	// Jobs is how many processors decode; 0 or less uses all. The limit is four times
	// their number.
	Jobs int
	// KeepGoing keeps, of games whose moves do not decode, the moves before the
	// damage, besides Game.MovesErr.
	KeepGoing bool
	// Warn, if not nil, is called for oddities that cost nothing: a header that
	// counts other records than the file has, texts in an unknown code page. The
	// errors are *model.FormatError.
	Warn func(error)
	// Damage is called for damage to a file as a whole that costs something: records
	// that are missing at the end of the main file, an optional file that cannot
	// be used and counts as missing. If it is nil, Warn is called. What is wrong
	// with single records is in Record.Faults.
	Damage func(error)

	asBytes bool // texts keep their bytes, for a guess
}

// Open opens the database that path names: its main file, any of its other
// files, or the name without an ending.
//
// Errors wrap model.ErrNotDatabase if the main file is something else,
// model.ErrTruncated if a header is cut, those of [FindFiles], and say which
// mandatory file is missing.
func Open(path string, opt Options) (Database, error) { return OpenFS(nil, path, opt) }

// OpenFiles opens the database that a set of files forms. If the set holds databases of
// two formats, it opens the one of ChessBase.
func OpenFiles(set *FileSet, opt Options) (Database, error) {
	return open(set, nil, set.Path(".cbh"), opt)
}

// OpenFS is [Open] for a database in a file system, such as an archive; name has
// slashes. Files that have no ReadAt are read into memory when they are needed,
// and refused above 256 MiB.
func OpenFS(files fs.FS, name string, opt Options) (Database, error) {
	set, err := FindFilesFS(files, name)
	return open(set, err, name, opt)
}

// open opens the database of a set, unless there was an error.
func open(set *FileSet, err error, path string, opt Options) (Database, error) {
	if err != nil {
		return nil, err
	}
	format := set.formatOf(path)
	if format == nil {
		if err := set.interrupted(writtenOf(dbfile.Databases)...); err != nil {
			return nil, err
		}
		main := mainFiles[0]
		if mains := mainsOf(formatsOf(dbfile.EndingOf(path))); len(mains) == 1 && isEnding(dbfile.EndingOf(path)) {
			main = mains[0]
		}
		return nil, fmt.Errorf("%s: %w: there is no %s beside it", path, model.ErrNotDatabase, set.Name(main))
	}
	switch main := format[0].Ext; main {
	case ".cbh":
		return opened(set, opt, openChessBase)
	case main2:
		return opened(set, opt, openChessBase2)
	case ".dci":
		return opened(set, opt, openSimple)
	default:
		return opened(set, opt, func(set *FileSet, opt Options) (*Scid, error) { return openScid(set, main, opt) })
	}
}

// Main returns the ending of the main file, such as ".cbh" or ".dci", of the database
// that path names, by which the set was found: that of the format of path's ending or
// else the first that exists; "" if there is none.
func (s *FileSet) Main(path string) string {
	if f := s.formatOf(path); f != nil {
		return f[0].Ext
	}
	return ""
}

// formatOf returns the format of the database that a path names, by which the set was
// found: that of its ending or, if there is none of that, the first. It is nil if there is
// none.
func (s *FileSet) formatOf(path string) (first dbfile.Format) {
	for _, f := range dbfile.Databases {
		switch {
		case !s.Has(f[0].Ext):
		case f.Has(dbfile.EndingOf(path)):
			return f
		case first == nil:
			first = f
		}
	}
	return first
}

// opened opens a database of one state; an error brings no Database that is not nil along.
func opened[D Database](set *FileSet, opt Options, open func(*FileSet, Options) (D, error)) (Database, error) {
	db, err := undisturbed(func() (D, error) { return open(set, opt) })
	if err != nil {
		return nil, err
	}
	return db, nil
}

// warn reports damage that is passed over; nil is none.
func (o Options) warn(err error) {
	if o.Warn != nil && err != nil {
		o.Warn(err)
	}
}

// damage reports damage to a file; nil is none.
func (o Options) damage(err error) {
	if o.Damage != nil && err != nil {
		o.Damage(err)
		return
	}
	o.warn(err)
}

// reportUnread reports a record that cannot be read, and goes on.
func (o Options) reportUnread(_ model.RecordID, err error) error {
	o.damage(err)
	return nil
}

// page returns the code page of the options.
func (o Options) page() (cbh.CodePage, error) {
	if o.asBytes {
		return cbh.Bytes(), nil
	}
	if o.CodePage == "" {
		return cbh.CodePage{}, nil
	}
	return cbh.ParseCodePage(o.CodePage)
}

// TextDecoder returns a function that converts stored bytes of a name or text in
// a code page to UTF-8, for readers of other formats such as
// [cbkit/pgn.ReaderOptions]. Bytes that are UTF-8 already are returned as they
// are. Names of code pages are those of Options.CodePage.
func TextDecoder(codePage string) (func([]byte) string, error) {
	page, err := Options{CodePage: codePage}.page()
	return page.Decode, err
}
