package cbkit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"cbkit/internal/atomicset"
	"cbkit/internal/cbh"
	"cbkit/internal/fsys"
	"cbkit/internal/tempfile"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"
)

// textEditor changes a PGN or JSON Lines file. What is to be done is collected, and done
// in one pass by Commit or DryRun, game by game, behind one that adds games, unless nothing
// else is to be done: then the methods that change a record are those of the record whose
// turn it is.
type textEditor struct {
	ctx    context.Context
	path   string
	as     Format
	opt    EditOptions
	closed bool
	// lacking returns an error if there are losses that are not reported.
	lacking func() error

	// Of the transaction: the new file, nil before it, the old one, and the text that steps
	// change, which may be a scratch file.
	out    *atomicset.File
	in     fs.File
	before fs.FileInfo
	guess  model.PageGuess
	text   io.ReaderAt
	grown  *tempfile.Scratch

	appends []func(put) error
	steps   []*textStep
	names   *model.Entities // of the text as it will be; nil before they are asked for

	// Of the pass: the record whose turn it is, and whether a step has found there what it
	// looks for.
	rec      *model.Record
	entities *model.Entities
	what     model.Change
	found    bool
	last     model.RecordID
	count    int
	result   write.EditResult
	done     write.EditResult // of the last commit
}

// put adds a record behind the others.
type put = func(model.Record, *model.Entities) error

// change changes a record, and says what it has changed.
type change = func(*model.Record, *model.Entities) (model.Change, error)

// textStep is something that is done with some records.
type textStep struct {
	ids  []IDs // nil for all
	next int   // of ids, that can have the record whose turn it is
	do   func(model.RecordID) error
	// what, if not "", looks for a name in all records, and met says that one has it.
	what string
	met  bool
}

// newTextEditor begins an edit of a text.
func newTextEditor(ctx context.Context, path string, ed *Editor) (*textEditor, error) {
	x := &textEditor{ctx: ctx, path: path, as: ed.as, opt: ed.opt, lacking: ed.lacking}
	return x, x.begin()
}

// begin begins a transaction.
func (x *textEditor) begin() (err error) {
	if x.closed {
		return fs.ErrClosed
	}
	if err = fsys.RefuseSpecial(fsys.OS{}, x.path); err != nil {
		return err
	}
	if x.out, err = atomicset.NewFile(x.path, atomicset.Options{Force: true, Wait: x.opt.Wait, Context: x.ctx}); err != nil {
		return err
	}
	if x.in, err = (fsys.OS{}).Plain(x.path); err == nil {
		x.before, err = x.in.Stat()
	}
	if err == nil {
		err = fsys.RefuseLinked(x.path, x.before)
	}
	if err != nil {
		return cmp.Or(err, x.Rollback())
	}
	x.text, x.result = x.in.(io.ReaderAt), write.EditResult{}
	if x.as == PGN {
		x.guess = GuessTextPage(x.path)
	}
	return nil
}

// later does something with records when their turn comes.
func (x *textEditor) later(ids []IDs, what string, do func(model.RecordID) error) error {
	err := x.ready()
	if err == nil {
		ids = slices.SortedFunc(slices.Values(ids), func(a, b IDs) int { return cmp.Compare(a.From, b.From) })
		x.steps = append(x.steps, &textStep{ids: ids, do: do, what: what})
	}
	return err
}

// ready begins a transaction if there is none, and adds the games that are to be changed too.
func (x *textEditor) ready() error {
	if x.out == nil || x.closed {
		if err := x.begin(); err != nil {
			return err
		}
	}
	if len(x.appends) == 0 {
		return nil
	}
	grown, err := tempfile.NewScratch(fsys.OS{}, filepath.Dir(x.path), "edit")
	if err != nil {
		return err
	}
	x.grown = grown
	opt := x.opt
	opt.Report, opt.OnError = nil, func(model.RecordID, error) error { return nil } // of games that come again
	if _, err = x.pass(grown, opt, x.putAll, func(*model.Record, *model.Entities) (model.Change, error) { return model.Unchanged, nil }); err != nil {
		return err
	}
	x.text, x.appends = grown, nil
	return nil
}

// pass copies the text, changes its games and puts others behind them.
func (x *textEditor) pass(out io.Writer, opt EditOptions, add func(put) error, do change) (int, error) {
	if x.as == JSONLines {
		return jsonl.Edit(x.ctx, out, x.text, jsonl.EditOptions{
			Reader: jsonl.ReaderOptions{File: x.path, KeepGoing: opt.KeepGoing}, OnError: opt.OnError, Append: add,
		}, do)
	}
	// What is not UTF-8 is in the code page of the file.
	page := cmp.Or(opt.CodePage, x.CodePage().Page)
	opt.File = x.path
	reader, err := opt.pgn(page)
	if err != nil {
		return 0, err
	}
	coded := cbh.CodePage{}
	if page != "" {
		if coded, err = cbh.ParseCodePage(page); err != nil {
			return 0, err
		}
	}
	return pgn.Edit(x.ctx, out, x.text, pgn.EditOptions{
		Reader: reader, EncodeText: coded.Encode, Encode: x.guess.Texts > 0, Plain: opt.Plain, OnError: opt.OnError, Report: opt.Lost, Append: add,
	}, do)
}

