package check

import (
	"bytes"
	"encoding/binary"
	"strings"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
)

// extraSizes are the record sizes of the versions of the .cbtt file
// (docs/formats/cbh-entities.md 11).
var extraSizes = map[int32]int32{2: 61, 3: cbh.TournamentExtraSize}

// ofSmallFile makes a check of the content of a file one that reads it, if it, or one of
// those that need it, is selected. An error of the check is about the header.
func (c *checker) ofSmallFile(ext string, check func(b []byte) error, users ...string) func() error {
	return func() error {
		if c.d.files[ext] == nil || !c.selected.has(ext) && !c.selected.any(users...) {
			return nil
		}
		b, err := c.d.files[ext].All()
		if err != nil {
			return err
		}
		if err := check(b); err != nil {
			c.badHeader(ext, err)
		}
		return nil
	}
}

// checkTournamentExtras looks at the .cbtt file.
func (c *checker) checkTournamentExtras(b []byte) error {
	const ext = ".cbtt"
	h, err := cbh.DecodeTournamentExtraHeader(b)
	if err != nil {
		return err
	}
	size := int(h.RecordSize)
	if extraSizes[h.Version] != h.RecordSize {
		c.add(codeUnknownVersion, inHeader(ext, 0, "version"),
			"version %d with records of %d bytes is not known", h.Version, size)
	}
	records := b[cbh.TournamentExtraHeaderSize:]
	// A highest tournament of 0 may mean that there is none.
	if h.Highest > 0 || len(records) > 0 {
		c.checkWhole(ext, int64(h.Highest)+1, cbh.TournamentExtraHeaderSize, int64(size))
	}
	t := &c.tables[cbhdb.Tournaments]
	if last := len(records)/size - 1; c.mend != nil && h.IsKnown() && t.known && len(records)%size == 0 && last > int(h.Highest) && last < int(t.Count) {
		was := h.Highest
		h.Highest = int32(last)
		c.mend.fix(codeTrailingBytes, inHeader(ext, 8, "highest tournament"), []Edit{c.mend.put(ext, 0, h.Append(nil))},
			"%d, now %d", was, last)
	}
	if t.known && int(h.Highest) >= max(int(t.Count), 1) {
		c.add(codeTournamentExtra, inHeader(ext, 8, "highest tournament"),
			"is %d, there are %s", h.Highest, quantity(t.Count, "tournament"))
	}
	if extraSizes[h.Version] != h.RecordSize {
		return nil
	}
	for id := 0; id <= int(h.Highest) && (id+1)*size <= len(records); id++ {
		at, record := int64(cbh.TournamentExtraHeaderSize+id*size), records[id*size:(id+1)*size]
		var t model.Tournament
		cbh.DecodeTournamentExtra(&t, record)
		switch said, _ := cbh.AppendTournamentExtra(nil, t, size); {
		case !bytes.Equal(said, record):
			c.add(codeTournamentExtra, inRecord(ext, id, at, ""), "holds bytes that say nothing about the tournament")
		case t.End.Month > 12:
			c.add(codeBadDate, inRecord(ext, id, at, "end date"), "month %d does not exist", t.End.Month)
		}
		c.spill()
	}
	return nil
}

// checkMedia looks at the .cbm file.
func (c *checker) checkMedia(b []byte) error {
	const ext = ".cbm"
	media, err := cbh.DecodeMediaFile(b)
	if err != nil {
		return err
	}
	h := media.Header
	c.media = &h
	if !c.selected.has(ext) {
		return nil
	}
	c.checkWhole(ext, int64(h.Records), cbh.MediaHeaderSize, int64(h.RecordSize))
	for i := 0; i < min(int(h.Records), media.Len()); {
		at := cbh.MediaHeaderSize + int64(i)*int64(h.RecordSize)
		list, _, next, err := media.List(i)
		if err != nil {
			return err
		}
		if _, ok := list.Names(c.d.page); !ok {
			c.add(codeMediaRecord, inRecord(ext, i, at, ""), "holds no list of files")
		} else if int(list.Records) > next-i {
			c.add(codeMediaRecord, inRecord(ext, i, at, "records"), "%d records, the file ends after %d", list.Records, next-i)
		}
		c.spill()
		i = next
	}
	return nil
}

// checkExamined looks at the .flags file. The number of its words is mended to be that
// of the file; words that end before their number but behind the last record are
// completed.
func (c *checker) checkExamined(b []byte) error {
	const ext = ".flags"
	const header, wordSize = cbh.ExaminedHeaderSize, 4
	e, err := cbh.DecodeExamined(b)
	if err != nil {
		return err
	}
	c.checkWhole(ext, int64(e.Words), header, wordSize)
	if m := c.mend; m != nil && m.whole {
		want, have := int64(e.Words)*wordSize, int64(len(e.Bits))
		last := int64(c.d.count)/wordSize + 1 // of the bytes that records have
		const most = 1 << 24                  // more than all records that can be numbered
		switch {
		case have > want && have%wordSize == 0:
			m.fix(codeTrailingBytes, inHeader(ext, wordSize,
				"words"), []Edit{m.put(ext, wordSize, binary.BigEndian.AppendUint32(nil, uint32(have/wordSize)))},
				"%d, now %d", e.Words, have/wordSize)
		case have < want && have >= last && want <= most:
			m.fix(codeCutFile, inHeader(ext, header+have, ""), []Edit{m.put(ext, header+have, make([]byte, want-have))},
				"%s for records that are not there are missing; made", quantity(want-have, "byte"))
		}
	}
	for id := model.RecordID(0); id <= c.d.count; id++ {
		if v := e.Get(id); v == 1 {
			c.add(codeExaminedValue, inRecord(ext, id, header+int64(id)/4, "value"), "%d is not known", v)
		}
		c.spill()
	}
	return nil
}

// foreignTexts counts, by file, the texts that look like another code page than
// Windows-1252.
type foreignTexts map[string]int

// see counts a text that was decoded as Windows-1252.
func (f foreignTexts) see(ext, s string) {
	if looksForeign(s) {
		f[ext]++
	}
}

// foreignRun is how many letters with accents in a row no Western word has.
// Cyrillic, Greek, Hebrew or Arabic bytes, taken for Windows-1252, are nothing
// else.
const foreignRun = 4

// looksForeign reports whether a text that was decoded as Windows-1252 makes no
// sense in it.
func looksForeign(s string) bool {
	for run := 1; ; run++ {
		// Each letter from À to ÿ has two bytes in UTF-8, of which this is the first.
		i := strings.IndexByte(s, 0xc3)
		switch {
		case i < 0 || len(s) < i+2:
			return false
		case i > 0:
			run = 1
		}
		if run == foreignRun {
			return true
		}
		s = s[i+2:]
	}
}

// openFile opens a file of a set. The error names it.
func openFile(set *read.FileSet, ext string) (*dbfile.File, error) {
	return cbhdb.FilesOf(set).Open(ext)
}

// windowSize is how far a window reads ahead: enough for a batch of usual
// games, not much more than it, since every batch has its own.
const windowSize = 1 << 17

func newWindow(f *dbfile.File) *dbfile.Window { return dbfile.NewWindow(f, windowSize) }
