package write

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/model"
	"cbkit/read"
)

// BoosterOptions says which search boosters to write and how. The zero value is
// good for most databases.
type BoosterOptions struct {
	// Files are the endings of the files to write, with or without a dot; none
	// means all that the database can have. Of a pair (.cit and .cib, .cit2
	// and .cib2) always both are written.
	Files []string
	// Memory bounds the memory for sorting in bytes; 0 is 64 MB. What does not
	// fit goes to a file beside the database for a while.
	Memory int
	// Jobs is how many processors decode, as in [read.Options].
	Jobs int
	// Progress, if not nil, is told how many of all records are done.
	Progress func(done, total int)
	// Undecoded, if not nil, is told of every game that cannot be played
	// through: its record in the .cbb file stays zero.
	Undecoded func(model.RecordID, error)

	// Wait is how long to wait for another writer of the database; 0 is not at
	// all.
	Wait time.Duration

	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
	// locked says that the database is locked by the caller.
	locked bool
}

// BoosterResult says what [Boosters] did.
type BoosterResult struct {
	// Files are the names of the files written.
	Files []string `json:"files"`
	// Records is the number of games and texts they cover.
	Records int `json:"records"`
	// Undecoded is the number of games without a record in the .cbb file.
	Undecoded int `json:"undecoded"`
	// Skipped are the files that could not be made; those that were there are
	// left as they were.
	Skipped []SkippedBoosters `json:"skipped,omitempty"`
}

// SkippedBoosters are files that could not be made, with the reason.
type SkippedBoosters struct {
	Files  []string `json:"files"`
	Reason string   `json:"reason"`
}

// BoosterExts are the endings of the search boosters of a ChessBase database,
// in the order in which they are reported:
//
//	.cit .cib    the records that refer to a player, tournament, team, source or annotator
//	.cit2 .cib2  the records that refer to a game title
//	.cbb         where the pieces stood in each game
//	.cbgi        where the moves of each game are
var BoosterExts = dbfile.ChessBase.Exts(dbfile.Booster)

// defaultBoosterMemory is the memory for sorting.
const defaultBoosterMemory = 64 << 20

// Boosters computes the search boosters of the ChessBase database at path and
// writes them beside it, in one pass over its records. The files that are there
// are replaced when the new ones are complete; should the machine stop in
// between, some may be missing, but none is wrong.
//
// The layout is that of a full rebuild (docs/formats/boosters.md 8). With the .cbb file
// comes a seal, a small file that lets searches find out whether it still fits
// the database.
//
// A database without game titles has no .cit2 and .cib2 files. What needs a part
// of the database that is missing or damaged is left out, and the others are
// written: the .cbb file without the moves, a pair of lists if a record refers
// to an entity that does not exist, for which the lists have no place. If
// nothing can be written the reason is the error. It is model.ErrLocked while
// somebody else writes the database or its boosters.
//
// The boosters have the permissions of the .cbh file.
func Boosters(ctx context.Context, path string, opt BoosterOptions) (r BoosterResult, err error) {
	files, err := read.FindFiles(path)
	if err != nil {
		return BoosterResult{}, err
	}
	if !files.Has(".cbh") {
		return BoosterResult{}, fmt.Errorf("%s: %w: search boosters belong to a %s", path, model.ErrNotDatabase, files.Name(".cbh"))
	}
	if opt.files == nil {
		opt.files = fsys.OS{}
	}
	if !opt.locked {
		l, err := lock.Acquire(ctx, opt.files, files.Path(".cbh"), lock.Writer, opt.Wait)
		if err != nil {
			return r, err
		}
		defer func() { err = cmp.Or(err, l.Release()) }()
		// Whoever had the lock before may have replaced the database since.
		if files, err = read.FindFiles(files.Path(".cbh")); err != nil {
			return r, err
		}
	}
	out, err := newBoosterFiles(opt.files, files)
	if err != nil {
		return r, err
	}
	b := &boosterBuild{opt: opt, files: files, db: cbhdb.New(cbhdb.FilesOf(files)), out: out}
	defer b.close()
	return b.run(ctx)
}
