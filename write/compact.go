package write

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cbkit/model"
	"cbkit/read"
)

// CompactOptions says how to compact. The zero value is good for most databases.
type CompactOptions struct {
	// Purge also removes the records that are marked as deleted, and entities and
	// media that no record refers to any more. Ids change then, and all that
	// refers to them; search boosters are left out.
	Purge bool
	// CodePage is the page of names and texts, as in [Options].
	CodePage string
	// DryRun finds out what would be gained, and changes nothing.
	DryRun bool
	// Report is told of files that cannot follow a change of ids.
	Report model.Report
	// Progress, if not nil, is told the id of each record.
	Progress func(model.RecordID)
	// Wait is how long to wait for another writer of the database to end.
	Wait time.Duration
	// OnReplace is as in [Options].
	OnReplace func(Replacement)
}

// CompactResult is what was gained.
type CompactResult struct {
	// Records is the number of records afterwards, Purged that of those that went.
	Records int `json:"records"`
	Purged  int `json:"purged"`
	// Before and After are the sizes of all files with records in bytes.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	// Holes are the bytes that the files counted as unused.
	Holes uint64 `json:"holes"`
}

// Compact removes what nothing uses from a ChessBase database: holes between
// records. It writes all files beside the old ones and replaces these when they
// are complete, so that after a crash one of the two is there; a second run
// changes nothing. There must be room on the disk for both: if there is not, the
// old files stay as they are.
//
// Errors wrap model.ErrLocked if somebody else is writing the database, and those
// of reading; a database of which a record cannot be read is not compacted.
func Compact(ctx context.Context, path string, opt CompactOptions) (CompactResult, error) {
	var result CompactResult
	// An interrupted change is taken back first.
	ed, err := Edit(path, EditOptions{CodePage: opt.CodePage, Wait: opt.Wait, Context: ctx, AcceptLosses: true})
	if err != nil {
		return result, err
	}
	if err := ed.Close(); err != nil {
		return result, err
	}
	set, err := read.FindFiles(path)
	if err != nil {
		return result, err
	}
	result.Before = recordBytes(set)
	if opt.DryRun {
		return result, opt.foresee(ctx, set, &result)
	}
	if result.Records, err = opt.copy(ctx, set, &result); err != nil {
		return result, err
	}
	if set, err = read.FindFiles(path); err != nil {
		return result, err
	}
	result.After = recordBytes(set)
	return result, nil
}

// copy copies the database onto itself.
func (opt *CompactOptions) copy(ctx context.Context, set *read.FileSet, result *CompactResult) (records int, err error) {
	db, err := read.OpenFiles(set, read.Options{CodePage: opt.CodePage})
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }() // it was only read
	chess, ok := db.(*read.ChessBase)
	if !ok {
		return 0, fmt.Errorf("%s: %w", set.Path(".cbh"), model.ErrNotDatabase)
	}
	c, err := CreateCopy(set.Path(".cbh"), chess, CopyOptions{
		Force: true, Report: opt.Report, AcceptLosses: true, Context: ctx, Wait: opt.Wait, OnReplace: opt.OnReplace,
	})
	if err != nil {
		return 0, err
	}
	info, err := db.Info(ctx)
	if err != nil {
		return 0, errors.Join(err, c.Abort())
	}
	result.Holes = info.MoveHoles + info.AnnotationHoles
	err = model.Copy(ctx, c, db, model.CopyOptions{
		Keep: func(r model.Record) bool {
			if opt.Purge && r.Deleted {
				result.Purged++
				return false
			}
			return true
		},
		Progress: opt.Progress,
	})
	return c.Written(), err
}

// foresee says what would be gained as far as headers tell.
func (opt *CompactOptions) foresee(ctx context.Context, set *read.FileSet, result *CompactResult) error {
	db, err := read.Open(set.Path(".cbh"), read.Options{CodePage: opt.CodePage})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	info, err := db.Info(ctx)
	if err != nil {
		return err
	}
	result.Records, result.Holes = db.Count(), info.MoveHoles+info.AnnotationHoles
	result.After = result.Before - int64(result.Holes)
	if opt.Purge {
		result.Purged = info.Deleted
		result.Records -= info.Deleted
	}
	return nil
}

// recordBytes returns the size of the files that hold records.
func recordBytes(set *read.FileSet) (n int64) {
	for _, ext := range []string{".cbh", ".cbj", ".cbg", ".cba"} {
		if info, err := os.Stat(filepath.Join(set.Dir, set.Name(ext))); err == nil {
			n += info.Size()
		}
	}
	return n
}
