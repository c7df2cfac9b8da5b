package check

import (
	"context"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// checkOffsets compares the .cbgi file with the .cbh file.
func (c *boosterChecker) checkOffsets(ctx context.Context) error {
	const ext = ".cbgi"
	f, b := c.startOf(ext, cbh.OffsetSize)
	if f == nil {
		return nil
	}
	defer f.Close()
	count, err := cbh.DecodeOffset(b)
	if err != nil {
		return err
	}
	if int64(count) > int64(c.headers.Count) {
		c.add(codeBoosterHeader, inHeader(ext, 0, "count"), "%d records, the database has %d", count, c.headers.Count)
	}
	covers := model.RecordID(cbh.OffsetsCover(count, int(c.headers.Count), f.Size()))
	entries, heads := newWindow(f), c.headers.Reader(dbfile.FarAhead)
	for id := model.RecordID(1); id <= covers; id++ {
		if err := c.step(ctx, id); err != nil {
			return err
		}
		at := int64(id) * cbh.OffsetSize
		b, err := entries.At(at, cbh.OffsetSize)
		if err != nil {
			return err
		}
		stored, err := cbh.DecodeOffset(b)
		if err != nil {
			return err
		}
		if err := c.compareOffset(heads, id, inRecord(ext, id, at, "offset"), stored); err != nil {
			return err
		}
	}
	c.stale(ext, covers)
	return nil
}

// compareOffset compares one entry. That of a guiding text may be 0.
func (c *boosterChecker) compareOffset(heads *cbhdb.HeaderReader, id model.RecordID, p place, stored uint32) error {
	h, err := heads.At(id)
	if err != nil {
		return err
	}
	r, err := cbh.DecodeGameRecord(h.Head)
	if err != nil {
		return err
	}
	// A text has its offset at the same place.
	if stored != r.MovesOffset && (stored != 0 || !r.Type.IsText()) {
		c.add(codeBoosterOffset, p, "%d, the record is at %d", stored, r.MovesOffset)
	}
	return nil
}
