package write

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
	"cbkit/read"
)

// writeSettings writes the .ini file, unless the target has one, which stays;
// nil is none.
func (t *target) writeSettings(mine []byte) error {
	const ext = ".ini"
	path := filepath.Join(filepath.Dir(t.path), t.base+ext)
	if mine == nil {
		return nil
	}
	if _, err := t.opt.files.Lstat(path); err != nil {
		return t.writeFile(ext, mine)
	}
	var there []byte // what cannot be read differs
	if info, err := t.opt.files.Stat(path); err == nil && info.Mode().IsRegular() {
		if f, err := t.opt.files.OpenFile(path, os.O_RDONLY, 0); err == nil {
			there, _ = io.ReadAll(f)
			_ = f.Close() // it was only read
		}
	}
	if !bytes.Equal(there, mine) {
		t.leftBehind(ext, "not copied: %s.ini is there, and stays", t.base)
	}
	return nil
}

// reserve chooses the folders of media of a source that go along: all but those that the
// target has already, the same or equal ones, which stay. Where a folder is in their way it
// refuses them at once.
func (t *target) reserve(from *read.FileSet) error {
	_, machine := t.opt.files.(fsys.OS)
	for _, name := range from.Folders() {
		path := filepath.Join(filepath.Dir(t.path), t.base+dbfile.Spelt(name))
		if there, err := t.opt.files.Stat(path); err == nil {
			mine, err := from.Folder(name)
			if from.IsSame(name, there) || err == nil && machine && equalFolders(mine, os.DirFS(path)) {
				continue
			}
		}
		t.folders = append(t.folders, name)
		if err := t.set.Reserve(t.base + dbfile.Spelt(name)); err != nil {
			return err
		}
	}
	return nil
}

// copyMedia copies the folders of media that were reserved, with all that is in them.
func (t *target) copyMedia(from *read.FileSet) error {
	for _, name := range from.DeadLinks() {
		t.leftBehind(dbfile.EndingOf(name), "not copied: %s is a link that leads nowhere", name)
	}
	for _, folder := range t.folders {
		files, err := from.Folder(folder)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			to := t.base + dbfile.Spelt(folder)
			if name != "." {
				to += "/" + name
			}
			switch {
			case d.IsDir():
				return t.set.MkdirAll(to)
			case d.Type().IsRegular():
				return t.copyFile(func() (fsys.ReadFile, error) { return fsys.FromFS(files).Open(name) }, to)
			}
			t.opt.Report.Add(model.LostField, 0, "media", "%s: not a regular file", to)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	return nil
}

// equalFolders reports whether two folders hold the same: folders and regular
// files of the same names and contents. Anything else in them makes them differ,
// and so does what cannot be read.
func equalFolders(a, b fs.FS) bool {
	listA, okA := listFolder(a)
	listB, okB := listFolder(b)
	if !okA || !okB || !maps.Equal(listA, listB) {
		return false
	}
	for name, size := range listA {
		if size >= 0 && !equalFiles(a, b, name) {
			return false
		}
	}
	return true
}

// listFolder returns the sizes of all files, -1 of folders.
func listFolder(files fs.FS) (sizes map[string]int64, ok bool) {
	sizes = map[string]int64{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			sizes[name] = -1
			return nil
		case !d.Type().IsRegular():
			return fs.ErrInvalid
		}
		info, err := d.Info()
		if err == nil {
			sizes[name] = info.Size()
		}
		return err
	})
	return sizes, err == nil
}

// equalFiles reports whether a file has the same content in both.
func equalFiles(a, b fs.FS, name string) bool {
	fileA, err := a.Open(name)
	if err != nil {
		return false
	}
	defer fileA.Close()
	fileB, err := b.Open(name)
	if err != nil {
		return false
	}
	defer fileB.Close()
	var bufA, bufB [1 << 16]byte
	for {
		n, errA := io.ReadFull(fileA, bufA[:])
		m, errB := io.ReadFull(fileB, bufB[:])
		if !bytes.Equal(bufA[:n], bufB[:m]) {
			return false
		}
		if errA != nil || errB != nil {
			return isEnd(errA) && isEnd(errB)
		}
	}
}

// isEnd reports whether an error of io.ReadFull says that a file has ended.
func isEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// examinedMarks are the marks of the .flags file on their way to the numbers
// that records have here.
type examinedMarks struct {
	stored  []byte        // the file; nil if there is none
	old     *cbh.Examined // nil if it cannot be read
	here    *cbh.Examined
	records model.RecordID // of the source
	moved   bool           // a record has another number here
}

func newExaminedMarks(stored []byte, records model.RecordID) examinedMarks {
	m := examinedMarks{stored: stored, records: records}
	if m.stored == nil {
		return m
	}
	if old, err := cbh.DecodeExamined(m.stored); err == nil {
		m.old = old
		// As large as it can become, so that it need not grow.
		m.here = &cbh.Examined{BitsPerGame: old.BitsPerGame, Bits: make([]byte, len(old.Bits))}
	}
	return m
}

// put notes that a record of the source has a number here.
func (m *examinedMarks) put(here, there model.RecordID) {
	m.moved = m.moved || here != there
	if m.old == nil {
		return
	}
	if mark := m.old.Get(there); mark != cbh.NotExamined {
		m.here.Set(here, mark)
	}
}

// file returns the file for so many records: the stored one if all have kept
// their numbers. It reports false if the marks are lost.
func (m *examinedMarks) file(records int) (content []byte, ok bool) {
	switch {
	case len(m.stored) == 0 || !m.moved && model.RecordID(records) == m.records:
		return m.stored, true
	case m.old == nil:
		return nil, false
	}
	e := cbh.NewExamined(records)
	copy(e.Bits, m.here.Bits)
	return e.Append(nil), true
}