// finish makes the pass, and gives the new file its name.
func (x *textEditor) finish(dry bool) (err error) {
	if x.out == nil || x.closed {
		if err := x.begin(); err != nil {
			return err
		}
	}
	out := io.Writer(x.out)
	if dry {
		out = io.Discard
	}
	x.count, x.last = 0, 0
	x.result.Games, err = x.pass(out, x.opt, x.putAll, x.record)
	for _, s := range x.steps {
		err = cmp.Or(err, s.missing(x.last))
	}
	err = cmp.Or(err, x.lacking())
	if len(x.appends) > 0 {
		x.count += x.result.Appended // which were no turn of it
	}
	if x.as == PGN {
		x.count -= x.result.Deleted
	}
	if err == nil {
		var after fs.FileInfo
		after, err = fsys.OS{}.Stat(x.path)
		if err == nil && !fsys.Unchanged(x.before, after) {
			err = fmt.Errorf("%s: %w while it was read: do it again", x.path, model.ErrChanged)
		}
	}
	if errors.Is(err, model.ErrNotDatabase) {
		err = errors.New(err.Error()) // it is to be a text, and is none
	}
	file := x.out
	if err != nil || dry || x.result.Games+x.result.Appended == 0 {
		return cmp.Or(err, x.Rollback())
	}
	x.out = nil
	untidy := x.Rollback()
	return cmp.Or(file.Commit(), untidy)
}

// record gives a record to the steps.
func (x *textEditor) record(rec *model.Record, e *model.Entities) (model.Change, error) {
	if x.opt.Progress != nil {
		x.opt.Progress()
	}
	x.rec, x.entities, x.what, x.last = rec, e, model.Unchanged, rec.ID
	x.count++
	for _, s := range x.steps {
		if s.ids != nil && !s.has(rec.ID) {
			continue
		}
		x.found = false
		if err := s.do(rec.ID); err != nil {
			return x.what, err
		}
		s.met = s.met || x.found
	}
	return x.what, nil
}

// has reports whether a step is for a record.
func (s *textStep) has(id model.RecordID) bool {
	for s.next < len(s.ids) && s.ids[s.next].To < id && s.ids[s.next].To != 0 {
		s.next++
	}
	return s.next < len(s.ids) && s.ids[s.next].From <= id
}

// missing returns an error that names what a step is for and is not there.
func (s *textStep) missing(last model.RecordID) error {
	if s.what != "" && !s.met {
		return fmt.Errorf("%s: no record that stays has that name", s.what)
	}
	for _, r := range s.ids {
		if id := cmp.Or(r.To, r.From); id > last {
			return fmt.Errorf("record %d: %w; the last one is %d", id, model.ErrNoRecord, last)
		}
	}
	return nil
}

// Append implements [store]: it takes note of the source.
func (x *textEditor) Append(ctx context.Context, src model.Source, opt model.CopyOptions) error {
	if err := x.ready(); err != nil {
		return err
	}
	x.appends = append(x.appends, func(put put) error {
		for rec, err := range model.Readable(ctx, src, model.WantAll, opt.OnError) {
			if err != nil {
				return err
			}
			if opt.Keep != nil && !opt.Keep(rec) {
				continue
			}
			if err := put(rec, src.Entities()); err != nil {
				return err
			}
			if x.as != PGN || rec.Game != nil && !rec.Deleted { // which is all that PGN takes
				x.result.Appended++
			}
		}
		return nil
	})
	return nil
}

// putAll adds all games that are to be added.
func (x *textEditor) putAll(put put) error {
	for _, add := range x.appends {
		if err := add(put); err != nil {
			return err
		}
	}
	return nil
}

// game returns the game whose turn it is, for a change of it.
func (x *textEditor) game(id model.RecordID, what model.Change) (*model.Game, error) {
	if x.rec.Game == nil {
		return nil, fmt.Errorf("record %d: is a guiding text, not a game", id)
	}
	x.what = max(x.what, what)
	return x.rec.Game, nil
}

// Replace implements [store].
func (x *textEditor) Replace(id model.RecordID, rec model.Record, from *model.Entities) error {
	if x.as == PGN && rec.Text != nil {
		return fmt.Errorf("record %d: PGN has no guiding texts", id)
	}
	rec = model.NewEntityMap(from, x.entities).Record(rec.Clone())
	if g := rec.Game; g != nil {
		g.Forget(model.MovesPart)
		g.Leftovers = model.GameLeftovers{}
	} else {
		rec.Text.Leftovers = model.TextLeftovers{}
	}
	x.rec.Game, x.rec.Text, x.what = rec.Game, rec.Text, max(x.what, model.ChangedGame)
	x.result.Replaced++
	return nil
}

