package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"

	lib "cbkit"
	"cbkit/internal/fsys"
	"cbkit/model"
	"cbkit/write"
)

// textEditor changes a PGN or JSON Lines file. What is to be done is collected, and done
// in one pass by Commit or DryRun, game by game, behind one that adds games: then the methods
// that change a record are those of the record whose turn it is.
type textEditor struct {
	t     *transfer
	path  string
	as    format
	opt   lib.EditOptions
	begin func() error // collects the steps
	text  io.ReaderAt  // that they change
	steps []*textStep
	flag  string          // whose step it is
	names *model.Entities // of the file as it will be; nil before they are asked for

	rec      *model.Record
	entities *model.Entities
	what     model.Change
	last     model.RecordID
	count    int
	result   textResult
}

// textStep is something that is done with the records of a selection.
type textStep struct {
	ids recordSet // nil for all
	do  func(model.RecordID) error
	// flag is what looks for a name in all records, "" if nothing does, and met says that
	// one has it.
	flag string
	met  bool
}

// textResult is what an edit of a text did.
type textResult struct {
	write.EditResult
	// Games are how many were written anew or are gone.
	Games int `json:"games"`
}

// newTextEditor begins an edit of a text.
func newTextEditor(t *transfer, path string, opt write.EditOptions) (*textEditor, error) {
	if opt.Boosters {
		return nil, usageError{errors.New("--boosters: only ChessBase databases have search boosters")}
	}
	if err := fsys.RefuseSpecial(fsys.OS{}, path); err != nil { // before anything reads of it
		return nil, plainError(err)
	}
	x := &textEditor{t: t, path: path, as: formatOf(path)}
	t.to, t.env.making = x.as, path
	x.opt = lib.EditOptions{Wait: opt.Wait, Plain: !isLossless(path), OnError: t.onError, Lost: opt.Report}
	t.env.messages.losses.plain = x.as == formatPGN && x.opt.Plain
	return x, t.fill(&x.opt.Options, x.as)
}

// later does something with the records of a selection when their turn comes.
func (x *textEditor) later(ids recordSet, do func(model.RecordID) error) {
	x.steps = append(x.steps, &textStep{ids: ids, do: do})
}

