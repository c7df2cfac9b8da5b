package main

import (
	lib "cbkit"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cbkit/archive"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/model"
	"cbkit/read"
)

// openArchive opens an archive, with the password that is given, or that is asked
// for where one is needed.
func (env *environment) openArchive(file string, flag passwordFlag, opt lib.Options) (*archive.Archive, error) {
	var err error
	if opt.Password, err = flag.given(); err != nil {
		return nil, err
	}
	opt.AskPassword = env.askPassword
	return lib.OpenArchive(file, opt)
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
	if left, err := journal.Interrupted(fsys.OS{}, set.Path(".cbh")); left != "" || err != nil {
		// Else it would be read as it was before the edit.
		return nil, nil, fmt.Errorf("%s: %w: an edit of it was interrupted, and nothing can be written here; copy all its files to "+
			"another folder, and run cbkit recover there", set.Path(".cbh"), model.ErrNeedsRecovery)
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
