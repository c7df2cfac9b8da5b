package check

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
	"cbkit/stats"
)

// checkIndex compares the index of positions, where there is one and searches use it,
// with the moves of all games.
func (c *boosterChecker) checkIndex(ctx context.Context) error {
	ext := dbfile.IndexExt(c.set)
	x, err := posindex.Open(c.db.Files())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.missing(ext)
		return nil
	case errors.Is(err, posindex.ErrNotFit):
		c.unusedIndex(err)
		return nil
	case errors.Is(err, model.ErrUnsupported): // another version of cbkit made it
		c.unusedIndex(bare(err))
		return nil
	case dbfile.IsDamage(err):
		c.addError(codeBoosterHeader, ext, err)
		return nil
	case err != nil:
		return err
	}
	defer x.Close()
	parts := dbfile.ChessBase
	if c.headers == nil { // its size says how many records there are
		parts, c.count, c.found[ext].Covers = dbfile.ChessBase2, x.Records, x.Records
	} else if x.Records != c.count {
		c.unusedIndex(posindex.ErrNotFit)
		return nil
	}
	if c.bySeal {
		return nil
	}
	listed, err := x.Compare()
	if dbfile.IsDamage(err) {
		c.addError(codeBoosterHeader, ext, err)
		return nil
	}
	if err != nil {
		return err
	}
	if c.lacks(ext, parts.Exts(dbfile.Main, dbfile.Part)) {
		return nil
	}
	db, err := read.OpenFiles(c.set, read.Options{Jobs: c.opt.Jobs})
	if err != nil {
		return err
	}
	defer db.Close()
	where := extsort.Options{Memory: beginningsMemory, FS: fsys.OS{}, Dir: os.TempDir()}
	if c.opt.FS != nil { // there may be no folder
		where.Memory = math.MaxInt
	}
	beginnings := posindex.NewBeginnings(where)
	defer func() { _ = beginnings.Close() }()
	err = c.compareIndex(ctx, db, listed, beginnings)
	if listed = nil; err != nil {
		return err
	}
	return c.compareSummaries(ctx, db, x, beginnings)
}

// beginningsMemory is how many bytes first moves of games take before they go to a file.
const beginningsMemory = 16 << 20

// unusedIndex notes that searches do not use the index.
func (c *boosterChecker) unusedIndex(err error) {
	ext := dbfile.IndexExt(c.set)
	c.add(codeBoosterUnsealed, inFile(ext), "searches do not use it (%v); cbkit boosters --positions makes it anew", err)
	c.found[ext].State = BoosterUnsealed
}

// compareIndex compares what the index lists with all games, and keeps their beginnings.
func (c *boosterChecker) compareIndex(ctx context.Context, db read.Database, listed *posindex.Comparison, beginnings *posindex.Beginnings) error {
	ext := dbfile.IndexExt(c.set)
	var headers *cbhdb.HeaderReader
	if c.headers != nil {
		headers = c.headers.Reader(dbfile.NearAhead)
	}
	for rec, err := range db.Records(ctx, 1, model.WantMoves) {
		if err != nil && (rec.ID == 0 || !dbfile.IsDamage(err)) {
			return err
		}
		if err := c.step(ctx, rec.ID); err != nil {
			return err
		}
		is := posindex.Record{Game: rec.Game, Text: rec.Text != nil, Deleted: rec.Deleted}
		if err != nil && headers != nil {
			h, err := headers.At(rec.ID)
			if err != nil {
				return err
			}
			is = posindex.Record{Text: h.Type().IsText(), Deleted: h.Type().IsDeleted()}
		}
		if !listed.Lists(rec.ID, is) {
			c.add(codeBoosterContent, inRecord(ext, rec.ID, -1, ""), "what is listed of the record is not what follows from its moves")
		}
		if err := beginnings.Add(is); err != nil {
			return err
		}
	}
	return nil
}

// compareSummaries compares summaries of positions with those that the games have now.
func (c *boosterChecker) compareSummaries(ctx context.Context, db read.Database, x *posindex.Index, beginnings *posindex.Beginnings) error {
	if !x.SummariesHold() {
		return nil
	}
	for kept, err := range x.Summaries() {
		if err != nil {
			return err
		}
		same, err := c.holds(ctx, db, x, kept, beginnings)
		if err != nil {
			return err
		}
		if !same {
			c.add(codeBoosterContent, inFile(dbfile.IndexExt(c.set)), "the summary of position %#x is not what follows from its games", kept.Key)
		}
	}
	return nil
}

// holds reports whether a summary, with what has changed since, says what the games say, or
// that it cannot tell.
func (c *boosterChecker) holds(ctx context.Context, db read.Database, x *posindex.Index, kept posindex.Summary, beginnings *posindex.Beginnings) (bool, error) {
	all := db.(posindex.Games)
	was, is, err := x.Since(ctx, all, kept.Key, math.MaxInt)
	if err != nil {
		return false, passDamage(err)
	}
	changed := len(was)+len(is) > 0
	games, ids, position, err := beginnings.Under(ctx, x, all, kept.Key, stats.SummaryPlies)
	switch {
	case errors.Is(err, posindex.ErrNoPosition):
		return false, nil
	case err != nil || games == nil:
		return changed, passDamage(err)
	}
	now, err := stats.Summarize(ctx, games, ids, position, stats.Options{})
	if err != nil || !changed {
		return bytes.Equal(now, kept.Content), passDamage(err)
	}
	return stats.IsSummary(kept.Content, was, is, now, position, db.Entities()), nil
}

// passDamage drops the error of a game that cannot be read.
func passDamage(err error) error {
	if dbfile.IsDamage(err) {
		return nil
	}
	return err
}
