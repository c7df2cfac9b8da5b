package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhedit"
	"cbkit/internal/codepage"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/model"
	"cbkit/read"
)

// EditOptions configures [Edit] and [EditSimple]. The zero value is good for
// most databases.
type EditOptions struct {
	// CodePage is the page for names and texts, as in [Options]. It should be that of the
	// database, since names are compared in it.
	CodePage string
	// GuessCodePage makes [Edit] guess the page if none is given, after locking and
	// recovering the database; [Editor.CodePage] returns the guess.
	GuessCodePage bool
	// Now is the clock of stamps; nil is time.Now.
	Now func() time.Time
	// Report is called for what the format cannot hold. If it is nil, Commit fails with a
	// *model.LossError if there is any such loss, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
	// Chess960 lets [EditSimple] add games of Chess960, as [Options] does.
	Chess960 bool
	// Wait is how long to wait for another writer of the database to end; 0 is
	// not at all.
	Wait time.Duration
	// Memory is how many bytes of changes are kept in memory before they go to
	// a scratch file beside the database; 0 is 16 MiB.
	Memory int

	// DryRun says that nothing will be committed. If an earlier change was interrupted,
	// the error wraps model.ErrNeedsRecovery, and its traces stay as they are.
	DryRun bool

	// Boosters makes Close compute those search boosters anew that commits had to
	// drop because they did not fit. Other writers are kept out until then.
	Boosters bool

	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
	// changed is the clock of change times, for tests too.
	changed func() time.Time
}

// Editor changes a ChessBase database in place. Its changes form a transaction:
// [Editor.Commit] makes all of them permanent, and [Editor.Rollback], or Close without
// Commit, discards them; then the next transaction begins. No byte of the database
// changes before Commit. If the machine stops during Commit, the next editor, or
// [Recover], restores the old state.
//
// What a change costs depends on the change and not on the size of the database.
// Everything derived from it is updated in the same transaction: flags, counts,
// checksums, stamps, search trees, search boosters. An entity that loses its last
// reference is removed, and so are boosters that did not fit the database before.
//
// An editor is a [model.Sink]: records that it is given are added at the end. It must not
// be used by more than one goroutine at a time. After an error of a method that changes
// something, only Rollback or Close may follow, unless the error is about an argument: an
// id that does not exist, a value that is not possible.
type Editor struct {
	transaction
	ctx  context.Context // of opening: it ends waiting, and boosters that Close makes
	opt  EditOptions
	main string // the path of the .cbh file
	appender

	src    model.Source // of the records that are added
	origin *origin      // and its entities
	tables entityEditors
	gone   []string // endings of search boosters that commits dropped
}

var (
	_ model.Sink    = (*Editor)(nil)
	_ model.Counter = (*Editor)(nil)
)

// EditResult reports what a transaction did.
type EditResult struct {
	// Numbers of records: added; replaced; marked as deleted; unmarked; with a
	// changed header; with changed annotations.
	Appended  int `json:"appended"`
	Replaced  int `json:"replaced"`
	Deleted   int `json:"deleted"`
	Undeleted int `json:"undeleted"`
	Set       int `json:"set"`
	Annotated int `json:"annotated"`
	// Numbers of entities: added; changed; merged into others; removed.
	EntitiesAdded   int `json:"entitiesAdded"`
	EntitiesChanged int `json:"entitiesChanged"`
	EntitiesMerged  int `json:"entitiesMerged"`
	EntitiesRemoved int `json:"entitiesRemoved"`
	// BytesMoved is how many bytes were moved to make room.
	BytesMoved int64 `json:"bytesMoved"`
	// Games is how many games of a text were written anew, or are gone.
	Games int `json:"-"`
	// Rewritten are the names of files that were written anew as a whole.
	Rewritten []string `json:"rewritten,omitempty"`
	// Once describes changes that a database needs only once, such as building an
	// unbalanced tree anew.
	Once []string `json:"once,omitempty"`
	// DroppedBoosters are the names of search boosters that were removed because
	// they did not fit the database before. MadeBoosters are those that Close
	// computed anew.
	DroppedBoosters []string `json:"droppedBoosters,omitempty"`
	MadeBoosters    []string `json:"madeBoosters,omitempty"`
}

// Edit opens the database at path, which names any of its files, for change. If
// a change was interrupted there, it is taken back first.
//
// Errors wrap model.ErrLocked if another process is writing the database, fs.ErrNotExist
// if there is none, model.ErrTruncated if its .cbh file is cut, or say which header
// cannot be read. When ctx is done, waiting ends, and so does the making of search
// boosters by Close.
func Edit(ctx context.Context, path string, opt EditOptions) (*Editor, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	set, main, err := openToEdit(ctx, path, ".cbh", &opt)
	if err != nil {
		return nil, err
	}
	ed := &Editor{ctx: ctx, opt: opt, main: main}
	ed.opt.Report = ed.init(set, &opt, ed.beginAgain, ed.finish)
	ed.steps.Keep = ed.keep
	page, guess, err := editedPage(ctx, set, main, &opt)
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	ed.guess = guess
	ed.encoder = encoder{page: page, report: ed.opt.Report}
	ed.tables.init(ed)
	if ed.db, err = cbhedit.Open(set, opt.Memory); err == nil {
		ed.db.Changed = opt.changed
		err = ed.begin()
	}
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return ed, nil
}

