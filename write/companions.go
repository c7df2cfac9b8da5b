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
	// files is nil if the source is not at hand as files.
	files *read.FileSet
	// stored is nil if the source is no ChessBase database.
	stored   *cbh.DatabaseLeftover
	examined examinedMarks
}

// companionsOf returns what goes along from a source, of which copy is what is
// copied as it is.
func companionsOf(src model.Source, copy *copied) companions {
	var c companions
	if copy != nil {
		c.stored = copy.DatabaseLeftover
	}
	if db, ok := src.(*read.ChessBase); ok {
		if l, err := cbh.ParseDatabaseLeftover(db.Leftover().From(cbh.Format)); err == nil {
			c.files, c.stored = db.Files(), l
		}
	}
	if c.stored != nil {
		c.examined = newExaminedMarks(c.stored.Examined, c.stored.Games)
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
	if set == nil {
		return nil
	}
	for _, ext := range c.companions.stored.Others {
		switch {
		case !c.copy.isPure():
			if !slices.Contains(BoosterExts, ext) && ext != booster.SealExt {
				c.leftBehind(ext, "not copied: it may go by the numbers of records and names, which have changed")
			}
		case ext != offsetsBooster:
			if err := c.copyFile(set.Path(ext), c.base+ext); err != nil {
				return err
			}
		}
	}
	for _, folder := range set.Folders() {
		if err := c.copyFolder(filepath.Join(set.Dir, folder), c.base+filepath.Ext(folder)); err != nil {
			return err
		}
	}
	return nil
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
