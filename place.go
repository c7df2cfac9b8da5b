package cbkit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"cbkit/archive"
	"cbkit/internal/codepage"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/packed"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// Place is where a database is: on the disk, or in an archive, which is open. It
// must be closed.
type Place struct {
	// Files is the file system of the archive, or that of [Options]; nil is the disk.
	Files fs.FS
	// Name is the name of the database there.
	Name string

	packed *archive.Archive
	zip    *Unzipped   // nil if it is in none
	info   fs.FileInfo // of the name, once it was looked up
}

// Open opens what is there, as [Open] does.
func (p *Place) Open(opt Options) (*Source, error) {
	opt.FS, opt.place = p.Files, p
	return OpenAll([]string{p.Name}, opt)
}

// IsPipe reports whether the place is a pipe, whose reader waits for a writer.
func (p *Place) IsPipe() bool { return p.mode()&fs.ModeNamedPipe != 0 }

// mode returns the kind of what is there on the disk or in a zip, [fs.ModeIrregular] of
// what is not. It is looked up once.
func (p *Place) mode() fs.FileMode {
	if p.info == nil {
		info, err := packed.StatFile(p.Name)
		if err != nil {
			return fs.ModeIrregular
		}
		p.info = info
	}
	return p.info.Mode().Type()
}

// text opens a text, nil if it cannot be read, or only once, as a pipe.
func (p *Place) text() fs.File {
	if p.mode() != 0 {
		return nil
	}
	f, err := packed.OpenFile(p.Name)
	if err != nil {
		return nil
	}
	return f
}

// Beginning returns so many bytes that a text on the disk or in a zip begins with, which may be
// compressed there: nil of what cannot be read, or only once, as a pipe.
func (p *Place) Beginning(size int64) []byte {
	f := p.text()
	if f == nil {
		return nil
	}
	defer f.Close() // it was only read
	text, done, err := packed.NewReader(f, p.Name)
	if err != nil {
		return nil
	}
	defer done()
	beginning, _ := io.ReadAll(io.LimitReader(text, size)) // what is wrong shows again when it is read
	return beginning
}

// AmbiguousError says that an archive or a zip holds several databases, and none of them was
// named. It is a kind of model.ErrOption.
type AmbiguousError struct {
	Archive   string
	Databases []string
}

// Error names the databases.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s: holds %d databases; name one of them: %s:%s", e.Archive, len(e.Databases), e.Archive, listed(e.Databases))
}

// Is reports that e is a kind of [model.ErrOption].
func (e *AmbiguousError) Is(target error) bool { return target == model.ErrOption }

// Locate finds where a database is: on the disk ("Games.cbh"), in an archive that has
// only one ("Mega.cbv"), or in one of several ("Mega.cbv:Mega.cbh"). Packages read and
// search take what it returns; [Place.Open] opens it. A database in a zip is unpacked;
// see [Unzip].
func Locate(path string, opt Options) (*Place, error) {
	if opt.FS == nil && needsUnzip(nil, path) {
		u, err := Unzip(context.Background(), path)
		if err != nil {
			return nil, err
		}
		p, err := Locate(u.Names[0], opt)
		if err != nil {
			return nil, errors.Join(err, u.Close())
		}
		p.zip = u
		return p, nil
	}
	file, inside, is := SplitArchive(path)
	if !is {
		return &Place{Files: opt.FS, Name: path}, nil
	}
	opt.KeepGoing = opt.Incomplete // of games that is noticed where they are read
	a, err := OpenArchive(file, opt)
	if err != nil {
		return nil, err
	}
	for _, m := range a.Members() {
		if m.Err != nil && opt.Damage != nil {
			opt.Damage(m.Err)
		}
	}
	p := &Place{Files: a.FS(), Name: inside, packed: a}
	if inside == "" {
		if p.Name, err = OnlyDatabase(a); err != nil {
			return nil, errors.Join(err, a.Close())
		}
	}
	return p, nil
}

// OnlyDatabase returns the name of the only database in an archive. If there are
// several the error is an [*AmbiguousError].
func OnlyDatabase(a *archive.Archive) (string, error) {
	switch names := a.Databases(); len(names) {
	case 0:
		return "", fmt.Errorf("%s: %w: it holds no ChessBase database; cbkit info lists what it holds", a.Name(), model.ErrNotDatabase)
	case 1:
		return names[0], nil
	default:
		return "", &AmbiguousError{a.Name(), names}
	}
}

