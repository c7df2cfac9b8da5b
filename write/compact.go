package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/internal/fsys"
	"cbkit/internal/posindex"
	"cbkit/internal/scid"
	"cbkit/model"
	"cbkit/read"
)

// CompactOptions configures [Compact]. The zero value is good for most
// databases.
type CompactOptions struct {
	// Purge also removes the records that are marked as deleted, and entities and lists
	// of media that no record refers to. Ids change then, with everything that refers to
	// them; existing search boosters are made anew, and opening keys are moved aside.
	Purge bool
	// CodePage is the page of names and texts, as in [Options].
	CodePage string
	// DryRun finds out what would be gained, and changes nothing.
	DryRun bool
	// Report is called for what cannot follow a change of ids: files, and links in
	// texts.
	Report model.Report
	// Damage, if not nil, is called for damage that Compact meets, which stays as it is.
	// Only Purge, and compacting a Simple Chess Database, read records.
	Damage func(error)
	// Progress, if not nil, is called with how many of all records are done.
	Progress func(done, total int)
	// Wait is how long to wait for another writer of the database to end.
	Wait time.Duration
	// OnReplace is as in [Options], for Purge.
	OnReplace func(model.Replacement)

	// For tests: the file system, and how much of the disk is free.
	files fsys.FS
	free  func() (int64, bool)
}

// CompactResult reports what [Compact] did.
type CompactResult struct {
	// Records is the number of records afterwards, Purged the number of records
	// that were removed.
	Records int `json:"records"`
	Purged  int `json:"purged"`
	// Before and After are the sizes of all files with records in bytes.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	// Holes is how many bytes the headers of the files counted as unused.
	Holes uint64 `json:"holes"`
	// DroppedBoosters are the names of search boosters that were removed because
	// they did not fit the database before. MadeBoosters are those that Purge
	// computed anew.
	DroppedBoosters []string `json:"droppedBoosters,omitempty"`
	MadeBoosters    []string `json:"madeBoosters,omitempty"`
}

// Compact removes what nothing uses from a ChessBase database: holes between records, and
// bytes after the last one. It is one transaction, like those of an [Editor]: files that
// mostly change are written beside the old ones, and after a crash either the old
// database is there or the new one. A second run changes nothing. Search boosters are
// updated. With Purge a new database replaces the old one, as by [CreateCopy].
//
// Errors wrap model.ErrLocked if another process is writing the database, ErrDiskFull if
// the disk has no room for the new files, and those of reading; a database with a record
// outside its file is not compacted.
//
// From a Simple Chess Database it removes the records that replaced games left; all files
// are written anew and replace the old ones together. From a Scid database it also
// removes names that no game refers to; ids of names change.
func Compact(ctx context.Context, path string, opt CompactOptions) (CompactResult, error) {
	if set, err := read.FindFiles(path); opt.files == nil && err == nil {
		switch set.Main(path) {
		case ".dci":
			return opt.compactSimple(ctx, path)
		case ".si4":
			return opt.compactScid(ctx, path)
		}
	}
	ed, err := Edit(ctx, path, EditOptions{
		CodePage: opt.CodePage, Wait: opt.Wait, AcceptLosses: true, DryRun: opt.DryRun, files: opt.files,
	})
	if err != nil {
		return CompactResult{}, err
	}
	result := CompactResult{Records: ed.Count(), Holes: ed.db.Holes()}
	if opt.Purge {
		// Whatever an interrupted change has left is put right by now.
		lost, err := ed.db.LostAnnotations(ctx)
		if err == nil && lost > 0 {
			err = fmt.Errorf("%s: games miss their annotations, and no record points to %d bytes of %s; "+
				"cbkit salvage gives them back before ids change", mainFile(path), lost, ed.db.Name(".cba"))
		}
		// The editor has the database locked until the new one is in place.
		if err = cmp.Or(err, ed.set.Rollback()); err == nil {
			result, err = opt.purge(ctx, ed.main, result)
		}
		return result, cmp.Or(err, ed.Close())
	}
	before, after, err := ed.db.Compact(ctx, opt.progress(ed.Count()))
	others := ed.db.HeaderBytes()
	switch {
	case err != nil:
		err = errors.Join(err, ed.Rollback())
	case opt.DryRun:
		result.Before, result.After = before+others, after+others
		err = errors.Join(ed.set.Rehearse(), ed.Rollback())
	default:
		result.Before, result.After = before+others, after+others
		if err = opt.hasRoom(path, ed.db.Rewrites()); err != nil {
			err = errors.Join(err, ed.Rollback())
			break
		}
		err = ed.Commit()
		result.DroppedBoosters = ed.Result().DroppedBoosters
	}
	return result, errors.Join(err, ed.Close())
}

