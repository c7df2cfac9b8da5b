package read

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/lock"
	"cbkit/model"
)

// FileSet lists the files of one database by their endings.
type FileSet struct {
	// Dir is the folder as it was given. Base is the common name without ending, as the
	// main file spells it or, without a main file, as it was given. Names of other files
	// may differ from Base in upper and lower case: see Name.
	Dir, Base string
	files     fsys.ReadFS
	names     map[string]string // lower-case ending with its dot -> file name
	folders   []string
	deadLinks []string
	before    *Watch // from before the files were listed; nil if they were not
}

// File is an open file of a database.
type File interface {
	io.ReaderAt
	io.Closer
	// Size returns the size in bytes when the file was opened.
	Size() int64
}

// mainFiles are the endings of the files without which there is no database.
var mainFiles = mainsOf(allFormats)

// allFormats are those of databases and that of books, which come last.
var allFormats = append(slices.Clone(dbfile.Databases), dbfile.Book)

// FindFiles lists the files that belong to the database that path names: the
// files in its folder with the same name and an ending that databases have. Names
// match whatever their case, as on the systems the formats come from, as long as
// one file alone has each ending.
//
// What follows the last dot is an ending if databases have such files. Else the
// dot belongs to the name: "Mega.2024" is Mega.2024.cbh, and "Mega.pgn" is
// no file of the Mega.cbh beside it.
//
// If files differ only in case, those spelt exactly like the main file are taken, and as
// main file the one spelt exactly like path. Errors wrap [fs.ErrNotExist] if there is
// nothing, [model.ErrNotDatabase] if the file exists but belongs to no database,
// model.ErrNeedsRecovery if replacing the database was interrupted, and model.ErrLocked
// if it is going on.
func FindFiles(path string) (*FileSet, error) { return findFiles(fsys.OS{}, path) }

// FindFilesFS is [FindFiles] for a database in a file system; name has slashes.
// Without a file system it is FindFiles.
func FindFilesFS(files fs.FS, name string) (*FileSet, error) {
	return findFiles(readFS(files), name)
}

// readFS returns a file system to read from, the disk for none.
func readFS(files fs.FS) fsys.ReadFS {
	if files == nil {
		return fsys.OS{}
	}
	return fsys.FromFS(files)
}

// FindBook is [FindFilesFS] for a book: a name without an ending means the book of that
// name, whatever databases are beside it.
func FindBook(files fs.FS, name string) (*FileSet, error) {
	if !isEnding(dbfile.EndingOf(name)) {
		if set, err := FindFilesFS(files, name+".ctg"); !errors.Is(err, fs.ErrNotExist) {
			return set, err
		}
	}
	return FindFilesFS(files, name)
}

// findFiles waits while a commit has the main file out of its place.
func findFiles(files fsys.ReadFS, path string) (set *FileSet, err error) {
	err = patiently(func() (err error) {
		set, err = findFilesNow(files, path)
		return err
	})
	return set, err
}

// errCommitting says that a commit has taken the main file out of its place for a
// moment.
var errCommitting = fmt.Errorf("%w: it is being changed; try again when that has ended", model.ErrLocked)

// exampleIn names a database in a folder, if there is one.
func exampleIn(files fsys.ReadFS, folder string) string {
	entries, _ := files.ReadDir(folder) // who may not look there gets no example
	for _, e := range entries {
		for _, format := range formatsOf("") {
			if !e.IsDir() && dbfile.Is(e.Name(), format[0].Ext) {
				return ", such as " + filepath.Join(folder, e.Name())
			}
		}
	}
	return ""
}

func findFilesNow(files fsys.ReadFS, path string) (*FileSet, error) {
	dir, file := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	info, err := files.Stat(path)
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder; name a database file in it%s", path, exampleIn(files, path))
	}
	before := watchBefore(files, path, info)
	entries, err := files.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, dbfile.PlainError(err))
	}
	var first *FileSet
	bases := []string{file} // the names of databases that it can mean, the likeliest first
	if stem, ending := dbfile.Split(file); isEnding(ending) {
		bases = []string{stem, file}
	}
	for _, base := range bases {
		formats := formatsOf("")
		if base != file {
			formats = formatsOf(dbfile.EndingOf(file))
		}
		set, err := newFileSet(files, dir, base, formats, entries)
		if err == nil && slices.ContainsFunc(entries, isJournal) {
			if view, watch, err := set.asBefore(writtenOf(formats)); err != nil {
				return nil, err
			} else if view != nil {
				if set, err = findFilesNow(view, path); err == nil {
					set.before = watch
				}
				return set, err
			}
		}
		if err == nil {
			set.before = before
			if !set.hasMain() {
				err = set.interrupted(writtenOf(formats)...)
			}
		}
		if err != nil {
			return nil, err
		}
		if mains := slices.DeleteFunc(mainsOf(dbfile.Databases), func(ext string) bool { return !set.Has(ext) }); len(formats) > 1 && len(mains) > 1 {
			last := len(mains) - 1
			for i, ext := range mains {
				mains[i] = set.Name(ext)
			}
			return nil, fmt.Errorf("%s: %w: there are %s and %s; name one of them", path, model.ErrOption, strings.Join(mains[:last], ", "), mains[last])
		}
		if set.hasMain() || len(set.names) > 0 && base != file {
			return set, nil
		}
		if first == nil {
			first = set
		}
	}
	if len(first.names) > 0 {
		return first, nil
	}
	if _, err := files.Stat(path); err == nil {
		switch {
		case dbfile.Is(file, polyglotEnding):
			return nil, fmt.Errorf("%s: %w: a .bin is an opening book of Polyglot, which has no games", path, model.ErrNotDatabase)
		case dbfile.Is(file, ".abk"):
			return nil, fmt.Errorf("%s: %w: an .abk is an opening book of Arena, which is not read", path, model.ErrNotDatabase)
		}
		return nil, fmt.Errorf("%s: %w: databases and books have no files with the ending %q", path, model.ErrNotDatabase, dbfile.Spelt(file))
	}
	return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
}