// OpenArchive opens an archive. If it needs a password, it uses that of the options or
// asks AskPassword. Of the other options only CodePage, Jobs and KeepGoing count.
func OpenArchive(file string, opt Options) (*archive.Archive, error) {
	with := archive.Options{CodePage: opt.CodePage, Jobs: opt.Jobs, KeepGoing: opt.KeepGoing, Password: opt.Password}
	open := func() (*archive.Archive, error) { return archive.Open(file, with) }
	if opt.FS != nil {
		open = func() (*archive.Archive, error) {
			packed, err := fs.ReadFile(opt.FS, file)
			if err != nil {
				return nil, err
			}
			return archive.NewReader(bytes.NewReader(packed), int64(len(packed)), file, with)
		}
	}
	a, err := open()
	if opt.AskPassword == nil || !errors.Is(err, archive.ErrEnciphered) {
		return a, err
	}
	if with.Password, err = opt.AskPassword(file); err != nil {
		return nil, err
	}
	return open()
}

// GuessCodePage recognises the page of names and texts that are not UTF-8.
func (p *Place) GuessCodePage() (model.PageGuess, error) {
	set, err := read.FindFilesFS(p.Files, p.Name)
	if err != nil {
		return model.PageGuess{}, err
	}
	return read.GuessCodePage(context.Background(), set)
}

// Close closes the archive, and removes what was unpacked of a zip. A second call does nothing.
func (p *Place) Close() error {
	var errs [2]error
	if p.packed != nil {
		errs[0] = p.packed.Close()
	}
	if p.zip != nil {
		errs[1] = p.zip.Close()
	}
	return errors.Join(errs[:]...)
}

// How much of PGN files a guess looks at, in bytes: of the beginning, and of
// pieces all over a file that is not compressed.
const (
	guessBeginning = 1 << 20
	guessPiece     = 1 << 16
	guessPieces    = 32
	guessFiles     = 64 // of more, less of the beginning of each, and no pieces
)

// GuessTextPage guesses the code page of the texts in PGN files that are not UTF-8. It
// reads the beginning of each file and, if the files are few, pieces from all over. Files
// that cannot be read, or only once, are skipped.
func GuessTextPage(paths ...string) model.PageGuess {
	var d codepage.Detector
	for _, path := range paths {
		if f := (&Place{Name: path}).text(); f != nil {
			sampleText(&d, f, path, max(guessPiece/16, guessBeginning*min(guessFiles, len(paths))/len(paths)))
			_ = f.Close() // it was only read
		}
	}
	return d.Guess()
}

// sampleText shows lines of a file to a detector, of so many bytes of its beginning.
func sampleText(d *codepage.Detector, f fs.File, path string, beginning int) {
	info, err := f.Stat()
	if err != nil {
		return
	}
	size := info.Size()
	text, done, err := packed.NewReader(f, path)
	if err != nil {
		return
	}
	var front bytes.Buffer
	front.Grow(int(min(size, int64(beginning))) + bytes.MinRead)
	_, _ = front.ReadFrom(io.LimitReader(text, int64(beginning))) // what is wrong shows again when it is read
	addLines(d, front.Bytes(), true, front.Len() < beginning)
	done()
	head := make([]byte, packed.HeadSize)
	at, is := f.(io.ReaderAt)
	if !is || beginning < guessBeginning { // in a zip, or one of many
		return
	}
	if n, _ := at.ReadAt(head, 0); packed.IsPacked(head[:n]) {
		return
	}
	piece := make([]byte, guessPiece)
	for i := int64(1); i <= guessPieces && size > guessBeginning; i++ {
		n, _ := at.ReadAt(piece, size*i/(guessPieces+1))
		addLines(d, piece[:n], false, false)
	}
}

// addLines shows the lines of a piece of text to a detector. Where the text goes on
// before or behind the piece, its first or last line may be cut in a character and
// is left out.
func addLines(d *codepage.Detector, piece []byte, begins, ends bool) {
	if !begins {
		piece = piece[bytes.IndexByte(piece, '\n')+1:]
	}
	if !ends {
		piece = piece[:bytes.LastIndexByte(piece, '\n')+1]
	}
	if utf8.Valid(piece) { // as it is then of all its lines
		return
	}
	for line := range bytes.Lines(piece) {
		if d.Enough() {
			return
		}
		d.Add(line)
	}
}

