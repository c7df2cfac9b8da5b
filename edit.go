package cbkit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"cbkit/internal/headerfields"
	"cbkit/model"
	"cbkit/write"
)

// EditOptions configures [Edit]. The zero value is good for most databases.
type EditOptions struct {
	// Of these only Format, CodePage and GuessCodePage count and, for texts, Jobs,
	// KeepGoing, KeepSite and Report.
	Options
	// Wait is how long to wait for another writer; 0 is not at all.
	Wait time.Duration
	// DryRun says that nothing will be committed. If an earlier change was interrupted,
	// the error wraps model.ErrNeedsRecovery, and its traces stay as they are.
	DryRun bool
	// Lost is called for each part of a change that the format cannot hold. If it is nil,
	// Commit fails with a *[model.LossError] if there is any such loss, unless
	// AcceptLosses is set.
	Lost         model.Report
	AcceptLosses bool
	// Now is the clock of stamps; nil is time.Now.
	Now func() time.Time
	// Boosters computes search boosters anew that a change had to drop; ChessBase
	// databases alone have them.
	Boosters bool
	// Chess960 adds games of Chess960 to a Simple Chess Database, which excludes them.
	Chess960 bool
	// Plain writes moves of PGN for people and other programs, where they are written
	// anew; without it cbkit reads back every annotation as it was.
	Plain bool
	// NewNames lets [Editor.Set] add names that resemble existing ones.
	NewNames bool
	// OnError is called for games of a text that cannot be read or changed. If it returns
	// nil they keep their bytes; if OnError is nil the first error ends the work.
	OnError func(model.RecordID, error) error
	// Stays is called when Set changes a tournament for some of its records only, with
	// the number of others, which keep t.
	Stays func(t model.Tournament, others int)
	// Progress is called for each game of a text.
	Progress func()
}

// Editor changes a database, a PGN file or a JSON Lines file. Its changes form a
// transaction: [Editor.Commit] makes all of them permanent, and [Editor.Rollback], or
// Close without Commit, discards them; then the next transaction begins. If the machine
// stops during one, the old state is there, or the next editor restores it.
//
// Databases are changed in place (package write). A text is changed by Commit, in one
// pass, and the new file replaces the old one; errors about single records come from
// Commit then. What is not changed keeps its bytes.
//
// If a format cannot do something, the error wraps [model.ErrUnsupported] and says what
// to do instead. An editor must not be used by more than one goroutine at a time.
type Editor struct {
	as     Format
	opt    EditOptions
	store  store
	closed bool
	// more is what is counted here, of this transaction and of the last one.
	more, last write.EditResult
	losses     model.LossError // that Lost was not called for
}

// store changes records, of whichever format. One of a text changes the record whose turn it is.
type store interface {
	Append(ctx context.Context, src model.Source, opt model.CopyOptions) error
	Replace(id model.RecordID, rec model.Record, from *model.Entities) error
	Delete(ids ...model.RecordID) error
	Undelete(ids ...model.RecordID) error
	Header(id model.RecordID) (model.Header, error)
	SetHeader(id model.RecordID, h model.Header, from *model.Entities) error
	SetAnnotations(id model.RecordID, list []model.Annotation) error
	Annotate(id model.RecordID, by *model.Game) error
	Count() int
	CodePage() model.PageGuess
	Commit() error
	DryRun() (write.EditResult, error)
	Result() write.EditResult
	Rollback() error
	Close() error
}

// texts is a store whose records may be guiding texts.
type texts interface {
	Text(model.RecordID) (*model.GuidingText, error)
	SetTextHeader(model.RecordID, *model.GuidingText, *model.Entities) error
}

// IDs are records: those from one id to another, or to the last one if To is 0.
type IDs struct{ From, To model.RecordID }