// isEnding reports whether databases or books have files with the ending.
func isEnding(ending string) bool {
	return dbfile.ChessBase.What(ending) != "" || slices.ContainsFunc(allFormats[1:], func(f dbfile.Format) bool { return f.Has(ending) })
}

// formatsOf returns the formats that a name with an ending can mean: its own, or
// all.
func formatsOf(ending string) []dbfile.Format {
	if ending == "" || ending == settings {
		return allFormats
	}
	for _, f := range allFormats[1:] {
		if f.Has(ending) {
			return []dbfile.Format{f}
		}
	}
	return allFormats[:1]
}

// settings is the ending of files that all have, and that make no set.
const settings = ".ini"

// written are the main files beside which writers may have left something.
var written = []string{dbfile.ChessBase[0].Ext, dbfile.ChessBase2[0].Ext, dbfile.Simple[0].Ext, dbfile.Scid[0].Ext, dbfile.Book[0].Ext}

// writtenOf returns those of formats.
func writtenOf(formats []dbfile.Format) []string {
	return slices.DeleteFunc(mainsOf(formats), func(ext string) bool { return !slices.Contains(written, ext) })
}

// mainsOf returns the endings of the main files of formats.
func mainsOf(formats []dbfile.Format) (mains []string) {
	for _, f := range formats {
		mains = append(mains, f[0].Ext)
	}
	return mains
}

// newFileSet lists what a folder has of the databases and books of a name. One
// that is asked for by its ending does not answer for another one of its name.
func newFileSet(files fsys.ReadFS, dir, base string, formats []dbfile.Format, entries []fs.DirEntry) (*FileSet, error) {
	var names []string
	for _, e := range entries {
		_, ours := dbfile.OurOwn(e.Name()) // working files and folders
		if isFolder := e.IsDir() || isLink(e); isFolder == isMedia(dbfile.EndingOf(e.Name())) || isLink(e) || ours != "" {
			names = append(names, e.Name())
		}
	}
	set := &FileSet{Dir: dir, Base: base, files: files, names: map[string]string{}}
	for _, f := range formats {
		found, err := dbfile.Find(filepath.Join(dir, base+f[0].Ext), names, func(ending string) bool {
			return f.Takes(ending) || f.Has(mainFiles[0]) && isMedia(ending)
		})
		if err != nil {
			return nil, err
		}
		if found.Has(f[0].Ext) && !set.hasMain() {
			set.Base = found.Stem
		}
		if endings := found.Endings(); len(formats) > 1 || !slices.Equal(endings, []string{settings}) {
			for _, ending := range endings {
				name := found.Name(ending)
				if !isMedia(ending) {
					set.names[ending] = name
					continue
				}
				// A file that has the ending of such a folder belongs to the user.
				if info, err := files.Stat(filepath.Join(dir, name)); err != nil {
					set.deadLinks = append(set.deadLinks, name)
				} else if info.IsDir() {
					set.folders = append(set.folders, name)
				}
			}
		}
	}
	return set, nil
}

// isMedia reports whether an ending is that of a folder of media.
func isMedia(ending string) bool { return slices.Contains(dbfile.MediaFolders, ending) }

func isLink(e fs.DirEntry) bool { return e.Type()&fs.ModeSymlink != 0 }

// hasMain reports whether there is a main file.
func (s *FileSet) hasMain() bool { return slices.ContainsFunc(mainFiles, s.Has) }

// interrupted returns an error if a folder of unfinished work lies beside the
// place of one of the main files, or a writer is at work there.
func (s *FileSet) interrupted(mains ...string) error {
	if s.files != (fsys.OS{}) {
		return nil // nothing is replaced there
	}
	for _, ext := range mains {
		main := s.Path(ext)
		if left, err := journal.Interrupted(fsys.OS{}, main); err == nil && left != "" {
			return interruptedEdit(main)
		}
		if folder, err := atomicset.Interrupted(fsys.OS{}, main); err == nil && folder != "" {
			if pid, held, err := lock.Holder(fsys.OS{}, main, lock.Writer); held && err == nil {
				return &lock.HeldError{Target: main, PID: pid}
			}
			return fmt.Errorf("%s: %w: replacing it was interrupted; run cbkit recover %[1]s", main, model.ErrNeedsRecovery)
		}
	}
	return nil
}