// begin starts a transaction.
func (ed *Editor) begin() error {
	ed.transaction.begin()
	ed.src, ed.origin = nil, nil
	t := &ed.tables
	for _, begin := range []func(){t.players.begin, t.tournaments.begin, t.annotators.begin, t.sources.begin, t.teams.begin, t.gameTitles.begin} {
		begin()
	}
	ed.stamp.next = cbh.CreationStamp(ed.opt.Now())
	if n := ed.db.Count(); n > 0 {
		h, err := ed.db.Header(n)
		if err != nil {
			return err
		}
		ext := cbh.DecodeExtRecord(h.Ext)
		ed.stamp.seen(ext.Created)
	}
	return nil
}

// Begin implements [model.Sink]: the records that come refer to the entities of
// src. It may be called more than once in a transaction.
func (ed *Editor) Begin(src model.Source) error {
	if err := ed.beginSource(src); err != nil {
		return err
	}
	ed.src = src
	ed.origin = newOrigin(src.Entities())
	return ed.lifecycle.Begun(nil)
}

// beginAgain starts another transaction.
func (ed *Editor) beginAgain() error {
	if err := ed.db.Begin(); err != nil {
		return err
	}
	return ed.begin()
}

// keep remembers what the transaction has done.
func (ed *Editor) keep() {
	ed.last = ed.result
	for _, name := range ed.last.DroppedBoosters {
		ed.gone = append(ed.gone, dbfile.EndingOf(name))
	}
}

// finish makes the files agree and completes the result, unless there are losses and no
// Report was called for them.
func (ed *Editor) finish(dry bool) error {
	// Of the other kinds the key is all that they say.
	if err := cmp.Or(ed.tables.tournaments.reportUnited(), ed.tables.sources.reportUnited()); err != nil {
		return err
	}
	if err := ed.lacking(); err != nil {
		return err
	}
	did, err := ed.db.Finish(dry)
	r := &ed.result
	r.EntitiesAdded, r.EntitiesRemoved = did.Added, did.Removed
	r.BytesMoved, r.Rewritten, r.Once, r.DroppedBoosters = did.Moved, did.Rewritten, did.Once, did.Dropped
	return err
}

// editedPage returns the code page of a database that is locked and put right: the one that
// is given, or one that is recognised. Damage says nothing about it, and shows where it is met.
func editedPage(ctx context.Context, set *journal.Set, main string, opt *EditOptions) (page cbh.CodePage, guess model.PageGuess, err error) {
	switch {
	case opt.CodePage != "":
		page, err = cbh.ParseCodePage(opt.CodePage)
	case opt.GuessCodePage:
		found, missing := read.FindFilesFS(set.Disk(), main)
		if err = missing; err == nil {
			guess, err = read.GuessCodePage(ctx, found)
		}
		if ctx.Err() != nil || errors.As(err, new(*fs.PathError)) && !errors.Is(err, fs.ErrNotExist) {
			return page, guess, err
		}
		page, err = cbh.ParseCodePage(cmp.Or(guess.Page, codepage.Default))
	}
	return page, guess, err
}

// Close rolls back what was not committed and releases the database. With
// EditOptions.Boosters it may return an error that wraps [model.ErrCommitted]: search
// boosters that were to be computed anew are missing.
func (ed *Editor) Close() error {
	err := ed.set.Rollback()
	exts := slices.DeleteFunc(ed.gone, func(ext string) bool { return !slices.Contains(BoosterExts(), ext) })
	if err == nil && ed.opt.Boosters && len(exts) > 0 {
		ed.gone = nil // so that a second Close makes none
		var made BoosterResult
		made, err = Boosters(ed.ctx, ed.main, BoosterOptions{Files: exts, files: ed.opt.files, set: ed.set})
		if ed.last.MadeBoosters = made.Files; model.IsDone(err) {
			err = cmp.Or(made.lacking(), err)
		} else if !errors.Is(err, model.ErrCommitted) && !errors.Is(err, model.ErrUncertain) {
			err = fmt.Errorf("%w, but search boosters could not be made anew: %w", model.ErrCommitted, err)
		}
	}
	return errors.Join(err, ed.set.Close())
}

// Count returns the number of records, with those that were added; after Close, or where
// no transaction began, it is 0.
func (ed *Editor) Count() int {
	if ed.steps.Open() != nil {
		return 0
	}
	return int(ed.db.Count())
}

// Append adds all records of a source, as [model.Copy] does, but without a
// commit, so that other changes can follow in the same transaction. On an error
// it calls neither Commit nor Abort.
func (ed *Editor) Append(ctx context.Context, src model.Source, opt model.CopyOptions) error {
	return model.Copy(ctx, appending{ed}, src, opt)
}
