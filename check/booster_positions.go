package check

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"cbkit/internal/dbfile"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
	"cbkit/stats"
)

const indexExt = posindex.Ext

// checkIndex compares the index of positions, where there is one and searches use it,
// with the moves of all games.
func (c *boosterChecker) checkIndex(ctx context.Context) error {
	x, err := posindex.Open(c.db.Files())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.missing(indexExt)
		return nil
	case errors.Is(err, posindex.ErrNotFit):
		c.unusedIndex(err)
		return nil
	case dbfile.IsDamage(err):
		c.addError(codeBoosterHeader, indexExt, err)
		return nil
	case err != nil:
		return err
	}
	defer x.Close()
	if x.Records != c.headers.Count {
		c.unusedIndex(posindex.ErrNotFit)
		return nil
	}
	if c.bySeal {
		return nil
	}
	listed, err := x.Compare()
	if dbfile.IsDamage(err) {
		c.addError(codeBoosterHeader, indexExt, err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, ext := range mandatoryExts {
		if !c.set.Has(ext) {
			c.unknown(indexExt, "%s is missing; without it nothing can be compared", c.set.Name(ext))
			return nil
		}
	}
	return errors.Join(c.compareIndex(ctx, listed), c.compareSummaries(ctx, x))
}

// unusedIndex notes that searches do not use the index.
func (c *boosterChecker) unusedIndex(err error) {
	c.add(codeBoosterUnsealed, inFile(indexExt), "searches do not use it (%v); cbkit boosters --positions makes it anew", err)
	c.found[indexExt].State = BoosterUnsealed
}

// compareIndex compares what the index lists with all games.
func (c *boosterChecker) compareIndex(ctx context.Context, listed *posindex.Comparison) error {
	db, err := read.OpenFiles(c.set, read.Options{Jobs: c.opt.Jobs})
	if err != nil {
		return err
	}
	defer db.Close()
	for rec, err := range db.Records(ctx, 1, model.WantMoves) {
		if err != nil && (rec.ID == 0 || !dbfile.IsDamage(err)) {
			return err
		}
		if err := c.step(ctx, rec.ID); err != nil {
			return err
		}
		text := rec.Text != nil
		if err != nil {
			h, err := c.headers.Reader(dbfile.NearAhead).At(rec.ID)
			if err != nil {
				return err
			}
			rec.Game, text = nil, h.Type().IsText()
		}
		if !listed.Lists(rec.ID, rec.Game, text) {
			c.add(codeBoosterContent, inRecord(indexExt, rec.ID, -1, ""), "what is listed of the record is not what follows from its moves")
		}
	}
	return nil
}

// compareSummaries compares summaries of positions with those that the games have now.
func (c *boosterChecker) compareSummaries(ctx context.Context, x *posindex.Index) error {
	if !x.SummariesHold() {
		return nil
	}
	db, err := read.OpenFiles(c.set, read.Options{Jobs: c.opt.Jobs})
	if err != nil {
		return err
	}
	defer db.Close()
	for kept, err := range x.Summaries() {
		if err != nil {
			return err
		}
		same, err := holds(ctx, db, x, kept)
		if err != nil {
			return err
		}
		if !same {
			c.add(codeBoosterContent, inFile(indexExt), "the summary of position %#x is not what follows from its games", kept.Key)
		}
	}
	return nil
}

// holds reports whether a summary is that of its games.
func holds(ctx context.Context, db read.Database, x *posindex.Index, kept posindex.Summary) (bool, error) {
	ids, err := x.ListedUnder(kept.Key)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	first, err := db.Record(ctx, ids[0], model.WantMoves)
	if err != nil || first.Game == nil || first.Game.MovesErr != nil {
		return false, passDamage(err)
	}
	position, ok := posindex.Position(first.Game, kept.Key)
	if !ok {
		return false, nil
	}
	now, err := stats.Summarize(ctx, db.(model.Numbered), ids, position, stats.Options{})
	return bytes.Equal(now, kept.Content), passDamage(err)
}

// passDamage drops the error of a game that cannot be read.
func passDamage(err error) error {
	if dbfile.IsDamage(err) {
		return nil
	}
	return err
}