// isJournal reports whether something is the journal of a commit.
func isJournal(e fs.DirEntry) bool {
	_, suffix := dbfile.OurOwn(e.Name())
	return suffix == dbfile.SuffixJournal
}

// asBefore returns the files as they were before an edit of one of the main files that was
// interrupted, where it cannot be taken back since nothing can be written; else nil. The
// watch notices that another process has taken it back all the same.
func (s *FileSet) asBefore(mains []string) (view fsys.ReadFS, w *Watch, err error) {
	if s.files != (fsys.OS{}) {
		return nil, nil, nil
	}
	for _, ext := range mains {
		main := s.Path(ext)
		left, err := journal.Interrupted(fsys.OS{}, main)
		if err != nil || left == "" {
			continue
		}
		if _, held, err := lock.Holder(fsys.OS{}, main, lock.Commit); held || err != nil {
			continue
		}
		if info, err := s.files.Stat(main); err == nil {
			w = &Watch{main: main, stamp: info, taken: true}
		}
		if view, err = journal.Before(fsys.OS{}, main); view != nil || err != nil {
			return view, w, err
		}
	}
	return nil, nil, nil
}

// interruptedEdit returns the error of a main file that has a journal beside it: a
// commit is going on, or was interrupted.
func interruptedEdit(main string) error {
	_, held, err := lock.Holder(fsys.OS{}, main, lock.Commit)
	if err != nil { // of too many open files, say
		return fmt.Errorf("%s: %w: an edit of it is going on or was interrupted; run cbkit recover %[1]s (%[3]w)", main, model.ErrNeedsRecovery, err)
	}
	// It may have ended just now.
	if left, err := journal.Interrupted(fsys.OS{}, main); held || err == nil && left == "" {
		return fmt.Errorf("%s: %w", main, errCommitting)
	}
	return fmt.Errorf("%s: %w: an edit of it was interrupted; run cbkit recover %[1]s", main, model.ErrNeedsRecovery)
}

// Has reports whether there is a file with the given ending, such as ".cbg".
func (s *FileSet) Has(ext string) bool { return s.names[ext] != "" }

// Name returns the name of the file with the given ending as it is on disk;
// of a file that is missing, the name it would have.
func (s *FileSet) Name(ext string) string {
	if name := s.names[ext]; name != "" {
		return name
	}
	return s.Base + ext
}

// Path returns the path of the file with the given ending.
func (s *FileSet) Path(ext string) string { return filepath.Join(s.Dir, s.Name(ext)) }

// Endings returns the endings of all files, sorted.
func (s *FileSet) Endings() []string {
	return slices.Sorted(maps.Keys(s.names))
}

// Folders returns the names of the media folders beside the database, such as
// "Games.html", including links to folders.
func (s *FileSet) Folders() []string { return s.folders }

// DeadLinks returns the names of symbolic links in the places of media folders
// that lead nowhere.
func (s *FileSet) DeadLinks() []string { return s.deadLinks }

// IsSame reports whether one of the folders is the one described.
func (s *FileSet) IsSame(name string, info fs.FileInfo) bool {
	mine, err := s.files.Stat(filepath.Join(s.Dir, name))
	return err == nil && os.SameFile(mine, info)
}

// Folder returns one of the folders as a file system.
func (s *FileSet) Folder(name string) (fs.FS, error) {
	return fsys.Folder(s.files, filepath.Join(s.Dir, name))
}

// Changed returns the modification time of the file with the given ending.
func (s *FileSet) Changed(ext string) (time.Time, error) {
	info, err := s.files.Stat(s.Path(ext))
	if err != nil {
		return time.Time{}, fmt.Errorf("%s: %w", s.Name(ext), dbfile.PlainError(err))
	}
	return info.ModTime(), nil
}

// open opens a file of the set. A missing file gives nil and no error unless
// it is mandatory.
func (s *FileSet) open(ext string, mandatory bool) (*dbfile.File, error) {
	if !s.Has(ext) {
		if mandatory {
			return nil, dbfile.Missing(s.Name(ext))
		}
		return nil, nil
	}
	f, err := dbfile.Open(s.files, s.Path(ext), s.Name(ext))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name(ext), err)
	}
	return f, nil
}

// Open opens the file with the given ending. The error names it, and wraps
// [fs.ErrNotExist] if there is none.
func (s *FileSet) Open(ext string) (File, error) {
	if !s.Has(ext) {
		return nil, fmt.Errorf("%s: %w", s.Name(ext), fs.ErrNotExist)
	}
	f, err := s.open(ext, true)
	if err != nil {
		return nil, err
	}
	return f, nil
}