// Delete implements [store]. A game of PGN goes, since there is no mark for it.
func (x *textEditor) Delete(...model.RecordID) error {
	switch {
	case x.as == PGN:
		x.what = model.Removed
	case x.rec.Deleted:
		return nil
	default:
		x.rec.Deleted, x.what = true, max(x.what, model.ChangedHeader)
	}
	x.result.Deleted++
	return nil
}

// Undelete implements [store].
func (x *textEditor) Undelete(...model.RecordID) error {
	switch {
	case x.as == PGN && !x.rec.Deleted:
		return unable("--undelete: this game of the PGN file is not marked as deleted; what was taken out of it has to be added again (--append)")
	case x.rec.Deleted:
		x.rec.Deleted, x.what = false, max(x.what, model.ChangedHeader)
		x.result.Undeleted++
	}
	return nil
}

// Header implements [store].
func (x *textEditor) Header(id model.RecordID) (model.Header, error) {
	g, err := x.game(id, model.Unchanged)
	if err != nil {
		return model.Header{}, err
	}
	return g.Header, nil
}

// SetHeader implements [store]. Ids are those of the tables of the record.
func (x *textEditor) SetHeader(id model.RecordID, h model.Header, from *model.Entities) error {
	g, err := x.game(id, model.ChangedHeader)
	if err == nil {
		if g.Header = h; from != nil && from != x.Entities() {
			g.Header = model.NewEntityMap(from, x.Entities()).Record(model.Record{Game: g}).Game.Header
		}
		x.result.Set++
	}
	return err
}

// Text returns the guiding text whose turn it is.
func (x *textEditor) Text(id model.RecordID) (*model.GuidingText, error) {
	if x.rec.Text == nil {
		return nil, fmt.Errorf("record %d: is a game", id)
	}
	return x.rec.Text, nil
}

// SetTextHeader takes note of a guiding text that has changed.
func (x *textEditor) SetTextHeader(_ model.RecordID, t *model.GuidingText, _ *model.Entities) error {
	x.rec.Text, x.what = t, max(x.what, model.ChangedHeader)
	x.result.Set++
	return nil
}

// SetAnnotations implements [store].
func (x *textEditor) SetAnnotations(id model.RecordID, list []model.Annotation) error {
	g, err := x.game(id, model.ChangedGame)
	if err == nil {
		g.SetAnnotations(list)
		x.result.Annotated++
	}
	return err
}

// Annotate implements [store].
func (x *textEditor) Annotate(id model.RecordID, by *model.Game) error {
	g, err := x.game(id, model.ChangedGame)
	if err == nil {
		err = model.SameMainLine(g, by)
	}
	if err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	by = by.Clone()
	g.Forget(model.MovesPart)
	g.Moves = by.Moves
	g.SetAnnotations(by.Annotations)
	x.result.Annotated++
	return nil
}

// Entities returns the tables of the record.
func (x *textEditor) Entities() *model.Entities { return x.entities }

// Count implements [store].
func (x *textEditor) Count() int { return x.count }

// CodePage implements [store].
func (x *textEditor) CodePage() model.PageGuess {
	if x.opt.CodePage != "" || !x.opt.GuessCodePage {
		return model.PageGuess{}
	}
	return x.guess
}

// Commit implements [store].
func (x *textEditor) Commit() error {
	err := x.finish(false)
	if model.IsDone(err) {
		x.done = x.result
	}
	return err
}

// DryRun implements [store].
func (x *textEditor) DryRun() (write.EditResult, error) {
	err := x.finish(true)
	return x.result, err
}

// Result implements [store].
func (x *textEditor) Result() write.EditResult { return x.done }

// Rollback implements [store].
func (x *textEditor) Rollback() (err error) {
	if x.in != nil {
		_ = x.in.Close() // it was only read
	}
	if x.grown != nil {
		err = x.grown.Close()
	}
	if x.out != nil {
		err = cmp.Or(x.out.Abort(), err)
	}
	x.in, x.grown, x.out, x.appends, x.steps, x.names = nil, nil, nil, nil, nil, nil
	return err
}

// Close implements [store].
func (x *textEditor) Close() error {
	x.closed = true
	return x.Rollback()
}

// known returns the names of the text, numbered in the order in which they occur.
func (x *textEditor) known() (*model.Entities, error) {
	if err := x.ready(); err != nil || x.names != nil {
		return x.names, err
	}
	opt := x.opt.Options
	opt.Report, opt.File, opt.Format, opt.CodePage = nil, x.path, x.as, cmp.Or(opt.CodePage, x.CodePage().Page)
	src, err := NewReader(io.NewSectionReader(x.text, 0, math.MaxInt64), opt)
	if err != nil {
		return nil, err
	}
	defer func() { _ = src.Close() }()                       // it was only read
	skip := func(model.RecordID, error) error { return nil } // reported when it is its turn
	for _, err := range model.Readable(x.ctx, src, model.WantHeaders, skip) {
		if err != nil {
			return nil, err
		}
	}
	x.names = src.Entities()
	return x.names, nil
}
