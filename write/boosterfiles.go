package write

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/tempfile"
)

// boosterFiles are new booster files of a database. Each is written beside its
// place under another name and takes that place when all are complete. At no
// time is a table with the blocks of another there, nor a seal for another .cbb
// file: what does not fit goes first, and a booster that is missing does no
// harm.
type boosterFiles struct {
	fs    fsys.FS
	files places
	mode  fs.FileMode       // of the database, which its boosters get
	ready []string          // endings of the new files
	temp  map[string]string // their names until they take their places
	open  []fsys.File       // all that was created
}

// places are the names of the files of a database, by their endings, without and
// with their folder.
type places interface {
	Name(ext string) string
	Path(ext string) string
}

// newBoosterFiles begins boosters that have the permissions of their database. In
// the place of one may be a file or a link, which gives way, and nothing else.
func newBoosterFiles(files fsys.FS, set places) (*boosterFiles, error) {
	info, err := files.Stat(set.Path(".cbh"))
	if err != nil {
		return nil, err
	}
	for _, ext := range append(slices.Clone(BoosterExts), booster.SealExt) {
		old, err := files.Lstat(set.Path(ext))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case old.Mode().Type()&^fs.ModeSymlink != 0:
			return nil, fmt.Errorf("%s: is in the place of a search booster, but no file; move it away", set.Path(ext))
		}
	}
	return &boosterFiles{fs: files, files: set, mode: info.Mode().Perm(), temp: map[string]string{}}, nil
}

// create begins a new file with room for a header.
func (b *boosterFiles) create(ext string, headSize int) (*blockFile, error) {
	f, name, err := tempfile.Create(b.fs, b.files.Path(ext), b.mode)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.files.Name(ext), dbfile.PlainError(err))
	}
	b.open, b.temp[ext] = append(b.open, f), name
	b.ready = append(b.ready, ext)
	return newBlockFile(syncedFile{f}, b.files.Name(ext), headSize)
}

// createScratch begins a file for sorting.
func (b *boosterFiles) createScratch() (fsys.File, error) {
	f, err := tempfile.NewScratch(b.fs, filepath.Dir(b.files.Path(".cbh")), "lists")
	if err != nil {
		return nil, fmt.Errorf("a file for sorting: %w", dbfile.PlainError(err))
	}
	b.open = append(b.open, f)
	return f, nil
}

// syncedFile is on the disk when it is closed.
type syncedFile struct{ fsys.File }

// Close implements io.Closer.
func (f syncedFile) Close() error {
	if err := f.Sync(); err != nil {
		return err
	}
	return f.File.Close()
}

// cleanUp closes what is still open and removes what is left of the new files.
// There is nothing to be done about errors: the files are in nobody's way, and
// recovering removes them.
func (b *boosterFiles) cleanUp() {
	for _, f := range b.open {
		_ = f.Close()
	}
	for _, path := range b.temp {
		_ = b.fs.Remove(path)
	}
}

// place puts the new files into their places, and then the seal for them unless
// it is nil.
func (b *boosterFiles) place(seal *booster.Seal) error {
	first := []string{booster.SealExt} // what must be gone first
	var last []string                  // what comes last
	for _, ext := range b.ready {
		if ext == cbh.Lists.Table || ext == cbh.TitleLists.Table {
			first, last = append(first, ext), append(last, ext)
		}
	}
	for _, ext := range first {
		if err := b.remove(ext); err != nil {
			return err
		}
	}
	if err := b.sync(); err != nil {
		return err
	}
	for _, ext := range append(without(b.ready, last), last...) {
		if err := b.replace(ext); err != nil {
			return err
		}
	}
	if seal != nil {
		if err := b.writeSeal(seal); err != nil {
			return err
		}
	}
	return b.sync()
}

// without returns the elements of list that are not in other.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// writeSeal writes the seal, when all that it speaks of is on the disk: what it is
// given, and the new files.
func (b *boosterFiles) writeSeal(seal *booster.Seal) error {
	if err := b.sync(); err != nil {
		return err
	}
	for _, ext := range b.ready {
		if err := b.addTo(seal, ext); err != nil {
			return fmt.Errorf("%s: %w", b.files.Name(ext), dbfile.PlainError(err))
		}
	}
	f, err := b.create(booster.SealExt, 0)
	if err == nil {
		err = f.append(seal.Append(nil))
	}
	if err == nil {
		err = f.finish(nil)
	}
	if err != nil {
		return err
	}
	return b.replace(booster.SealExt)
}

// addTo adds a new file to a seal.
func (b *boosterFiles) addTo(seal *booster.Seal, ext string) error {
	info, err := b.fs.Stat(b.files.Path(ext))
	if err != nil {
		return err
	}
	f, err := b.fs.OpenFile(b.files.Path(ext), os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close() // it was only read
	return seal.Set(ext, booster.NewState(info.Size(), info.ModTime()), f)
}

// replace moves a new file into its place.
func (b *boosterFiles) replace(ext string) error {
	if err := b.remove(ext); err != nil {
		return err
	}
	if err := b.fs.Rename(b.temp[ext], b.files.Path(ext)); err != nil {
		return fmt.Errorf("%s: %w", b.files.Name(ext), err)
	}
	delete(b.temp, ext)
	return nil
}

// remove removes a file that may be missing.
func (b *boosterFiles) remove(ext string) error {
	err := b.fs.Remove(b.files.Path(ext))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s: %w", b.files.Name(ext), dbfile.PlainError(err))
}

// sync brings all changes of names to the disk.
func (b *boosterFiles) sync() error { return b.fs.SyncDir(filepath.Dir(b.files.Path(".cbh"))) }
