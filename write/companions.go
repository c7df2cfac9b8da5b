package write

import (
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
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
	c := companions{stored: stored, examined: newExaminedMarks(stored.Examined, model.RecordID(stored.Records))}
	if db, ok := src.(interface{ Files() *read.FileSet }); ok {
		c.files = db.Files()
	}
	return c
}

// settings returns the .ini file, nil if there is none.
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

// copyOthers copies the folders of media of the original. Its boosters are left,
// which can be computed, and its opening keys and the like, which is reported: all
// of them go by numbers of records and entities.
func (c *Creator) copyOthers() error {
	for _, ext := range c.unread {
		c.leftBehind(ext, "it is damaged or of an unknown version; only a copy without changes keeps it")
	}
	set := c.companions.files
	if set == nil {
		return nil
	}
	for _, ext := range c.companions.stored.Others {
		if !dbfile.IsBooster(ext) && !slices.Contains(c.unread, ext) {
			c.leftBehind(ext, "not copied: it may go by the numbers of records and names, which have changed")
		}
	}
	return c.copyMedia(set)
}

// storedBy returns what a source has stored besides its records: nil if it is
// not from a ChessBase database.
func storedBy(src model.Source) *cbh.DatabaseLeftover {
	data := src.Leftover().From(cbh.Format)
	if data == nil {
		return nil
	}
	l, err := cbh.ParseDatabaseLeftover(data)
	if err != nil {
		return nil
	}
	return l
}

// unread returns the endings of the files that are lost unless they are copied:
// damaged ones, and if the files are not at hand a .cbtt file of a version that is
// not known.
func (c *companions) unread() (exts []string) {
	l := c.stored
	if l == nil {
		return nil
	}
	for _, ext := range l.Others {
		if slices.Contains(cbh.NewFileExts, ext) {
			exts = append(exts, ext)
		}
	}
	if c.files != nil || l.TournamentExtras == nil {
		return exts
	}
	if h, err := cbh.DecodeTournamentExtraHeader(l.TournamentExtras); err == nil && !h.IsKnown() {
		exts = append(exts, ".cbtt")
	}
	return exts
}
