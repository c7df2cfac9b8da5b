package ctgwrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/ctg"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/model"
)

// EditOptions configures [Edit]. The zero value is good for most books.
type EditOptions struct {
	// Extended uses all move bytes, as in [Options]. A book in ChessBase's own form
	// implies it.
	Extended bool
	// Report is called for what could not be stored. Without one, Commit fails with a
	// *model.LossError if there is such a thing, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
	// Wait is how long to wait for another writer of the book; 0 is not at all.
	Wait time.Duration
	// DryRun says that nothing will be committed. If an earlier change was interrupted,
	// the error wraps model.ErrNeedsRecovery, and its traces stay as they are.
	DryRun bool
	// Memory is how many bytes of changes are kept in memory before they go to a
	// scratch file beside the book; 0 is 16 MiB.
	Memory int

	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
}

// Editor changes a book in place. Its changes form a transaction: [Editor.Commit] makes
// all of them permanent, and [Editor.Rollback], or Close without Commit, discards them;
// then the next transaction begins. No byte of the book changes before Commit. If the
// machine stops during Commit, the next editor, or [Recover], restores the old state.
//
// Pages are changed where they are, and split as they overflow, as in ChessBase;
// one whose entries stay the same is not written. The book keeps its form: see
// the package comment. After an error of a method that changes something, only
// Rollback or Close may follow, unless the error is about what was asked for.
// An editor must not be used by more than one goroutine at a time.
type Editor struct {
	opt           EditOptions
	ctx           context.Context // of opening, for transactions that begin later
	set           *journal.Set
	steps         journal.Steps
	ctg, ctb, cto *journal.File

	form   Options // that of the book
	enc    ctg.Encoder
	header *ctg.Header
	grower grower
	pages  int    // when the transaction began
	games  uint64 // that were added
	result EditResult
	last   EditResult
	losses model.LossError // that were not reported
}

// EditResult reports what a transaction did.
type EditResult struct {
	// Games is the number of games that were added.
	Games int `json:"games"`
	// Numbers of positions: added, changed, removed.
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Removed int `json:"removed"`
	// Pages is how many pages the book grew by.
	Pages int `json:"pages"`
}

