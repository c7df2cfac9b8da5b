package check

import (
	"context"
	"errors"
	"io/fs"

	"cbkit/internal/dbfile"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
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
	return c.compareIndex(ctx, listed)
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
