package cbhrepair

import (
	"context"
	"encoding/binary"
	"fmt"

	"cbkit/internal/cbh"
)

// mendSizes makes the sizes true that the headers of the .cbg and .cba files give,
// if it is known where all records lie.
func (r *Repair) mendSizes(context.Context) error {
	if !r.whole {
		return nil
	}
	for _, f := range []struct {
		ext string
		b   *blocks
	}{{".cbg", &r.moves}, {".cba", &r.notes}} {
		if !f.b.isSound() {
			continue
		}
		if err := r.mendSize(f.ext, f.b); err != nil {
			return err
		}
	}
	return nil
}

func (r *Repair) mendSize(ext string, b *blocks) error {
	old, size := b.Head, b.Size()
	holes := b.between.Holes + max(size-b.between.End, 0)
	head := old
	head.SetSizes(uint64(size), uint64(holes))
	if head == old {
		return nil
	}
	code := "header-twins"
	switch {
	case int64(old.FileSize) > size || old.FileSize64 > uint64(size):
		code = "declared-size"
	case !old.Declares(size):
		code = "trailing-bytes"
	case b.DeclaredHoles() != holes:
		code = "hole-count"
	}
	r.change(code, ext, -1, 2, "sizes", "%s, now %s", sizesOf(&old), sizesOf(&head))
	return r.put(ext, 0, head.Append(nil))
}

// sizesOf writes what a header says of sizes.
func sizesOf(h *cbh.BlockHeader) string {
	s := fmt.Sprintf("%d bytes, %d unused", h.FileSize, h.Unused)
	if h.Size == cbh.BlockHeaderSize && (h.FileSize64 != uint64(h.FileSize) || h.Unused64 != uint64(h.Unused)) {
		s += fmt.Sprintf(" (in 64 bits %d, %d)", h.FileSize64, h.Unused64)
	}
	return s
}

// mendSmallFiles makes the counters of the .cbtt and .flags files true.
func (r *Repair) mendSmallFiles(context.Context) error {
	if err := r.mendExamined(); err != nil {
		return err
	}
	return r.mendExtras()
}

// mendExamined makes the number of words of the .flags file that of the file, and
// completes words that end before their number but behind the last record.
func (r *Repair) mendExamined() error {
	const ext, wordSize = ".flags", 4
	if !r.regular(ext) || r.heads == nil || !r.whole {
		return nil
	}
	b, err := r.db.Content(ext)
	if err != nil {
		return err
	}
	e, err := cbh.DecodeExamined(b)
	if err != nil {
		return nil
	}
	want, have := int64(e.Words)*wordSize, int64(len(e.Bits))
	last := int64(r.count())/wordSize + 1 // of the bytes that records have
	const most = 1 << 24                  // more than all records that can be numbered
	switch {
	case have > want && have%wordSize == 0:
		r.change("trailing-bytes", ext, -1, wordSize, "words", "%d, now %d", e.Words, have/wordSize)
		return r.put(ext, wordSize, binary.BigEndian.AppendUint32(nil, uint32(have/wordSize)))
	case have < want && have >= last && want <= most:
		r.change("cut-file", ext, -1, cbh.ExaminedHeaderSize+have, "", "%s for records that are not there are missing; made", quantity(want-have, "byte"))
		return r.put(ext, cbh.ExaminedHeaderSize+have, make([]byte, want-have))
	}
	return nil
}

// mendExtras makes the .cbtt file count all records that tournaments have there.
func (r *Repair) mendExtras() error {
	const ext = ".cbtt"
	if !r.regular(ext) {
		return nil
	}
	f, err := r.db.File(ext)
	if err != nil {
		return err
	}
	b, err := f.Start(cbh.TournamentExtraHeaderSize)
	if err != nil {
		return err
	}
	h, err := cbh.DecodeTournamentExtraHeader(b)
	if err != nil || !h.IsKnown() {
		return nil
	}
	e, err := r.db.Entities(&cbh.Tournaments.EntityFile)
	if r.isFailure(cbh.Tournaments.Ext, err) {
		return err
	}
	bytes, size := f.Size()-cbh.TournamentExtraHeaderSize, int64(h.RecordSize)
	last := bytes/size - 1
	if err != nil || e == nil || bytes%size != 0 || last <= int64(h.Highest) || last >= int64(e.Count) {
		return nil
	}
	r.change("trailing-bytes", ext, -1, 8, "highest tournament", "%d, now %d", h.Highest, last)
	h.Highest = int32(last)
	return r.put(ext, 0, h.Append(nil))
}