// Edit opens a database (.cbh, .dci, .si4), a PGN file or a JSON Lines file for change.
// If a change was interrupted there, it is taken back first.
//
// Errors wrap [model.ErrLocked] if another process is writing it, [model.ErrChanged] if
// one has written a text meanwhile, and [model.ErrUnsupported] if the format is only
// read. A text file with other hard links is refused, and so is what is no regular file,
// such as a pipe.
func Edit(ctx context.Context, name string, opt EditOptions) (*Editor, error) {
	if name == "-" {
		return nil, unable("-: standard input cannot be changed in place; name a file")
	}
	ed := &Editor{as: opt.format(name), opt: opt}
	with := write.EditOptions{
		CodePage: opt.CodePage, GuessCodePage: opt.GuessCodePage, Now: opt.Now, Report: opt.Lost, AcceptLosses: opt.AcceptLosses,
		Chess960: opt.Chess960, Wait: opt.Wait, DryRun: opt.DryRun, Boosters: opt.Boosters,
	}
	if opt.Lost == nil && !opt.AcceptLosses {
		ed.opt.Lost = ed.losses.Add
	}
	var err error
	switch {
	case ed.as.IsOnlyRead():
		err = unable("%s: is a %s, which is not changed in place; convert it to another name", name, ed.as.Title())
	case ed.as == EPD:
		err = unable("%s: EPD is not changed in place; import it into a database, and export that", name)
	case ed.as.IsText() && opt.Boosters:
		err = unable("--boosters: only ChessBase databases have search boosters")
	case ed.as.IsText():
		ed.store, err = newTextEditor(ctx, name, ed)
	case ed.as == Simple:
		ed.store, err = write.EditSimple(ctx, name, with)
	case ed.as == Scid:
		ed.store, err = write.EditScid(ctx, name, with)
	default:
		ed.store, err = write.Edit(ctx, name, with)
	}
	if err != nil {
		return nil, err
	}
	return ed, nil
}

// unableError says that a format cannot do what is asked for, and what to do.
type unableError struct{ error }

func unable(format string, args ...any) error { return unableError{fmt.Errorf(format, args...)} }

// Is reports that it is bad use of an editor.
func (unableError) Is(target error) bool {
	return target == model.ErrUnsupported || target == model.ErrOption
}

// Format returns the format of what is edited.
func (ed *Editor) Format() Format { return ed.as }

// CodePage returns what GuessCodePage has recognised.
func (ed *Editor) CodePage() model.PageGuess { return ed.store.CodePage() }

// Append adds the records of a source at the end. For a text only Keep and OnError of opt
// count, and the source is read by Commit, so it must stay open until then.
func (ed *Editor) Append(ctx context.Context, src model.Source, opt model.CopyOptions) error {
	return ed.store.Append(ctx, src, opt)
}

// Replace replaces a record by another one. The deletion mark stays. The entities of rec
// are ids in from.
func (ed *Editor) Replace(id model.RecordID, rec model.Record, from *model.Entities) error {
	return ed.one(id, func() error { return ed.store.Replace(id, rec, from) })
}

// SetHeader gives a game another header, whose entities are ids in from, nil for the
// tables of what is edited. In a ChessBase database, what all games of a tournament share
// stays as it is.
func (ed *Editor) SetHeader(id model.RecordID, h model.Header, from *model.Entities) error {
	return ed.one(id, func() error { return ed.store.SetHeader(id, h, from) })
}

// Annotate replaces the annotations and variations of a game by those of another game with
// the same main line.
func (ed *Editor) Annotate(id model.RecordID, by *model.Game) error {
	return ed.one(id, func() error { return ed.store.Annotate(id, by) })
}

// Delete marks records as deleted; they keep all they have. Games of PGN are removed,
// since PGN has no such mark.
func (ed *Editor) Delete(ids ...IDs) error {
	return ed.each(ids, func(id model.RecordID) error { return ed.store.Delete(id) })
}

// Undelete removes the marks that Delete set.
func (ed *Editor) Undelete(ids ...IDs) error {
	return ed.each(ids, func(id model.RecordID) error { return ed.store.Undelete(id) })
}

// DropAnnotations removes all annotations of games.
func (ed *Editor) DropAnnotations(ids ...IDs) error {
	return ed.each(ids, func(id model.RecordID) error { return ed.store.SetAnnotations(id, nil) })
}

// RemoveUnused removes the players, tournaments and so on that no record refers to.
func (ed *Editor) RemoveUnused() error {
	if ed.closed {
		return fs.ErrClosed
	}
	switch store := ed.store.(type) {
	case *write.Editor:
		_, err := store.RemoveUnused()
		return err
	case *write.ScidEditor:
		return unable("--remove-unused: names of Scid are numbered without gaps; cbkit compact removes those that no game has")
	case *textEditor:
		return unable("--remove-unused: the names of a text stand in its games alone; only ChessBase databases have others")
	}
	return unable("--remove-unused: %w", errNames)
}

