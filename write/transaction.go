package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"cbkit/board"
	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/lifecycle"
	"cbkit/model"
	"cbkit/read"
)

// transaction is what editors of all formats have.
type transaction struct {
	set       *journal.Set
	steps     journal.Steps
	guess     model.PageGuess
	lifecycle *lifecycle.Sink
	losses    model.LossError // that no Report was called for
	result    EditResult
	last      EditResult
}

// openToEdit opens the files of a database for change; path names any of them, and main is the
// main file, with its ending. If a commit was interrupted while that was out of its place,
// it is where it will be again; and so it is if a writer that replaces the database now is waited for.
func openToEdit(ctx context.Context, path, ext string, opt *EditOptions) (set *journal.Set, main string, err error) {
	if main = path; opt.files == nil {
		opt.files = fsys.OS{}
		found, err := read.FindFiles(path)
		main = atomicset.MainFile(path, ext[1:], setOf(ext).Extensions)
		switch {
		case err == nil && found.Has(ext):
			main = found.Path(ext)
		case err == nil:
			return nil, "", fmt.Errorf("%s: %w: only a database with a %s file can be edited, and there is no %s", path, model.ErrNotDatabase, ext, found.Name(ext))
		case errors.Is(err, model.ErrLocked) && opt.Wait > 0:
		case errors.Is(err, model.ErrNeedsRecovery):
			if left, look := journal.Interrupted(fsys.OS{}, main); look != nil || left == "" {
				return nil, "", err
			}
		default:
			return nil, "", err
		}
	}
	set, err = openSet(ctx, opt.files, main, journal.Options{Wait: opt.Wait, Memory: opt.Memory, DryRun: opt.DryRun})
	return set, main, err
}

// openSet opens the files of a database for change.
func openSet(ctx context.Context, files fsys.FS, main string, opt journal.Options) (*journal.Set, error) {
	return atomicset.Edit(ctx, files, main, setOf(main), opt)
}

// setOf are the files of a database that a main file is of.
func setOf(main string) atomicset.Options {
	if dbfile.Is(main, ".dci") {
		return simpleSet
	} else if dbfile.Is(main, ".si4") {
		return scidSet
	} else if dbfile.Is(main, main2) {
		return chessBase2Set
	}
	return chessBaseSet
}

// init makes ready for transactions, and returns what losses are reported to.
func (t *transaction) init(set *journal.Set, opt *EditOptions, begin func() error, finish func(bool) error) model.Report {
	t.set = set
	t.steps = journal.Steps{Set: set, Begin: begin, Finish: finish, Keep: func() { t.last = t.result }}
	if opt.Report == nil && !opt.AcceptLosses {
		return t.losses.Add
	}
	return opt.Report
}

// begin starts a transaction.
func (t *transaction) begin() { t.lifecycle, t.result, t.losses = nil, EditResult{}, model.LossError{} }

// beginSource takes note of a source of records that come.
func (t *transaction) beginSource(src model.Source) error {
	if err := t.steps.Open(); err != nil {
		return err
	}
	t.lifecycle = &lifecycle.Sink{Package: "write"}
	return t.lifecycle.Begin(src)
}

// take takes note of a record that comes.
func (t *transaction) take(rec *model.Record) error {
	if err := t.steps.Open(); err != nil {
		return err
	}
	if t.lifecycle == nil {
		return fmt.Errorf("write: Put before Begin")
	}
	return t.lifecycle.Put(rec)
}

// lacking returns an error if there are losses, and no Report was called for them.
func (t *transaction) lacking() error {
	if t.losses.Count == 0 {
		return nil
	}
	losses := t.losses
	return fmt.Errorf("write: %w", &losses)
}

// Commit makes all changes since the last commit permanent. If it fails, none of them is
// in place, unless the error wraps [model.ErrCommitted] (they are in place to stay) or
// [model.ErrUncertain] (a crash can undo them). In any case the next transaction begins.
func (t *transaction) Commit() error { return t.steps.Commit() }

// DryRun returns what Commit would report, and discards all changes as Rollback does.
func (t *transaction) DryRun() (EditResult, error) {
	err := t.steps.Rehearse()
	result := t.result
	return result, errors.Join(err, t.Rollback())
}

// Result returns what the last commit did.
func (t *transaction) Result() EditResult { return t.last }

// CodePage returns what GuessCodePage has recognised.
func (t *transaction) CodePage() model.PageGuess { return t.guess }

// Rollback discards all changes since the last commit.
func (t *transaction) Rollback() error { return t.steps.Rollback() }

// Abort implements [model.Sink]; it is Rollback.
func (t *transaction) Abort() error { return t.Rollback() }

// Close rolls back what was not committed and releases the database.
func (t *transaction) Close() error { return t.set.Close() }

