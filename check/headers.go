package check

import (
	"math"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
)

// checkHeaders looks at the headers of the files that are read record by
// record. (docs/formats/cbh-entities.md 2)
func (c *checker) checkHeaders() {
	for _, ext := range recordExts {
		if err := c.d.headErrs[ext]; err != nil {
			c.badHeader(ext, err)
		}
	}
	if c.d.headers != nil {
		const ext = ".cbh"
		h := &c.d.headers.Head
		if h.Version != 1 && h.Version != 5 {
			c.add(codeUnknownVersion, inHeader(ext, 5, "version"), "%d is not known", h.Version)
		}
		next := int64(c.d.count) + 1
		if int64(h.Next) != next {
			c.add(codeRecordCount, inHeader(ext, 6, "next id"), "is %d, the file has %s", h.Next, quantity(next-1, "record"))
		}
		c.addSome(codeTrailingBytes, inFile(ext), int(c.d.files[ext].Size()%cbh.RecordSize), "byte", "%s behind the last whole record")
		// The header of an old program ends before this field, which is 0 then.
		if unused := h.Used == cbh.UsedOld && h.NextAgain == 0; !unused && int64(h.NextAgain) != next {
			c.add(codeRecordCount, inHeader(ext, 40, "next id, repeated"), "is %d, not %d", h.NextAgain, next)
		}
		if h.Reserved10 != 0 || h.Reserved24 != [16]byte{} || h.Reserved44 != 0 {
			c.add(codeUnknownBits, inHeader(ext, 10, "reserved"), "bytes are set that were always zero")
		}
	}
	if c.d.extensions != nil {
		const ext = ".cbj"
		h := &c.d.extensions.Head
		if !c.d.knowsExtensions() {
			c.add(codeUnknownVersion, inHeader(ext, 0, "version"),
				"version %d with records of %d bytes is not known", h.Version, h.RecordSize)
		}
		c.checkWhole(ext, int64(h.Records), cbh.ExtHeaderSize, int64(h.RecordSize))
		switch records := int64(c.d.count); {
		case c.d.headers == nil:
			// The records are not known.
		case h.Records == 0 && c.d.extensions.Stored == 0 && records > 0:
			c.add(codeExtEmpty, inFile(ext), "has no records; the games have the default values")
		case int64(h.Records) != records:
			c.add(codeExtCount, inHeader(ext, 8, "records"),
				"counts %s, the .cbh file has %d", quantity(h.Records, "record"), records)
		}
	}
	if c.d.moves != nil {
		c.checkBlockHeader(".cbg", c.d.moves)
	}
	if c.d.annotations != nil {
		c.checkBlockHeader(".cba", c.d.annotations)
	}
	c.flush()
}

// badHeader reports a header that does not decode.
func (c *checker) badHeader(ext string, err error) {
	c.addDecodeError(codeBadHeader, inHeader(ext, 0, ""), "does not begin as it must", err)
}

// checkWhole compares the size of a file of records with their number.
func (c *checker) checkWhole(ext string, records, header, recordSize int64) {
	size := c.d.files[ext].Size()
	end := int64(math.MaxInt64)
	if records <= (math.MaxInt64-header)/recordSize {
		end = header + records*recordSize
	}
	switch {
	case size < end:
		c.add(codeCutFile, inFile(ext), "announces %s of %d bytes, the file has room for %d",
			quantity(records, "record"), recordSize, max(size-header, 0)/recordSize)
	case size > end:
		c.add(codeTrailingBytes, inFile(ext),
			"%s behind the last of %s", quantity(size-end, "byte"), quantity(records, "record"))
	}
}

// checkBlockHeader looks at the header of the .cbg or .cba file.
// (docs/formats/cbg.md 1, docs/formats/real-databases.md 10)
func (c *checker) checkBlockHeader(ext string, b *cbhdb.Blocks) {
	h, size := &b.Head, b.Size()
	declared := []struct {
		offset int64
		field  string
		size   uint64
	}{{2, "file size", uint64(h.FileSize)}, {10, "file size, 64 bits", h.FileSize64}}
	switch {
	case h.Size == cbh.OldBlockHeaderSize:
		declared = declared[:1]
	case size > math.MaxUint32:
		declared = declared[1:] // the 32-bit field has the low half only
	}
	for i, d := range declared {
		switch {
		case d.size > uint64(size):
			c.add(codeDeclaredSize, inHeader(ext, d.offset, d.field), "declares %d bytes, the file has %d", d.size, size)
		case d.size < uint64(size) && i == 0:
			c.add(codeTrailingBytes, inHeader(ext, d.offset, d.field), "declares %d bytes, the file has %d", d.size, size)
		}
	}
	if h.Size == cbh.BlockHeaderSize && (uint32(h.FileSize64) != h.FileSize || uint32(h.Unused64) != h.Unused) {
		c.add(codeHeaderTwins, inHeader(ext, 10, "64-bit fields"), "say %d bytes and %d unused, the others %d and %d",
			h.FileSize64, h.Unused64, h.FileSize, h.Unused)
	}
}

// checkExt looks at the record of a game or text in the .cbj file.
// (docs/formats/cbh-entities.md 5)
func (w *recordChecker) checkExt(rec *record) {
	x := &rec.extValues
	if cbh.ExtChecksum.In(rec.ext) && x.Checksum != x.Sum() {
		w.add(codeChecksum, rec.in(&cbh.ExtChecksum), "is %04x, the record makes it %04x", x.Checksum, x.Sum())
	}
	moves := rec.game.MovesOffset
	if rec.isText {
		moves = rec.text.Offset
	}
	// Version 8 has games whose 64-bit offset is 0.
	isZero := x.MovesOffset == 0 && w.d.extensions.Head.Version == 8
	if cbh.ExtMoves.In(rec.ext) && uint32(x.MovesOffset) != moves && !isZero {
		w.add(codeOffsetTwins, rec.in(&cbh.ExtMoves), "is %d, the .cbh file has %d", x.MovesOffset, moves)
	}
	if rec.isText {
		if x.WhiteTeam != cbh.NoLink || x.BlackTeam != cbh.NoLink {
			where := rec.in(&cbh.ExtWhiteTeam)
			where.Field = "teams"
			w.add(codeMisplacedField, where, "are %d and %d; only games have teams", x.WhiteTeam, x.BlackTeam)
		}
		switch {
		case x.Media == cbh.NoMedia:
		case w.media != nil:
			i, ok := cbh.MediaIndex(int64(x.Media), int(w.media.RecordSize))
			if !ok || i >= int(w.media.Records) {
				w.add(codeMediaOffset, rec.in(&cbh.ExtMedia), "no list begins at %d of the .cbm file", x.Media)
			}
		case !w.d.set.Has(".cbm"):
			w.out.absent[".cbm"]++
		}
		return
	}
	if cbh.ExtAnnotations.In(rec.ext) && uint32(x.AnnotationsOffset) != rec.game.AnnotationsOffset {
		w.add(codeOffsetTwins, rec.in(&cbh.ExtAnnotations),
			"is %d, the .cbh file has %d", x.AnnotationsOffset, rec.game.AnnotationsOffset)
	}
	if x.Media != cbh.NoMedia && x.Media != 0 { // extracts have 0 in every game
		w.add(codeMisplacedField, rec.in(&cbh.ExtMedia), "is %d; only guiding texts have media lists", x.Media)
	}
}
