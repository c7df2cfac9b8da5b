package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cbkit/archive"
	"cbkit/model"
	"cbkit/read"
)

// archiveEndings are the endings of archives; the second is enciphered.
var archiveEndings = []string{".cbv", ".cbz"}

// isArchive reports whether a name has the ending of an archive.
func isArchive(name string) bool {
	ext := filepath.Ext(name)
	return strings.EqualFold(ext, archiveEndings[0]) || strings.EqualFold(ext, archiveEndings[1])
}

// splitArchive takes the name of an archive, or of a database in one such as
// "Mega.cbv:Mega.cbh", apart; is is false if it is neither.
func splitArchive(name string) (file, inside string, is bool) {
	if isArchive(name) {
		return name, "", true
	}
	lower := strings.ToLower(name)
	for _, ending := range archiveEndings {
		if i := strings.Index(lower, ending+":"); i >= 0 {
			at := i + len(ending)
			return name[:at], filepath.ToSlash(name[at+1:]), true
		}
	}
	return "", "", false
}

// openArchive opens an archive, with the password that is given, or that is asked
// for where one is needed.
func (env *environment) openArchive(file string, flag passwordFlag, opt archive.Options) (a *archive.Archive, err error) {
	if opt.Password, err = flag.given(); err != nil {
		return nil, err
	}
	if a, err = archive.Open(file, opt); !errors.Is(err, archive.ErrEnciphered) {
		return a, err
	}
	if opt.Password, err = env.askPassword(file); err != nil {
		return nil, err
	}
	return archive.Open(file, opt)
}

// place is where a database is: on the disk, or in an archive.
type place struct {
	packed *archive.Archive // nil on the disk
	name   string           // of the database
}

// locate finds out where a database is. It must be closed.
func (env *environment) locate(name string, flag passwordFlag, opt archive.Options) (*place, error) {
	file, inside, is := splitArchive(name)
	if !is {
		return &place{name: name}, nil
	}
	a, err := env.openArchive(file, flag, opt)
	if err != nil {
		return nil, err
	}
	p := &place{packed: a, name: inside}
	if inside == "" {
		p.name, err = onlyDatabase(file, a)
	}
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return p, nil
}

// onlyDatabase returns the name of the database in an archive.
func onlyDatabase(file string, a *archive.Archive) (string, error) {
	switch names := a.Databases(); len(names) {
	case 1:
		return names[0], nil
	case 0:
		return "", fmt.Errorf("%s: %w: it holds no ChessBase database; cbkit info lists what it holds", file, model.ErrNotDatabase)
	default:
		return "", usageError{fmt.Errorf("%s: holds %d databases; name one of them: %s:%s", file, len(names), file, strings.Join(names, ", "))}
	}
}

// files returns the file system of the archive, nil on the disk.
func (p *place) files() fs.FS {
	if p.packed == nil {
		return nil
	}
	return p.packed.FS()
}

// open opens the database.
func (p *place) open(opt read.Options) (read.Database, error) {
	if p.packed == nil {
		return read.Open(p.name, opt)
	}
	return read.OpenFS(p.packed.FS(), p.name, opt)
}

// close closes the archive.
func (p *place) close() error {
	if p.packed == nil {
		return nil
	}
	return p.packed.Close()
}

// openDatabase opens a database on the disk or in an archive, with what closes
// both.
// Without a code page it takes the one that it recognises.
func (env *environment) openDatabase(name string, flag passwordFlag, opt read.Options) (*input, error) {
	p, err := env.locate(name, flag, archive.Options{CodePage: opt.CodePage, Jobs: opt.Jobs})
	if err != nil {
		return nil, err
	}
	guess := env.recognise(p, codePage(opt.CodePage))
	opt.CodePage = guess.Page
	db, err := p.open(opt)
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	return &input{Source: db, name: mainFile(name), guess: guess, page: guess.Page,
		close: func() error { return errors.Join(db.Close(), p.close()) }}, nil
}

// setFiles returns the names of the files and folders of a ChessBase database
// that belong into an archive.
func (env *environment) setFiles(db string) (dir fs.FS, names []string, err error) {
	set, err := read.FindFiles(db)
	if err != nil {
		return nil, nil, err
	}
	if !set.Has(".cbh") {
		return nil, nil, fmt.Errorf("%s: %w: archives hold ChessBase databases, and there is no %s",
			db, model.ErrNotDatabase, set.Name(".cbh"))
	}
	if set, _, err = set.Watch(".cbh"); err != nil { // the archive sees to it that none of them changes
		return nil, nil, advisedError{err} // it says what to do
	}
	for _, ext := range set.Endings() {
		names = append(names, set.Name(ext))
	}
	names = append(names, set.Folders()...)
	for _, name := range set.DeadLinks() {
		env.damaged(fmt.Errorf("%s: is a link that leads nowhere; what was there is not packed", filepath.Join(set.Dir, name)))
	}
	packed := names[:0]
	for _, name := range names {
		if archive.Packs(name) {
			packed = append(packed, name)
		}
	}
	return os.DirFS(set.Dir), packed, nil
}

// renamed returns names in which a database is called otherwise: from and to are
// without endings.
func renamed(from, to string) func(name string) string {
	return func(name string) string {
		top, rest, _ := strings.Cut(name, "/")
		if ext := path.Ext(top); strings.EqualFold(strings.TrimSuffix(top, ext), from) {
			top = to + ext
		}
		return path.Join(top, rest)
	}
}