// Written implements [model.Counter]: it returns the number of records that were
// added since the last commit.
func (t *transaction) Written() int { return t.result.Appended }

// countingSink is a sink that counts what it was given.
type countingSink interface {
	model.Sink
	model.Counter
}

// appending is an editor whose transaction does not end with a copy.
type appending struct{ countingSink }

// Commit implements model.Sink.
func (appending) Commit() error { return nil }

// Abort implements model.Sink.
func (appending) Abort() error { return nil }

// marked marks records as deleted or not, with a function that reports whether one was not
// so before, and counts those that have changed.
func marked(ids []model.RecordID, deleted bool, count *int, mark func(model.RecordID, bool) (changed bool, err error)) error {
	for _, id := range ids {
		changed, err := mark(id, deleted)
		if err != nil {
			return err
		}
		if changed {
			*count++
		}
	}
	return nil
}

// gamesEditor is what editors of databases have that hold games alone.
type gamesEditor struct {
	transaction
	of  gameFormat     // the editor itself
	own model.Entities // the tables that headers and games refer to which it gives
}

// gameFormat is what a format has to know of one game.
type gameFormat interface {
	countingSink
	Game(id model.RecordID) (*model.Game, error)
	// annotate writes the annotations of a game, with its moves.
	annotate(id model.RecordID, g *model.Game) error
	// mark marks a game as deleted or not, and reports whether it was not so before.
	mark(id model.RecordID, deleted bool) (changed bool, err error)
	lastID() model.RecordID
}

// Entities returns the tables that headers and games of this editor refer to.
func (ed *gamesEditor) Entities() *model.Entities { return &ed.own }

// tablesOf are the tables that a header refers to: those that are given, or the editor's own.
func (ed *gamesEditor) tablesOf(from *model.Entities) *model.Entities { return cmp.Or(from, &ed.own) }

// Count returns the number of games, as [Editor.Count] does that of records.
func (ed *gamesEditor) Count() int {
	if ed.steps.Open() != nil {
		return 0
	}
	return int(ed.of.lastID())
}

// Append adds all games of a source, as [Editor.Append] does.
func (ed *gamesEditor) Append(ctx context.Context, src model.Source, opt model.CopyOptions) error {
	return model.Copy(ctx, appending{ed.of}, src, opt)
}

// Delete marks games as deleted. They keep their content.
func (ed *gamesEditor) Delete(ids ...model.RecordID) error {
	return marked(ids, true, &ed.result.Deleted, ed.of.mark)
}

// Undelete removes the marks that Delete set.
func (ed *gamesEditor) Undelete(ids ...model.RecordID) error {
	return marked(ids, false, &ed.result.Undeleted, ed.of.mark)
}

// SetAnnotations replaces the annotations of a game; an empty list removes them.
func (ed *gamesEditor) SetAnnotations(id model.RecordID, list []model.Annotation) error {
	g, err := ed.of.Game(id)
	if err != nil {
		return err
	}
	g.Annotations = list
	return ed.of.annotate(id, g)
}

// Annotate replaces the annotations and variations of a game by those of another game with
// the same main line.
func (ed *gamesEditor) Annotate(id model.RecordID, by *model.Game) error {
	g, err := ed.of.Game(id)
	if err != nil {
		return err
	}
	if err := model.SameMainLine(g, by); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	g.Moves, g.Annotations = by.Moves, by.Annotations
	return ed.of.annotate(id, g)
}

// headed returns a record with the header that a game is to get, whose entities are ids in
// from.
func (ed *gamesEditor) headed(id model.RecordID, h model.Header, from *model.Entities) (model.Record, error) {
	rec := model.Record{ID: id, Game: &model.Game{Header: h}}
	err := rec.CheckMade()
	if err == nil {
		err = model.CheckReferences(&rec, ed.tablesOf(from))
	}
	if err != nil {
		err = fmt.Errorf("record %d: %w", id, err)
	}
	return rec, err
}

// replaces returns an error if a record cannot take the place of a game in a database that
// holds games alone.
func replaces(id model.RecordID, rec *model.Record, database string) error {
	err := rec.CheckMade()
	switch {
	case rec.Text != nil || rec.Game == nil:
		return fmt.Errorf("record %d: %s holds nothing but games", id, database)
	case err == nil && rec.Game.MovesErr != nil:
		err = rec.Game.MovesErr
	case err == nil:
		if err = board.Validate(rec.Game.Start, &rec.Game.Moves); err != nil {
			err = fmt.Errorf("%w: %w", err, model.ErrCorrupt)
		}
	}
	if err != nil {
		err = fmt.Errorf("record %d: %w", id, err)
	}
	return err
}
