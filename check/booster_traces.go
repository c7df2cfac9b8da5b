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
	c.checkTraceHeader(&head)
	covers := model.RecordID(head.Covers(int(c.headers.Count), f.Size()))
	if c.bySeal {
		c.stale(tracesExt, covers)
		return c.checkSeal()
	}
	for _, ext := range mandatoryExts {
		if !c.set.Has(ext) {
			c.unknown(tracesExt, "%s is missing; without it nothing can be compared", c.set.Name(ext))
			return nil
		}
	}
	t := &traceChecker{c: c, records: newWindow(f), covers: covers, last: covers}
	if err := t.run(ctx); err != nil {
		return err
	}
	t.finish()
	return c.checkSeal()
}

// checkTraceHeader checks what of the header is always the same.
func (c *boosterChecker) checkTraceHeader(h *cbh.TraceHeader) {
	// The count may or may not include the header.
	if int64(h.Count) > int64(c.headers.Count)+1 {
		c.add(codeBoosterHeader, inHeader(tracesExt, 0, "count"), "%d records, the database has %d", h.Count, c.headers.Count)
	}
	if h.Reserved8 != [len(h.Reserved8)]byte{} {
		c.addAs(Note, codeBoosterHeader, inHeader(tracesExt, 8, "reserved"), "bytes are set that are always 0")
	}
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

// traceChecker compares the records of a .cbb file. Games at the end whose
// records are all zeros are not wrong, but not covered yet.
type traceChecker struct {
	c       *boosterChecker
	records *dbfile.Window
	covers  model.RecordID // records in the file
	last    model.RecordID // the last one that is not of a game without a trace
	pending []place        // the first games without a trace behind it
	waiting int            // the number of all of them
	unread  int            // games that cannot be played through
}

func (t *traceChecker) run(ctx context.Context) error {
	db, err := read.OpenFiles(t.c.set, read.Options{Jobs: t.c.opt.Jobs})
	if err != nil {
		return err
	}
	defer db.Close()
	headers := t.c.headers.Reader(dbfile.FarAhead)
	for rec, err := range db.Records(ctx, 1, model.WantMoves) {
		if err != nil && rec.ID == 0 {
			return err
		}
		if rec.ID > t.covers {
			break
		}
		if err := t.c.step(ctx, rec.ID); err != nil {
			return err
		}
		h, failed := headers.At(rec.ID)
		if failed != nil {
			return failed
		}
		if err := t.compare(rec, err, h.Type().IsText()); err != nil {
			return err
		}
	}
	return nil
}

// compare compares one record. A game that cannot be played through has none,
// or whatever another program made of it.
func (t *traceChecker) compare(rec model.Record, err error, text bool) error {
	at := int64(rec.ID) * cbh.TraceSize
	b, readErr := t.records.At(at, cbh.TraceSize)
	if readErr != nil {
		return readErr
	}
	got, readErr := cbh.DecodeGameTrace(b)
	if readErr != nil {
		return readErr
	}
	got.Unknown0 = [3]byte{} // in old files not 0
	var want cbh.GameTrace
	if g := rec.Game; !text {
		if err == nil && g != nil {
			if err = g.MovesErr; err == nil {
				want, err = derive.Trace(g.Start, &g.Moves)
			}
		}
		if err != nil {
			if t.unread++; t.c.opt.Undecoded != nil {
				t.c.opt.Undecoded(rec.ID, err)
			}
			return nil
		}
	}
	t.judge(inRecord(tracesExt, rec.ID, at, ""), text, &got, &want)
	return nil
}

func (t *traceChecker) judge(p place, text bool, got, want *cbh.GameTrace) {
	if *got == (cbh.GameTrace{}) && !text {
		if t.waiting == 0 {
			t.last = model.RecordID(p.Record) - 1
		}
		if t.waiting++; t.c.perCode < 0 || t.waiting <= max(t.c.perCode, maxBoosterFindings) {
			t.pending = append(t.pending, p)
		}
		return
	}
	if *got != (cbh.GameTrace{}) {
		t.flush()
	}
	if *got != *want {
		p.Field = traceDifference(got, want)
		t.c.add(codeBoosterTrace, p, "not what follows from the moves")
	}
}

// flush turns pending games into wrong ones: a record behind them is there.
func (t *traceChecker) flush() {
	for _, p := range t.pending {
		t.c.add(codeBoosterTrace, p, "all zeros, but the game can be played through")
	}
	t.c.skip(codeBoosterTrace, tracesExt, t.waiting-len(t.pending))
	t.pending, t.waiting, t.last = t.pending[:0], 0, t.covers
}

func (t *traceChecker) finish() {
	t.c.stale(tracesExt, t.last)
	if t.unread > 0 {
		t.c.unknown(tracesExt, "%s that cannot be played through: nothing can be compared with their records", quantity(t.unread, "game"))
	}
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
