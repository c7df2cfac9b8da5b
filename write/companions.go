package write

import (
	"bytes"
	"io"
	"io/fs"
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

// emptyExtras returns the .cbtt file of a database without records: that of a source
// whose records are of an unknown kind goes on, with these records, else it is the usual one.
func (c *companions) emptyExtras(leftBehind func(ext, format string, args ...any)) (content, records []byte, err error) {
	const ext = ".cbtt"
	head := cbh.NewTournamentExtraHeader()
	if c.files != nil && c.stored.TournamentExtras != nil {
		stored, err := cbh.DecodeTournamentExtraHeader(c.stored.TournamentExtras)
		if err != nil {
			return nil, nil, err
		}
		if !stored.IsKnown() { // else the tournaments know what it says
			b := c.stored.TournamentExtras[cbh.TournamentExtraHeaderSize:]
			records = b[:len(b)-len(b)%int(stored.RecordSize)]
			if len(records) < len(b) {
				leftBehind(ext, "%d bytes behind the last whole record", len(b)-len(records))
			}
			head = stored
			head.Highest = 0
		}
	}
	// ChessBase always writes the first record.
	content, _ = cbh.AppendTournamentExtra(head.Append(nil), model.Tournament{}, int(head.RecordSize)) // nothing to lose
	return content, records, nil
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
	l, err := cbh.DecodeDatabaseLeftover(data)
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

// equalFolders reports whether two folders hold the same: folders and regular
// files of the same names and contents. Anything else in them makes them differ,
// and so does what cannot be read.
func equalFolders(a, b fs.FS) bool {
	listA, okA := listFolder(a)
	listB, okB := listFolder(b)
	if !okA || !okB || len(listA) != len(listB) {
		return false
	}
	for name, size := range listA {
		if other, there := listB[name]; !there || other != size {
			return false
		}
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

// stamps gives creation stamps to new games: each is later than all before
// it, so that a stamp is also the identity of its game.
// (docs/formats/cbh-entities.md 5.3)
type stamps struct {
	next uint64
}

// take returns a new stamp.
func (s *stamps) take() uint64 {
	s.next++
	return s.next - 1
}

// seen notes a stamp that a game has brought along.
func (s *stamps) seen(stamp uint64) {
	if stamp >= s.next && stamp < 1<<62 {
		s.next = stamp + 1
	}
}

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