// IsFolder reports whether path is a folder, except one of tables.
func IsFolder(path string) bool {
	if FormatOf(path) != ChessBase {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// InFolder returns the names of everything in a folder that can be opened: each database
// once, by its main file, in the order of names. It does not look into folders inside,
// and skips links to other files of the folder and what is no file, such as a pipe.
// Wanted selects formats; a zip has that of the first thing in it.
func InFolder(folder string, wanted func(Format) bool) (list []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	mains := map[string]bool{}
	var orphans []string
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		as := FormatNamed(path)
		if !e.IsDir() && !e.Type().IsRegular() && !isOther(path, entries) {
			continue
		}
		if !e.IsDir() && IsZip(path) {
			as = formatIn(nil, path)
			if wanted(as) {
				list = append(list, path)
			}
			continue
		}
		if e.IsDir() || as == noFormat || !wanted(as) {
			continue
		}
		if !as.IsFile() && !dbfile.Is(path, endings[as][0]) {
			orphans = append(orphans, path)
			continue
		}
		if as == Polyglot {
			book, err := read.OpenBook(context.Background(), path)
			if errors.Is(err, model.ErrNotDatabase) {
				continue // the ending is used for much else
			}
			if err == nil {
				_ = book.Close() // it was only read
			}
		}
		mains[dbfile.SetKey(path)] = true
		list = append(list, path)
	}
	// A database of which the main file is gone is there, too.
	for _, path := range orphans {
		if key := dbfile.SetKey(path); !mains[key] {
			mains[key] = true
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list, nil
}

// isOther reports whether a name that is none of a file may lead to one that stands
// elsewhere: a link, and not to a pipe or to a file of the same folder with the same ending.
func isOther(path string, entries []fs.DirEntry) bool {
	info, err := os.Stat(path)
	if err != nil {
		return true // which is told when it is opened
	}
	return info.IsDir() || info.Mode().IsRegular() && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		there, err := e.Info()
		return err == nil && e.Type().IsRegular() && dbfile.SameName(dbfile.EndingOf(e.Name()), dbfile.EndingOf(path)) && os.SameFile(there, info)
	})
}

// OpenEach returns several sources as one, as [OpenAll] does, but opens each with open
// when its turn comes and closes it after its records, so that one is open at a time. If
// one cannot be opened, or read to its end, broken is called with the error and the
// others are read; if broken is nil the error ends the records. [Source.Origin] tells
// where a record is from.
func OpenEach(names []string, open func(name string) (*Source, error), broken func(error)) *Source {
	e := &each{names: names, open: open, broken: broken, was: map[string]fs.FileInfo{}}
	return &Source{Source: e, each: e}
}

// Origin returns the name of the source from which [OpenEach] read a record, and its id
// there; for other sources it returns "" and id. It knows only records that were read.
func (s *Source) Origin(id model.RecordID) (name string, in model.RecordID) {
	switch {
	case s.closed.Load():
		return "", 0
	case s.each == nil || len(s.each.before) == 0:
		return "", id
	}
	i, _ := slices.BinarySearch(s.each.before, id)
	return s.each.names[i-1], id - s.each.before[i-1]
}

// each is several sources, of which one is open at a time.
type each struct {
	names    []string
	open     func(string) (*Source, error)
	broken   func(error)
	entities model.Entities
	before   []model.RecordID       // how many records stand before each, as far as they were read
	was      map[string]fs.FileInfo // what Stat said of each before it was first read
}

// Entities implements [model.Source].
func (e *each) Entities() *model.Entities { return &e.entities }

// Count implements [model.Source].
func (e *each) Count() int { return -1 }

// Leftover implements [model.Source].
func (e *each) Leftover() *model.Leftover { return nil }

// Progress implements [model.Measured].
func (e *each) Progress() (done, total int64) { return int64(len(e.before)), int64(len(e.names)) }

// Records implements [model.Source].
func (e *each) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		last, known := model.RecordID(0), e.before
		e.before = nil
		for i, name := range e.names {
			e.before = append(e.before, last)
			if err := e.unchanged(name); err != nil {
				yield(model.Record{}, err)
				return
			}
			if from > 1 && i+1 < len(known) && known[i+1] < from { // all of it stands before
				last = known[i+1]
				continue
			}
			err := func() error {
				src, err := e.open(name)
				if err != nil {
					return err
				}
				defer src.Close() // it was only read
				// The names of PGN need not be joined.
				if text, is := src.Source.(*pgn.Reader); is {
					text.SetEntities(&e.entities)
				}
				ids, start := model.NewEntityMap(src.Entities(), &e.entities), last
				for rec, err := range src.Records(ctx, 1, want) {
					if err != nil && rec.ID == 0 {
						return err
					}
					if last = start + rec.ID; last < from {
						continue
					}
					if src.Entities() != &e.entities {
						rec = ids.Record(rec)
					}
					if rec.ID = last; !yield(rec, err) {
						return errStopped
					}
				}
				return src.Entities().Err()
			}()
			switch {
			case err == nil:
			case err == errStopped:
				return
			case e.broken == nil || ctx.Err() != nil:
				yield(model.Record{}, err)
				return
			default:
				e.broken(err)
			}
		}
	}
}

// unchanged returns an error if a source is not what it was at the reading before.
func (e *each) unchanged(name string) error {
	now, err := fsys.OS{}.Stat(name)
	if err != nil {
		return nil // open tells
	}
	if was := e.was[name]; was != nil && !fsys.Unchanged(was, now) {
		return fmt.Errorf("%s: %w while the folder was read: do it again", name, model.ErrChanged)
	}
	e.was[name] = now
	return nil
}

// errStopped ends the reading of sources.
var errStopped = errors.New("stopped")
