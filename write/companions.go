package write

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
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

// settings returns the .ini file.
func (c *companions) settings() []byte {
	if c.stored == nil {
		return nil
	}
	return c.stored.Settings
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
	for _, ext := range c.companions.stored.Others {
		switch {
		case pure && ext != offsetsBooster:
			if err := c.copyFile(set.Path(ext), c.base+ext); err != nil {
				return err
			}
		case !pure && !isBooster(ext) && !slices.Contains(c.unread, ext):
			c.leftBehind(ext, "not copied: it may go by the numbers of records and names, which have changed")
		}
	}
	for _, folder := range set.Folders() {
		if err := c.copyFolder(filepath.Join(set.Dir, folder), c.base+filepath.Ext(folder)); err != nil {
			return err
		}
	}
	return nil
}

// isBooster reports whether a file can be computed.
func isBooster(ext string) bool {
	return slices.Contains(BoosterExts, ext) || ext == booster.SealExt
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
func (c *Creator) copyFolder(from, to string) error {
	return fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
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
			return c.copyFile(filepath.Join(from, filepath.FromSlash(name)), target)
		}
		model.Report(c.opt.Report).Add(model.LostField, 0, "media", "%s: not a regular file", name)
		return nil
	})
}

// copyFile copies one file into the set.
func (c *Creator) copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.set.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return out.Close()
}
