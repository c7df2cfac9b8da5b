package write

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/fsys"
	"cbkit/model"
	"cbkit/read"
)

// companions are what goes along with the records of a ChessBase source, also
// where these are written afresh: files of settings and marks, folders of
// media.
type companions struct {
	// stored is nil if the source is not from a ChessBase database, files if
	// it is not at hand as files.
	stored   *cbh.DatabaseLeftover
	files    *read.FileSet
	examined examinedMarks
}

// companionsOf returns what goes along from a source, which has stored what is
// given besides its records; nil if it is not from a ChessBase database.
func companionsOf(src model.Source, stored *cbh.DatabaseLeftover) companions {
	if stored == nil {
		return companions{}
	}
	c := companions{stored: stored, examined: newExaminedMarks(stored)}
	if db, ok := src.(*read.ChessBase); ok {
		c.files = db.Files()
	}
	return c
}

// settings returns the .ini file to write: none where the target has one, which
// stays.
func (c *Creator) settings() []byte {
	if c.companions.stored == nil {
		return nil
	}
	mine := c.companions.stored.Settings
	if mine == nil {
		return nil
	}
	if there, is := c.atTarget(".ini"); is {
		if !bytes.Equal(there, mine) {
			c.leftBehind(".ini", "not copied: %s.ini is there, and stays", c.base)
		}
		return nil
	}
	return mine
}

// atTarget returns the content of a file that is at the target's place, and
// whether there is one.
func (c *Creator) atTarget(ext string) (content []byte, is bool) {
	path := filepath.Join(filepath.Dir(c.path), c.base+ext)
	if _, err := c.opt.files.Lstat(path); err != nil {
		return nil, false
	}
	if info, err := c.opt.files.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, true
	}
	f, err := c.opt.files.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	content, _ = io.ReadAll(f) // what cannot be read differs
	return content, true
}

// newFileHeader returns the header of a .cbh file that is written afresh. The
// numbers of embedded media go on where those of the source end, since its
// folders of media go along.
func (c *companions) newFileHeader() cbh.FileHeader {
	h := cbh.NewFileHeader(0)
	if c.stored != nil && c.stored.Games != nil {
		from := c.stored.Games
		h.NextSound, h.NextPicture, h.NextVideo = from.NextSound, from.NextPicture, from.NextVideo
	}
	return h
}

// copyOthers copies the files that belong to the original although nothing is
// known of their content, and its folders of media. A copy with changes goes
// without boosters, which can be computed, and without opening keys and the
// like, which is reported: all of them go by numbers of records and entities.
func (c *Creator) copyOthers() error {
	set := c.companions.files
	pure := set != nil && c.copy.isPure()
	if !pure {
		c.reportUnread()
	}
	if set == nil {
		return nil
	}
	for _, ext := range c.otherFiles() {
		switch {
		case pure && ext != offsetsBooster:
			if err := c.copyFile(func() (fsys.ReadFile, error) { return set.Open(ext) }, c.base+ext); err != nil {
				return err
			}
		case !pure && !cbh.IsBooster(ext) && !slices.Contains(c.unread, ext):
			c.leftBehind(ext, "not copied: it may go by the numbers of records and names, which have changed")
		}
	}
	for _, name := range set.DeadLinks() {
		c.leftBehind(filepath.Ext(name), "not copied: %s is a link that leads nowhere", name)
	}
	for _, folder := range c.folders {
		files, err := set.Folder(folder)
		if err == nil {
			err = c.copyFolder(files, c.base+filepath.Ext(folder))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	return nil
}

// mediaFolders returns the source's folders of media but those that the target
// has already, the same or equal ones, which stay.
func (c *Creator) mediaFolders() (names []string) {
	set := c.companions.files
	if set == nil {
		return nil
	}
	for _, name := range set.Folders() {
		target := filepath.Join(filepath.Dir(c.path), c.base+filepath.Ext(name))
		there, err := c.opt.files.Stat(target)
		if err == nil && (set.IsSame(name, there) || c.hasEqual(name, target)) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// hasEqual reports whether a folder at the target has the content of a folder of
// the source.
func (c *Creator) hasEqual(name, target string) bool {
	mine, err := c.companions.files.Folder(name)
	if _, machine := c.opt.files.(fsys.OS); err != nil || !machine {
		return false
	}
	return equalFolders(mine, os.DirFS(target))
}

// reserve refuses media of the source at once where a folder is in their way.
func (c *Creator) reserve() error {
	c.folders = c.mediaFolders()
	for _, name := range c.folders {
		if err := c.set.Reserve(c.base + filepath.Ext(name)); err != nil {
			return err
		}
	}
	return nil
}

// otherFiles returns the endings of the source's files that are copied as they
// are: those of which nothing is known, and boosters.
func (c *Creator) otherFiles() []string {
	exts := slices.Clone(c.companions.stored.Others)
	for _, ext := range c.companions.files.Endings() {
		if cbh.IsBooster(ext) && !slices.Contains(exts, ext) {
			exts = append(exts, ext)
		}
	}
	return exts
}

// reportUnread reports the files that nobody can read.
func (c *Creator) reportUnread() {
	for _, ext := range c.unread {
		c.leftBehind(ext, "it is damaged or of an unknown version; only a copy without changes keeps it")
	}
}

// leftBehind reports a file of the source that does not go along.
func (c *Creator) leftBehind(ext, format string, args ...any) {
	model.Report(c.opt.Report).Add(model.LostFile, 0, ext, format, args...)
}

// copyFolder copies a folder with all that is in it.
func (c *Creator) copyFolder(from fs.FS, to string) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := to
		if name != "." {
			target += "/" + name
		}
		switch {
		case d.IsDir():
			return c.set.MkdirAll(target)
		case d.Type().IsRegular():
			return c.copyFile(func() (fsys.ReadFile, error) { return fsys.FromFS(from).Open(name) }, target)
		}
		model.Report(c.opt.Report).Add(model.LostField, 0, "media", "%s: not a regular file", target)
		return nil
	})
}

// copyFile copies one file into the set.
func (c *Creator) copyFile(open func() (fsys.ReadFile, error), to string) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.set.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, io.NewSectionReader(in, 0, in.Size())); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return out.Close()
}
