package check

import "cbkit/internal/cbh"

// checkExt looks at the record of a game or text in the .cbj file.
// (docs/formats/cbh-entities.md 5)
func (w *recordChecker) checkExt(rec *record) {
	x, size := &rec.extValues, len(rec.ext)
	if size >= 30 && x.Checksum != x.Sum() {
		w.add(codeChecksum, w.inExt(rec, 28, "checksum"), "is %04x, the record makes it %04x", x.Checksum, x.Sum())
	}
	moves := rec.game.MovesOffset
	if rec.isText {
		moves = rec.text.Offset
	}
	// Version 8 has games whose 64-bit offset is 0.
	isZero := x.MovesOffset == 0 && w.d.exts.Head.Version == 8
	if size >= 38 && uint32(x.MovesOffset) != moves && !isZero {
		w.add(codeOffsetTwins, w.inExt(rec, 30, "offset in .cbg"), "is %d, the .cbh file has %d", x.MovesOffset, moves)
	}
	if rec.isText {
		w.checkTextExt(rec)
		return
	}
	if size >= 20 && uint32(x.AnnotationsOffset) != rec.game.AnnotationsOffset {
		w.add(codeOffsetTwins, w.inExt(rec, 12, "offset in .cba"), "is %d, the .cbh file has %d", x.AnnotationsOffset, rec.game.AnnotationsOffset)
	}
	if x.Media != cbh.NoMedia {
		w.add(codeMisplacedField, w.inExt(rec, 8, "media"), "is %d; only guiding texts have media lists", x.Media)
	}
}

// checkTextExt looks at what only guiding texts have, and do not have.
func (w *recordChecker) checkTextExt(rec *record) {
	x := &rec.extValues
	if x.WhiteTeam != cbh.NoLink || x.BlackTeam != cbh.NoLink {
		w.add(codeMisplacedField, w.inExt(rec, 0, "teams"), "are %d and %d; only games have teams", x.WhiteTeam, x.BlackTeam)
	}
	if x.Media == cbh.NoMedia {
		return
	}
	where := w.inExt(rec, 8, "media")
	switch {
	case w.media != nil:
		i, ok := cbh.MediaIndex(int64(x.Media), int(w.media.RecordSize))
		if !ok || i >= int(w.media.Records) {
			w.add(codeMediaOffset, where, "no list begins at %d of the .cbm file", x.Media)
		}
	case !w.d.set.Has(".cbm"):
		w.absent[".cbm"]++
	}
}
