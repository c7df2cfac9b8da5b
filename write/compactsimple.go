package write

import (
	"context"
	"errors"

	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/model"
	"cbkit/read"
)

// compactSimple is Compact for a Simple Chess Database. A copy of one has its games
// one after the other, and names of their own if ids change.
func (opt *CompactOptions) compactSimple(ctx context.Context, path string) (r CompactResult, err error) {
	ed, err := EditSimple(path, EditOptions{Wait: opt.Wait, Context: ctx, AcceptLosses: true})
	if err != nil {
		return r, err
	}
	holes, deleted, err := ed.unused()
	layout := ed.layout
	if err = errors.Join(err, ed.Close()); err != nil {
		return r, err
	}
	set, err := read.FindFiles(path)
	if err != nil {
		return r, err
	}
	exts := dbfile.Simple.Data()
	for i := range exts {
		exts[i] = "." + exts[i]
	}
	r.Before, r.Holes = sizeOf(set, exts...), uint64(holes)
	if opt.DryRun {
		r.Records, r.After = ed.Count(), r.Before-holes
		if opt.Purge {
			r.Records, r.Purged = r.Records-deleted, deleted
		}
		return r, nil
	}
	if r.Records, err = opt.copySimple(ctx, set.Path(".dci"), layout, &r); err != nil {
		return r, err
	}
	if set, err = read.FindFiles(path); err == nil {
		r.After = sizeOf(set, exts...)
	}
	return r, err
}

// copySimple copies the database onto itself.
func (opt *CompactOptions) copySimple(ctx context.Context, main string, layout dcdb.Layout, r *CompactResult) (records int, err error) {
	db, err := read.Open(main, read.Options{CodePage: opt.CodePage})
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }() // it was only read
	c, err := CreateSimple(main, SimpleOptions{
		Force: true, Layout: SimpleLayout(layout), Fresh: opt.Purge, Chess960: true, Report: opt.Report, AcceptLosses: true,
		Context: ctx, Wait: opt.Wait, OnReplace: opt.OnReplace,
	})
	if err != nil {
		return 0, err
	}
	err = model.Copy(ctx, c, db, model.CopyOptions{
		Keep: func(rec model.Record) bool {
			if opt.Purge && rec.Deleted {
				r.Purged++
				return false
			}
			return true
		},
		Progress: opt.Progress,
	})
	return c.Written(), err
}

// unused returns how many bytes of the file of games no game uses, and how many
// games are deleted. A game that is damaged is an error.
func (ed *SimpleEditor) unused() (holes int64, deleted int, err error) {
	live := int64(0)
	for id := model.RecordID(1); id <= ed.count; id++ {
		e, err := ed.entryOf(id)
		if err != nil {
			return 0, 0, err
		}
		at, size, err := ed.extentOf(id, &e)
		if err != nil {
			return 0, 0, err
		}
		live += at - int64(e.Offset) + size
		if e.Status == dcdb.StatusDeleted {
			deleted++
		}
	}
	return max(ed.games.Size()-dcdb.MagicSize-live, 0), deleted, nil
}