// run makes one pass over the file.
func (x *textEditor) run(dry bool) error {
	bar := newProgress(x.t.env.stderr, x.t.flags.Quiet, -1, "edit", "games")
	defer bar.done()
	opt := x.opt
	opt.DryRun = dry
	opt.Begin = func(text io.ReaderAt) error {
		if x.text = text; x.as == formatPGN && opt.CodePage == "" {
			guess := lib.GuessTextPage(x.path)
			x.opt.CodePage = guess.Page
			x.t.env.reportPage(x.path, guess)
		}
		return x.begin()
	}
	opt.End = func() error {
		for _, s := range x.steps {
			if err := s.missing(x.last); err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	x.result.Games, err = lib.EditText(x.t.env.ctx, x.path, opt, func(rec *model.Record, e *model.Entities) (model.Change, error) {
		bar.step()
		x.rec, x.entities, x.what, x.last = rec, e, model.Unchanged, rec.ID
		x.count++
		for _, s := range x.steps {
			if s.ids != nil && !s.ids.take(rec.ID) {
				continue
			}
			if err := s.do(rec.ID); err != nil {
				return x.what, err
			}
		}
		return x.what, nil
	})
	if errors.Is(err, model.ErrNotDatabase) {
		err = errors.New(err.Error()) // it is to be a text, and is none
	}
	return x.t.env.done(err)
}

// missing returns an error that names what was selected and is not there.
func (s *textStep) missing(last model.RecordID) error {
	switch {
	case s.flag != "" && !s.met:
		return fmt.Errorf("%s: no record that stays has that name", s.flag)
	}
	named, is := s.ids.(*idSet)
	if !is {
		return nil
	}
	for _, r := range named.ranges {
		if to := r.to; to > last && to != maxID || r.from > last {
			if to == maxID {
				to = r.from
			}
			return fmt.Errorf("record %d: %w; the last one is %d", to, model.ErrNoRecord, last)
		}
	}
	return nil
}

// put adds the games of files.
func (x *textEditor) put(paths []string, put func(model.Record, *model.Entities) error) error {
	for _, path := range paths {
		src, err := x.t.openInput(path)
		if err != nil {
			return err
		}
		defer func() { _ = src.close() }() // it was only read
		for rec, err := range model.Readable(x.t.env.ctx, src.Source, model.WantAll, x.t.onError) {
			if err != nil {
				return err
			}
			x.t.env.judge(src.name, &rec)
			if err := put(rec, src.Entities()); err != nil {
				return err
			}
			if x.as != formatPGN || rec.Game != nil && !rec.Deleted { // which is all that PGN takes
				x.result.Appended++
			}
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

// Append implements [editor]; it is not called, since games are added at the end.
func (x *textEditor) Append(context.Context, model.Source, model.CopyOptions) error {
	return errors.ErrUnsupported
}

// Replace implements [editor].
func (x *textEditor) Replace(id model.RecordID, rec model.Record, from *model.Entities) error {
	if x.as == formatPGN && rec.Text != nil {
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

// Delete implements [editor]. A game of PGN goes, since there is no mark for it.
func (x *textEditor) Delete(...model.RecordID) error {
	switch {
	case x.as == formatPGN:
		x.what = model.Removed
	case x.rec.Deleted:
		return nil
	default:
		x.rec.Deleted, x.what = true, max(x.what, model.ChangedHeader)
	}
	x.result.Deleted++
	return nil
}

// Undelete implements [editor].
func (x *textEditor) Undelete(...model.RecordID) error {
	if x.as == formatPGN {
		return usageError{errors.New("--undelete: a PGN file keeps no deleted games; what was taken out of it has to be added again (--append)")}
	}
	if x.rec.Deleted {
		x.rec.Deleted, x.what = false, max(x.what, model.ChangedHeader)
		x.result.Undeleted++
	}
	return nil
}

// Header implements [editor].
func (x *textEditor) Header(id model.RecordID) (model.Header, error) {
	g, err := x.game(id, model.Unchanged)
	if err != nil {
		return model.Header{}, err
	}
	return g.Header, nil
}

// SetHeader implements [editor]. Ids are those of the tables of the record.
func (x *textEditor) SetHeader(id model.RecordID, h model.Header, _ *model.Entities) error {
	g, err := x.game(id, model.ChangedHeader)
	if err == nil {
		g.Header = h
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

// SetAnnotations implements [editor].
func (x *textEditor) SetAnnotations(id model.RecordID, list []model.Annotation) error {
	g, err := x.game(id, model.ChangedGame)
	if err == nil {
		g.SetAnnotations(list)
		x.result.Annotated++
	}
	return err
}

// Annotate implements [editor].
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

// Count implements [editor].
func (x *textEditor) Count() int {
	count := x.count
	if x.opt.OnlyAppend {
		count += x.result.Appended
	}
	if x.as == formatPGN {
		count -= x.result.Deleted
	}
	return count
}

// Commit implements [editor].
func (x *textEditor) Commit() error { return x.run(false) }

// DryRun implements [editor].
func (x *textEditor) DryRun() (write.EditResult, error) {
	err := x.run(true)
	return x.result.EditResult, err
}

// Result implements [editor].
func (x *textEditor) Result() write.EditResult { return x.result.EditResult }

// Close implements [editor].
func (x *textEditor) Close() error { return nil }

// known returns the names of the file, numbered in the order in which they occur.
func (x *textEditor) known() (*model.Entities, error) {
	if x.names != nil {
		return x.names, nil
	}
	opt := x.opt.Options
	opt.Report, opt.File, opt.Format = nil, x.path, x.as
	src, err := lib.NewReader(io.NewSectionReader(x.text, 0, math.MaxInt64), opt)
	if err != nil {
		return nil, err
	}
	defer func() { _ = src.Close() }()                       // it was only read
	skip := func(model.RecordID, error) error { return nil } // reported when it is its turn
	for _, err := range model.Readable(x.t.env.ctx, src, model.WantHeaders, skip) {
		if err != nil {
			return nil, err
		}
	}
	x.names = src.Entities()
	return x.names, nil
}

// textNames are the names of one kind in a text.
type textNames[T comparable] struct {
	of    *textEditor
	table func(*model.Entities) *model.Table[T]
	ids   func(*model.Record) []*model.EntityID // of a record
}

func (n *textNames[T]) known() (*model.Table[T], error) {
	e, err := n.of.known()
	if err != nil {
		return nil, err
	}
	return n.table(e), nil
}

// Value implements [nameStore].
func (n *textNames[T]) Value(id model.EntityID) (v T, err error) {
	table, err := n.known()
	if err != nil {
		return v, err
	}
	v, ok := table.Get(id)
	if !ok || table.IsDeleted(id) {
		return v, model.ErrNoRecord
	}
	return v, nil
}

// FindAll implements [nameStore].
func (n *textNames[T]) FindAll(v T) ([]model.EntityID, error) {
	table, err := n.known()
	if err != nil {
		return nil, err
	}
	if id, ok := table.Find(v); ok {
		return []model.EntityID{id}, nil
	}
	return nil, nil
}

// All implements [nameStore].
func (n *textNames[T]) All() iter.Seq2[write.StoredEntity[T], error] {
	return func(yield func(write.StoredEntity[T], error) bool) {
		table, err := n.known()
		if err != nil {
			yield(write.StoredEntity[T]{}, err)
			return
		}
		for id, v := range table.Live() {
			if !yield(write.StoredEntity[T]{ID: id, Value: v}, nil) {
				return
			}
		}
	}
}

// Change implements [nameStore].
func (n *textNames[T]) Change(id model.EntityID, v T) error {
	old, err := n.Value(id)
	if err != nil || old == v {
		return err
	}
	table, _ := n.known()
	if _, is := table.Find(v); is {
		return fs.ErrExist
	}
	table.Set(id, v)
	n.of.result.EntitiesChanged++
	n.replace(old, v)
	return nil
}

// Merge implements [nameStore].
func (n *textNames[T]) Merge(from, into model.EntityID) error {
	a, err := n.Value(from)
	if err != nil {
		return err
	}
	b, err := n.Value(into)
	if err != nil || from == into {
		return err
	}
	table, _ := n.known()
	table.Delete(from)
	n.of.result.EntitiesMerged++
	n.replace(a, b)
	return nil
}

// replace makes one name another in all records.
func (n *textNames[T]) replace(old, latest T) {
	s := &textStep{flag: n.of.flag}
	s.do = func(model.RecordID) error {
		x := n.of
		table := n.table(x.entities)
		for _, id := range n.ids(x.rec) {
			if *id != model.NoEntity && table.Value(*id) == old {
				s.met = s.met || x.what != model.Removed
				*id, x.what = table.Intern(latest), max(x.what, model.ChangedHeader)
			}
		}
		return nil
	}
	n.of.steps = append(n.of.steps, s)
}