// progress returns the function that is called for each record that is done.
func (opt *CompactOptions) progress(total int) func(model.RecordID) {
	if opt.Progress == nil {
		return nil
	}
	return func(id model.RecordID) { opt.Progress(int(id), total) }
}

// ErrDiskFull: the disk has no room for what is to be written.
var ErrDiskFull = errors.New("the disk is too small")

// hasRoom returns an error if there is no room for so many bytes beside a database.
func (opt *CompactOptions) hasRoom(path string, need int64) error {
	free, known := fsys.Free(filepath.Dir(path))
	if opt.free != nil {
		free, known = opt.free()
	}
	if !known || free >= need {
		return nil
	}
	return fmt.Errorf("%s: %w: the new files need %d bytes beside the old ones, and %d are free; nothing was changed",
		path, ErrDiskFull, need, free)
}

// purge makes a new database of what is not marked as deleted. Found is what is known
// before.
func (opt *CompactOptions) purge(ctx context.Context, path string, found CompactResult) (CompactResult, error) {
	if opt.DryRun {
		db, err := read.Open(path, read.Options{CodePage: opt.CodePage, Damage: opt.Damage})
		if err != nil {
			return found, err
		}
		info, err := db.Info(ctx)
		_ = db.Close() // it was only read
		if found.Purged = info.Deleted; err != nil {
			return found, err
		}
	}
	var c *Copier
	r, err := opt.compactCopy(ctx, path, []string{".cbh", ".cbj", ".cbg", ".cba"}, found, func(db read.Database, main string, with Options) (countingSink, error) {
		chess, ok := db.(*read.ChessBase)
		if !ok {
			return nil, fmt.Errorf("%s: %w", path, model.ErrNotDatabase)
		}
		old := chess.Files()
		if err := opt.hasRoom(path, sizeOf(old, old.Endings()...)); err != nil {
			return nil, err
		}
		// The search boosters and the index that are there are made anew.
		with.Boosters = &BoosterOptions{Files: slices.DeleteFunc(BoosterExts(), func(ext string) bool { return !old.Has(ext) })}
		if x, err := posindex.OpenUnproven(cbhdb.FilesOf(old)); err == nil { // else there is none that is worth it
			with.Boosters.Positions, with.Boosters.Structures = x.Plies, x.Structures
			x.Close()
		}
		if len(with.Boosters.Files) == 0 && !with.Boosters.makesIndex() {
			with.Boosters = nil
		}
		var err error
		if c, err = CreateCopy(ctx, main, chess, with); err == nil {
			c.purge = &purging{places: map[int32]int32{}}
		}
		return c, err
	})
	if c == nil || !model.IsDone(err) {
		return r, err
	}
	r.MadeBoosters = c.Boosters().Files
	return r, cmp.Or(c.Boosters().lacking(), err)
}

// copying says what of a database is copied: without deleted records where they are
// purged, which are counted.
func (opt *CompactOptions) copying(db read.Database, purged *int) model.CopyOptions {
	return model.CopyOptions{
		Keep: func(rec model.Record) bool {
			if opt.Purge && rec.Deleted {
				*purged++
				return false
			}
			if opt.Damage != nil {
				for _, err := range rec.Faults() {
					opt.Damage(err)
				}
			}
			return true
		},
		Progress: opt.progress(db.Count()),
	}
}

