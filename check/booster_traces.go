package check

import (
	"context"
	"errors"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/read"
)

const tracesExt = ".cbb"

// checkTraces compares the .cbb file with the moves of all games, or asks its
// seal.
func (c *boosterChecker) checkTraces(ctx context.Context) error {
	f, b := c.startOf(tracesExt, cbh.TraceSize)
	if f == nil {
		return nil
	}
	defer f.Close()
	head, err := cbh.DecodeTraceHeader(b)
	if err != nil {
		c.addError(codeBoosterHeader, tracesExt, err)
		return nil
	}
	// The count may or may not include the header.
	if int64(head.Count) > int64(c.headers.Count)+1 {
		c.add(codeBoosterHeader, inHeader(tracesExt, 0, "count"),
			"%d records, the database has %d", head.Count, c.headers.Count)
	}
	if head.Reserved8 != [len(head.Reserved8)]byte{} {
		c.addAs(Note, codeBoosterHeader, inHeader(tracesExt, 8, "reserved"), "bytes are set that are always 0")
	}
	covers := model.RecordID(head.Covers(int(c.headers.Count), f.Size()))
	if c.bySeal {
		c.stale(tracesExt, covers)
		return c.checkSeal()
	}
	if c.lacks(tracesExt, mandatoryExts) {
		return nil
	}
	if err := c.compareTraces(ctx, f, covers); err != nil {
		return err
	}
	return c.checkSeal()
}

// checkSeal notes where searches will not rely on a file that is right.
func (c *boosterChecker) checkSeal() error {
	if c.found[tracesExt].State != BoosterValid {
		return nil
	}
	err := booster.CheckSeal(c.db.Files(), tracesExt)
	if err == nil && !c.bySeal {
		err = booster.CheckSums(c.db.Files(), tracesExt)
	}
	if !errors.Is(err, booster.ErrNoSeal) {
		return err
	}
	c.add(codeBoosterUnsealed, inFile(tracesExt), "searches do not rely on it (%v); cbkit boosters seals it", err)
	if c.bySeal {
		c.found[tracesExt].State = BoosterUnsealed
	}
	return nil
}

// compareTraces compares the records of a .cbb file that covers so many. Games at the
// end whose records are all zeros are not wrong, but not covered yet.
func (c *boosterChecker) compareTraces(ctx context.Context, f *dbfile.File, covers model.RecordID) error {
	db, err := read.OpenFiles(c.set, read.Options{Jobs: c.opt.Jobs})
	if err != nil {
		return err
	}
	defer db.Close()
	records, headers := newWindow(f), c.headers.Reader(dbfile.FarAhead)
	last := covers      // the last record that is not of a game without a trace
	var pending []place // the first games without a trace behind it
	waiting := 0        // the number of all of them
	unplayed := 0       // games that cannot be played through
	for rec, err := range db.Records(ctx, 1, model.WantMoves) {
		if err != nil && rec.ID == 0 {
			return err
		}
		if rec.ID > covers {
			break
		}
		if err := c.step(ctx, rec.ID); err != nil {
			return err
		}
		h, failed := headers.At(rec.ID)
		if failed != nil {
			return failed
		}
		p := inRecord(tracesExt, rec.ID, int64(rec.ID)*cbh.TraceSize, "")
		b, failed := records.At(p.Offset, cbh.TraceSize)
		if failed != nil {
			return failed
		}
		got, failed := cbh.DecodeGameTrace(b)
		if failed != nil {
			return failed
		}
		got.Unknown0 = [3]byte{} // in old files not 0
		var want, none cbh.GameTrace
		isText := h.Type().IsText()
		if g := rec.Game; !isText {
			if err == nil && g != nil {
				if err = g.MovesErr; err == nil {
					want, err = derive.Trace(g.Start, &g.Moves)
				}
			}
			if err != nil { // it has no trace, or whatever another program made of it
				if unplayed++; c.opt.Undecoded != nil {
					c.opt.Undecoded(rec.ID, err)
				}
				continue
			}
		}
		if got == none && !isText {
			if waiting == 0 {
				last = rec.ID - 1
			}
			if waiting++; c.perCode < 0 || waiting <= max(c.perCode, maxBoosterFindings) {
				pending = append(pending, p)
			}
			continue
		}
		if got != none { // so those before it are wrong
			for _, p := range pending {
				c.add(codeBoosterTrace, p, "all zeros, but the game can be played through")
			}
			if more := waiting - len(pending); more > 0 {
				c.more[findingKind{c.found[tracesExt].File, codeBoosterTrace.Code, codeBoosterTrace.Severity}] += more
			}
			pending, waiting, last = pending[:0], 0, covers
		}
		if got != want {
			p.Field = traceDifference(&got, &want)
			c.add(codeBoosterTrace, p, "not what follows from the moves")
		}
	}
	c.stale(tracesExt, last)
	if unplayed > 0 {
		c.unknown(tracesExt, "%s that cannot be played through: nothing can be compared with their records",
			quantity(unplayed, "game"))
	}
	return nil
}

// traceDifference names the first part in which two traces differ.
func traceDifference(a, b *cbh.GameTrace) string {
	switch {
	case a.Pawns != b.Pawns:
		return "pawns at the end"
	case a.OnlyPawns != b.OnlyPawns:
		return "only pawns"
	case a.Few != b.Few || a.None != b.None:
		return "missing pieces"
	case a.PawnSquares != b.PawnSquares:
		return "pawns"
	case a.KingRanks != b.KingRanks || a.KingFiles != b.KingFiles:
		return "kings"
	case a.Heavy != b.Heavy:
		return "rooks and queens"
	}
	return "knights and bishops"
}