// Edit opens the book at path, which names any of its three files, for change.
// If a change was interrupted there, it is taken back first. The context ends
// waiting, and reading the directory.
//
// Errors wrap model.ErrLocked if another writer has the book, fs.ErrNotExist
// if there is none. A book that is cut, or whose directory is damaged, must be
// written anew first.
func Edit(ctx context.Context, path string, opt EditOptions) (*Editor, error) {
	if opt.files == nil {
		opt.files = fsys.OS{}
	}
	set, err := atomicset.Edit(ctx, opt.files, mainPath(path), (&Options{}).set(ctx), journal.Options{Wait: opt.Wait, Memory: opt.Memory, DryRun: opt.DryRun})
	if err != nil {
		return nil, err
	}
	ed := &Editor{opt: opt, ctx: context.WithoutCancel(ctx), set: set}
	ed.steps = journal.Steps{
		Set: set, Begin: func() error { return ed.begin(ed.ctx) }, Finish: ed.finish, Keep: func() { ed.last = ed.result },
	}
	if opt.Report == nil && !opt.AcceptLosses {
		ed.opt.Report = ed.losses.Add
	}
	if err = ed.open(); err == nil {
		err = ed.begin(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return ed, nil
}

// open finds the three files.
func (ed *Editor) open() error {
	names, err := ed.set.Files()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		to     **journal.File
		ending string
	}{{&ed.ctg, ".ctg"}, {&ed.ctb, ".ctb"}, {&ed.cto, ".cto"}} {
		if *f.to, err = ed.set.File(names.Name(f.ending)); err != nil {
			return err
		}
	}
	return nil
}

// begin starts a transaction with what is in the files.
func (ed *Editor) begin(ctx context.Context) error {
	ed.result, ed.losses, ed.games = EditResult{}, model.LossError{}, 0
	files := ctg.Files{
		Name: ed.ctg.Name(), CTG: ed.ctg, Size: ed.ctg.Size(), CTBName: ed.ctb.Name(), CTOName: ed.cto.Name(),
	}
	var err error
	if files.CTB, err = contentOf(ed.ctb); err != nil {
		return err
	}
	if files.CTO, err = contentOf(ed.cto); err != nil {
		return err
	}
	book, err := ctg.OpenBook(ctx, files)
	if err != nil {
		return err
	}
	// Nothing may be wrong with the directory, and no page may be missing.
	if err := book.Cut(); err != nil {
		return err
	}
	if err := book.ScanReason(); err != nil {
		return fmt.Errorf("%w; write the book anew before changing it", err)
	}
	dir := book.Directory()
	// ChessBase's .cto files end at the last leaf, which lies before that.
	ed.form = Options{Exact: dir.Len() < dir.Bounds().PaddedLen(), Extended: ed.opt.Extended, Report: ed.opt.Report}
	ed.enc = ed.form.encoder()
	ed.header, ed.pages = book.Header(), book.Pages()
	ed.grower = grower{
		name: files.Name, store: ed.ctg, dir: dir, pages: book.Pages(), capacity: ed.form.pageCapacity(),
	}
	return nil
}

// contentOf returns what is in a file, nil if it is not there.
func contentOf(f *journal.File) ([]byte, error) {
	if !f.Exists() {
		return nil, nil
	}
	data := make([]byte, f.Size())
	_, err := io.ReadFull(io.NewSectionReader(f, 0, f.Size()), data)
	return data, err
}

// update is that of the grower, and counts.
func (ed *Editor) update(key *ctg.Key, do func(old ctg.Entry) (ctg.Entry, error)) error {
	return ed.grower.update(key, func(old ctg.Entry) (ctg.Entry, error) {
		e, err := do(old)
		if err == nil {
			ed.count(old, e)
		}
		return e, err
	})
}

// count counts a change of an entry.
func (ed *Editor) count(old, e ctg.Entry) {
	switch {
	case old == nil && e != nil:
		ed.result.Added++
	case old != nil && e == nil:
		ed.result.Removed++
	case !bytes.Equal(old, e):
		ed.result.Changed++
	}
}

// finish completes the files and the result, and returns the losses that were not
// reported.
func (ed *Editor) finish(bool) error {
	g, h, r := &ed.grower, ed.header, &ed.result
	r.Games, r.Pages = int(ed.games), g.pages-ed.pages
	positions := int64(h.Positions()) + int64(r.Added) - int64(r.Removed)
	games := uint64(h.Games()) + ed.games
	h.SetCounts(uint32(g.pages), uint32(min(max(positions, 0), math.MaxUint32)), uint32(min(games, math.MaxUint32)))
	if _, err := ed.ctg.WriteAt(h.Bytes(), 0); err != nil {
		return err
	}
	if r.Pages != 0 { // else the directory is what it was
		reportSize(g.pages, &ed.form)
		if err := replaceContent(ed.cto, g.dir.AppendPages(nil, !ed.form.Exact)); err != nil {
			return err
		}
		if err := replaceContent(ed.ctb, g.dir.AppendBitmap(nil)); err != nil {
			return err
		}
	}
	if ed.losses.Count == 0 {
		return nil
	}
	losses := ed.losses
	return &losses
}

// replaceContent gives a file another content, and writes what differs.
func replaceContent(f *journal.File, content []byte) error {
	old := make([]byte, 1<<16)
	for at := 0; at < len(content); at += len(old) {
		part := content[at:min(at+len(old), len(content))]
		n, err := f.ReadAt(old[:len(part)], int64(at))
		if err != nil && err != io.EOF {
			return err
		}
		if bytes.Equal(old[:n], part) {
			continue
		}
		if _, err := f.WriteAt(part, int64(at)); err != nil {
			return err
		}
	}
	return f.Truncate(int64(len(content)))
}

// Commit makes all changes since the last commit permanent. If it fails, none of them is
// in place, unless the error wraps [model.ErrCommitted] (they are in place to stay) or
// [model.ErrUncertain] (a crash can undo them). In any case the next transaction begins.
func (ed *Editor) Commit() error { return ed.steps.Commit() }

// DryRun returns what [Editor.Commit] would report, and discards all changes as
// [Editor.Rollback] does.
func (ed *Editor) DryRun() (EditResult, error) {
	err := ed.steps.Rehearse()
	result := ed.result
	return result, errors.Join(err, ed.Rollback())
}

// Result returns what the last commit did.
func (ed *Editor) Result() EditResult { return ed.last }

// Rollback discards all changes since the last commit.
func (ed *Editor) Rollback() error { return ed.steps.Rollback() }

// Close rolls back what was not committed and releases the book.
func (ed *Editor) Close() error { return ed.set.Close() }