// sizeOf returns the size of some files of a set, those that it has.
func sizeOf(set *read.FileSet, exts ...string) (n int64) {
	for _, ext := range exts {
		if info, err := (fsys.OS{}).Stat(set.Path(ext)); err == nil && set.Has(ext) {
			n += info.Size()
		}
	}
	return n
}

// compactSimple is Compact for a Simple Chess Database. A copy of one has its games
// one after the other, and names of their own if ids change.
func (opt *CompactOptions) compactSimple(ctx context.Context, path string) (r CompactResult, err error) {
	ed, err := EditSimple(ctx, path, EditOptions{Wait: opt.Wait, AcceptLosses: true, DryRun: opt.DryRun})
	if err != nil {
		return r, err
	}
	defer func() { err = cmp.Or(err, ed.Close()) }() // it has the database locked until the new one is in place
	holes, deleted, err := ed.unused()
	layout, records := ed.layout, ed.Count()
	if err = errors.Join(err, ed.set.Rollback()); err != nil {
		return r, err
	}
	return opt.compactCopy(ctx, path, dbfile.Simple.Data(), CompactResult{Records: records, Purged: deleted, Holes: uint64(holes)}, func(_ read.Database, main string, with Options) (countingSink, error) {
		with.Layout, with.Fresh, with.Chess960 = SimpleLayout(layout), opt.Purge, true
		return CreateSimple(ctx, main, with)
	})
}

// compactScid is Compact for a database of Scid.
func (opt *CompactOptions) compactScid(ctx context.Context, path string) (r CompactResult, err error) {
	ed, err := EditScid(ctx, path, EditOptions{Wait: opt.Wait, AcceptLosses: true, DryRun: opt.DryRun})
	if err != nil {
		return r, err
	}
	defer func() { err = cmp.Or(err, ed.Close()) }() // as above
	live, deleted, records := int64(0), 0, ed.Count()
	err = ed.entries(func(id model.RecordID, e scid.Entry) error {
		if e.Flags&scid.FlagDeleted != 0 {
			deleted++
		}
		live += int64(e.Length)
		_, err := ed.bodyOf(id, &e)
		return err
	})
	holes := max(0, ed.games.Size()-live)
	if err = errors.Join(err, ed.set.Rollback()); err != nil {
		return r, err
	}
	return opt.compactCopy(ctx, path, dbfile.Scid.Data(), CompactResult{Records: records, Purged: deleted, Holes: uint64(holes)}, func(_ read.Database, main string, with Options) (countingSink, error) {
		c, err := CreateScid(ctx, main, with)
		if err != nil {
			return nil, err
		}
		c.encoder.from = new(scidNames)
		return c, nil
	})
}

// compactCopy writes a database anew in its place; exts are those of its files with records,
// of the main file first. Found is what was found in it.
func (opt *CompactOptions) compactCopy(ctx context.Context, path string, exts []string, found CompactResult, create func(db read.Database, main string, with Options) (countingSink, error)) (r CompactResult, err error) {
	set, err := read.FindFiles(path)
	if err != nil {
		return r, err
	}
	r.Before, r.Holes = sizeOf(set, exts...), found.Holes
	if opt.DryRun {
		r.Records, r.After = found.Records, r.Before-int64(found.Holes)
		if opt.Purge {
			r.Records, r.Purged = r.Records-found.Purged, found.Purged
		}
		return r, nil
	}
	db, err := read.Open(set.Path(exts[0]), read.Options{CodePage: opt.CodePage, Damage: opt.Damage})
	if err != nil {
		return r, err
	}
	defer func() { _ = db.Close() }() // it was only read
	c, err := create(db, set.Path(exts[0]), Options{Force: true, Report: opt.Report, AcceptLosses: true, OnReplace: opt.OnReplace, locked: true})
	if err != nil {
		return r, err
	}
	untidy := model.Copy(ctx, c, db, opt.copying(db, &r.Purged))
	r.Records = c.Written()
	if !model.IsDone(untidy) {
		return r, untidy
	}
	if set, err = read.FindFiles(path); err == nil {
		r.After = sizeOf(set, exts...)
	}
	return r, cmp.Or(err, untidy)
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