// one does something with a record: in a text when its turn comes.
func (ed *Editor) one(id model.RecordID, do func() error) error {
	if text, is := ed.store.(*textEditor); is {
		return text.later([]IDs{{id, id}}, "", func(model.RecordID) error { return do() })
	}
	return do()
}

// each calls do with records: in a text when their turn comes.
func (ed *Editor) each(ids []IDs, do func(model.RecordID) error) error {
	if ed.closed {
		return fs.ErrClosed
	}
	if text, is := ed.store.(*textEditor); is && len(ids) > 0 {
		return text.later(ids, "", do)
	}
	last := model.RecordID(ed.Count())
	for _, r := range ids {
		to := r.To
		if to == 0 {
			to = last
		}
		if to > last {
			return fmt.Errorf("record %d: %w; the last one is %d", to, model.ErrNoRecord, last)
		}
		for id := r.From; id <= to; id++ {
			if err := do(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// Count returns the number of records, with those that were added; of a text, as Commit has
// left it. After Close of a database it is 0.
func (ed *Editor) Count() int { return ed.store.Count() }

// Commit makes all changes since the last commit permanent. If it fails, none of them is
// in place, unless the error wraps [model.ErrCommitted] (they are in place to stay) or
// [model.ErrUncertain] (a crash can undo them).
func (ed *Editor) Commit() error {
	if err := ed.lacking(); err != nil {
		return errors.Join(err, ed.Rollback())
	}
	ed.last, ed.more = ed.more, write.EditResult{}
	return ed.store.Commit()
}

// lacking returns an error if there are losses, and Lost was not called for them.
func (ed *Editor) lacking() error {
	losses := ed.losses
	if ed.losses = (model.LossError{}); losses.Count == 0 {
		return nil
	}
	return fmt.Errorf("cbkit: %w", &losses)
}

// DryRun returns what Commit would report, and discards all changes as Rollback does.
func (ed *Editor) DryRun() (write.EditResult, error) {
	if err := ed.lacking(); err != nil {
		return write.EditResult{}, errors.Join(err, ed.Rollback())
	}
	r, err := ed.store.DryRun()
	r = counted(r, &ed.more)
	ed.more = write.EditResult{}
	return r, err
}

// Result returns what the last commit did.
func (ed *Editor) Result() write.EditResult { return counted(ed.store.Result(), &ed.last) }

// counted adds what is counted of names.
func counted(r write.EditResult, more *write.EditResult) write.EditResult {
	r.Set += more.Set
	r.EntitiesChanged += more.EntitiesChanged
	r.EntitiesMerged += more.EntitiesMerged
	return r
}

// Rollback discards all changes since the last commit.
func (ed *Editor) Rollback() error {
	ed.more, ed.losses = write.EditResult{}, model.LossError{}
	return ed.store.Rollback()
}

// Close rolls back what was not committed and releases what is edited. With
// EditOptions.Boosters it may return an error that wraps [model.ErrCommitted]: search
// boosters that were to be computed anew are missing.
func (ed *Editor) Close() error {
	ed.closed = true
	return ed.store.Close()
}

// setting gives a field of headers a value.
type setting struct {
	ed    *Editor
	field *headerfields.Field
	text  string
	known map[string]any          // entities that names mean
	left  map[model.EntityID]bool // tournaments of a ChessBase database that records may have left

	// Of the record whose turn it is: its header, whose entities are in tables of their own,
	// so that they can be changed by value, and the number of its tournament in the database.
	id     model.RecordID
	h      model.Header
	e      *model.Entities
	stored model.EntityID
}

// Set gives a field of the header of records another value. Fields are named, and values
// written, as in JSON Lines; case does not matter in the names of fields. A player, team
// and so on is given by name or by number ("#17"). If there is none of that name it is
// added; if some have a similar name, only with [EditOptions].NewNames.
func (ed *Editor) Set(field, value string, ids ...IDs) error {
	f, err := headerfields.Settable(field)
	switch {
	case ed.closed:
		return fs.ErrClosed
	case err != nil:
		return fmt.Errorf("%w: %w", model.ErrOption, err)
	}
	s := &setting{ed: ed, field: f, text: value, known: map[string]any{}, left: map[model.EntityID]bool{}}
	if err := ed.each(ids, s.record); err != nil {
		return err
	}
	for id := range s.left {
		tournaments := ed.store.(*write.Editor).Tournaments()
		staying, err := tournaments.References(id)
		if err != nil || staying == 0 || ed.opt.Stays == nil {
			continue // it has gone
		}
		was, err := tournaments.Value(id)
		if err != nil {
			return err
		}
		ed.opt.Stays(was, staying)
	}
	return nil
}

// record changes the field of one record.
func (s *setting) record(id model.RecordID) (err error) {
	s.id = id
	if texts, is := s.ed.store.(texts); is {
		if t, err := texts.Text(id); err == nil {
			if !s.field.OfTexts {
				return fmt.Errorf("record %d: is a guiding text, which has no %s", id, s.field.Name)
			}
			h := &s.h
			*h = model.NewHeader()
			h.Tournament, h.Annotator, h.Source, h.GameTitle, h.Round, h.Subround = t.Tournament, t.Annotator, t.Source, t.GameTitle, t.Round, t.Subround
			if err := s.inTables(); err != nil {
				return err
			}
			t.Tournament, t.Annotator, t.Source, t.GameTitle, t.Round, t.Subround = h.Tournament, h.Annotator, h.Source, h.GameTitle, h.Round, h.Subround
			return texts.SetTextHeader(id, t, s.e)
		}
	}
	if s.h, err = s.ed.store.Header(id); err != nil {
		return err
	}
	if err := s.inTables(); err != nil {
		return err
	}
	s.h.Tags = slices.DeleteFunc(slices.Clone(s.h.Tags), func(t model.Tag) bool { return t.Name == s.field.Tag })
	if err := s.ed.store.SetHeader(id, s.h, s.e); err != nil {
		return err
	}
	if _, is := s.ed.store.(*write.Editor); !is || s.stored == model.NoEntity {
		return nil
	}
	now, err := s.ed.store.Header(id)
	if err == nil && now.Tournament != s.stored {
		s.left[s.stored] = true
	}
	return err
}

// inTables changes the field of the header, whose entities are then in the tables of what is
// edited or, of a database whose entities have numbers, in tables with these alone.
func (s *setting) inTables() error {
	s.stored = s.h.Tournament
	switch store := s.ed.store.(type) {
	case *write.Editor:
		s.e = new(model.Entities)
		for _, k := range kinds {
			if err := k.load(store, s.e, &s.h); err != nil {
				return err
			}
		}
	case interface{ Entities() *model.Entities }:
		s.e = store.Entities()
	}
	if err := s.set(); err != nil {
		return fmt.Errorf("record %d: %w", s.id, err)
	}
	return nil
}

// set changes the field.
func (s *setting) set() error {
	ed, isChessBase := s.ed.store.(*write.Editor)
	field, t := s.field, s.e.Tournaments.Value(s.h.Tournament)
	was := t
	switch {
	case field.ID != nil:
		return kindNamed(field.Kind).set(s, field.ID(&s.h))
	case s.ed.as == Simple && field.ForAll:
		return errors.New("a Simple Chess Database has no place for it")
	case isChessBase && field.ForAll: // what all games of the tournament have
		if s.stored == model.NoEntity {
			return errors.New("has no tournament; set event too")
		}
		if err := field.Set(&s.h, &t, s.text); err != nil || t == was {
			return err
		}
		if err := ed.Tournaments().Change(s.stored, t); err != nil {
			return err
		}
	case isChessBase && field.Name == "event":
		// Games of one change get one tournament: what else is known of it is what the first
		// of them says.
		t.Title = s.text
		first, is := s.known["event"].(model.Tournament)
		if !is {
			first = t
			s.known["event"] = first
		}
		if t.Place != "" && t.Place != first.Place {
			s.loseOfTournament(t.Place)
		}
		if t.Start.Year != 0 && t.Start != first.Start {
			s.loseOfTournament(t.Start.String())
		}
		t = first
	default:
		if err := field.Set(&s.h, &t, s.text); err != nil || t == was {
			return err
		}
	}
	s.h.Tournament = s.e.Tournaments.Intern(t)
	return nil
}

// loseOfTournament reports a detail of a game's tournament that is not that of the first game.
func (s *setting) loseOfTournament(detail string) {
	s.ed.opt.Lost.Add(model.LostField, s.id, "tournament", "%s: the games of one --set have one tournament, that of the first", detail)
}
