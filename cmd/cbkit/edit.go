package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cbkit/collect"
	"cbkit/internal/brief"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// editCmd is "cbkit edit".
type editCmd struct {
	DB string `arg:"" name:"db" help:"Database, PGN or JSON Lines file to change in place."`

	Append          []string `sep:"none" help:"Add the games of a PGN or JSON Lines file at the end; - is standard input." placeholder:"FILE"`
	Replace         []string `sep:"none" help:"Put the only game or text of FILE in the place of record ID." placeholder:"ID=FILE"`
	Delete          []string `sep:"none" help:"Mark records as deleted; they keep all they have. Ids are like 1-50,77, lines of them, or - for those of standard input." placeholder:"IDS"`
	Undelete        []string `sep:"none" help:"Take the marks away." placeholder:"IDS"`
	Set             []string `sep:"none" help:"Give a field of the header another value; fields are named as in JSON Lines or PGN." placeholder:"IDS.FIELD=VALUE"`
	Where           string   `help:"Records for --delete, --undelete, --drop-annotations and --set FIELD=VALUE, which take no ids then: all that meet conditions, as find has them: 'moves:..5'." placeholder:"CONDITIONS"`
	NewNames        bool     `help:"--set may make players and so on whose names are like those that are there."`
	Annotate        []string `sep:"none" help:"Give game ID the comments, symbols and variations of the game in FILE: the only one there, with the same main line." placeholder:"ID=FILE"`
	DropAnnotations []string `sep:"none" help:"Take all annotations away." placeholder:"IDS"`
	renameFlags
	RemoveUnused bool `help:"Remove players, tournaments and so on that no record refers to."`

	Boosters bool `help:"Rebuild those search boosters that did not fit before; others are kept in step anyway."`

	DryRun bool `help:"Say what would change, and change nothing."`
	JSON   bool `name:"json" help:"Say what was done as JSON."`
	Quiet  bool `short:"q" help:"Say nothing of what was done."`
	waitFlag
	readFlags

	find []func(*transfer) error // what --where means
}

// printsOutcome implements [outcomePrinter].
func (c *editCmd) printsOutcome() bool { return c.JSON }

// Run implements the verb.
func (c *editCmd) Run(env *environment) error {
	if c.Where != "" && len(c.Delete)+len(c.Undelete)+len(c.DropAnnotations)+len(c.Set) == 0 {
		return usageError{errors.New("--where: is for --delete, --undelete, --drop-annotations and --set")}
	}
	if err := c.readIDs(env); err != nil {
		return err
	}
	steps, err := c.steps()
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		return usageError{errors.New("edit: say what to change, such as --append FILE or --delete IDS")}
	}
	t := &transfer{env: env, flags: transferFlags{readFlags: c.readFlags}, verb: "edit", to: formatChessBase}
	return c.edit(t, mainFile(c.DB), write.EditOptions{Wait: c.duration(), Boosters: c.Boosters}, steps)
}

// edit changes the database in one transaction, and says what was done. Errors call it by
// its name.
func (c *editCmd) edit(t *transfer, name string, opt write.EditOptions, steps []step) error {
	opt.Report, opt.DryRun, opt.Now = t.env.messages.lost, c.DryRun, t.env.now
	ed, err := openAny(t, c.DB, opt)
	if err != nil {
		return targetError(name, err)
	}
	err = onceLocked(ed, c.Append, len(steps) == len(c.Append), func() (err error) {
		for _, find := range c.find {
			if err == nil {
				err = find(t)
			}
		}
		for _, do := range steps {
			if err == nil {
				err = do(t.env.ctx, t, ed)
			}
		}
		return err
	})
	var result write.EditResult
	if err == nil {
		result, err = finishEdit(ed, c.DryRun)
	}
	count := ed.Count()
	if err = errors.Join(err, t.env.done(ed.Close())); err != nil {
		return targetError(name, err)
	}
	t.env.making = ""
	if text, is := ed.(*textEditor); is {
		return c.reportText(t, text)
	}
	result.MadeBoosters = ed.Result().MadeBoosters
	return c.printResult(t, result, count)
}

// onceLocked says what to change when no other process can change it: of a text, that is when
// its last pass begins, and the games of some files are behind its own.
func onceLocked(ed editor, files []string, onlyThese bool, do func() error) error {
	text, is := ed.(*textEditor)
	if !is {
		return do()
	}
	text.begin, text.opt.OnlyAppend = do, onlyThese
	if len(files) > 0 {
		text.opt.Append = func(put func(model.Record, *model.Entities) error) error { return text.put(files, put) }
	}
	return nil
}

// finishEdit makes the changes of a transaction permanent, or finds out what they would be.
func finishEdit(ed editor, dryRun bool) (write.EditResult, error) {
	if dryRun {
		return ed.DryRun()
	}
	if err := ed.Commit(); err != nil {
		return write.EditResult{}, err
	}
	return ed.Result(), nil
}

// step is one change.
type step func(ctx context.Context, t *transfer, ed editor) error

// steps reads the flags, in the order in which the changes are made.
func (c *editCmd) steps() (list []step, err error) {
	for _, flag := range []struct {
		name   string
		values []string
		parse  func(string) (step, error)
	}{
		{"append", c.Append, parseAppend}, {"replace", c.Replace, parseReplace}, {"delete", c.Delete, c.ofSelection(false, func(ed editor, id model.RecordID) error { return ed.Delete(id) })},
		{"undelete", c.Undelete, c.ofSelection(true, func(ed editor, id model.RecordID) error { return ed.Undelete(id) })}, {"set", c.Set, c.parseSet}, {"annotate", c.Annotate, parseAnnotate},
		{"drop-annotations", c.DropAnnotations, c.ofSelection(false, func(ed editor, id model.RecordID) error { return ed.SetAnnotations(id, nil) })},
	} {
		for _, value := range flag.values {
			do, err := flag.parse(value)
			if err != nil {
				return nil, usageError{fmt.Errorf("%s: %w", strings.TrimSpace("--"+flag.name+" "+brief.Text(value)), err)}
			}
			list = append(list, do)
		}
	}
	entities, err := c.renameFlags.steps()
	if err != nil {
		return nil, err
	}
	list = append(list, entities...)
	if c.RemoveUnused {
		list = append(list, func(_ context.Context, _ *transfer, ed editor) error {
			switch ed := ed.(type) {
			case *write.Editor:
				_, err := ed.RemoveUnused()
				return err
			case *write.ScidEditor:
				return usageError{errors.New("--remove-unused: names of Scid are numbered without gaps; cbkit compact removes those that no game has")}
			case *textEditor:
				return usageError{errors.New("--remove-unused: the names of a text stand in its games alone; only ChessBase databases have others")}
			}
			return usageError{fmt.Errorf("--remove-unused: %w", errNames)}
		})
	}
	return list, nil
}

func parseAppend(path string) (step, error) {
	return func(ctx context.Context, t *transfer, ed editor) error {
		if _, is := ed.(*textEditor); is { // it has them
			return nil
		}
		src, err := t.openInput(path)
		if err != nil {
			return err
		}
		defer func() { _ = src.close() }() // it was only read
		return t.appendTo(ctx, ed, src)
	}, nil
}

// appendTo adds all records of a source to a database.
func (t *transfer) appendTo(ctx context.Context, ed editor, src *input) error {
	return ed.Append(ctx, src.Source, model.CopyOptions{
		OnError: t.onError,
		Keep:    func(r model.Record) bool { t.env.judge(src.name, &r); return true },
	})
}

// parseOne reads ID=FILE.
func parseOne(value string) (id model.RecordID, path string, err error) {
	number, path, ok := strings.Cut(value, "=")
	if !ok || path == "" {
		return 0, "", errors.New("write the number of a record, =, and a file")
	}
	if id, err = parseID(number); err != nil {
		return 0, "", fmt.Errorf("%q is no number of a record", number)
	}
	return id, path, nil
}

func parseReplace(value string) (step, error) {
	id, path, err := parseOne(value)
	return func(ctx context.Context, t *transfer, ed editor) error {
		return t.single(ctx, path, func(rec model.Record, e *model.Entities) error {
			return forRecord(ed, id, func() error { return ed.Replace(id, rec, e) })
		})
	}, err
}

func parseAnnotate(value string) (step, error) {
	id, path, err := parseOne(value)
	return func(ctx context.Context, t *transfer, ed editor) error {
		return t.single(ctx, path, func(rec model.Record, _ *model.Entities) error {
			if rec.Game == nil {
				return fmt.Errorf("%s: is a guiding text; only games have annotations", path)
			}
			return forRecord(ed, id, func() error { return ed.Annotate(id, rec.Game) })
		})
	}, err
}

// single reads the only record of a file. Nothing may be wrong with it.
func (t *transfer) single(ctx context.Context, path string, use func(model.Record, *model.Entities) error) error {
	src, err := t.openInput(path)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	next, stop := iter.Pull2(src.Records(ctx, 1, model.WantMoves|model.WantAnnotations))
	defer stop()
	rec, err, ok := next()
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("%s: there is no game in it", path)
	}
	if faults := rec.Faults(); len(faults) > 0 {
		return faults[0]
	}
	rec = rec.Clone()
	if _, _, more := next(); more {
		return fmt.Errorf("%s: has more than one game; it must have one", path)
	}
	return errors.Join(use(rec, src.Entities()), src.Entities().Err())
}

// forRecord does something with a record: in a text when its turn comes.
func forRecord(ed editor, id model.RecordID, do func() error) error {
	if text, is := ed.(*textEditor); is {
		text.later(&idSet{ranges: []idRange{{from: id, to: id}}}, func(model.RecordID) error { return do() })
		return nil
	}
	return do()
}

// each calls do with the records of a selection: in a text when their turn comes.
func each(ids recordSet, ed editor, do func(model.RecordID) error) error {
	if text, is := ed.(*textEditor); is {
		text.later(ids, do)
		return nil
	}
	if found, is := ids.(foundSet); is {
		for _, id := range found {
			if err := do(id); err != nil {
				return err
			}
		}
		return nil
	}
	last := model.RecordID(ed.Count())
	for _, r := range ids.(*idSet).ranges {
		to := r.to
		if to == maxID {
			to = last
		}
		if to > last {
			return fmt.Errorf("record %d: %w; the last one is %d", to, model.ErrNoRecord, last)
		}
		for id := r.from; id <= to; id++ {
			if err := do(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// printResult says what was done to a database that has so many records now.
func (c *editCmd) printResult(t *transfer, r write.EditResult, records int) error {
	if !c.DryRun {
		t.env.made(madeTarget{Path: mainFile(c.DB), Format: formatOf(c.DB), Records: new(records)})
	}
	result, what := any(r), "edited: "+describeEdit(r)
	if found, is := t.counts.(*collect.Additions); is {
		result = struct {
			write.EditResult
			*collect.Additions
		}{r, found}
		what = newInWords(found, r.Appended)
	}
	if t.env.setResult(result, c.DryRun) || c.Quiet {
		return nil
	}
	if c.DryRun {
		what = "would change: " + describeEdit(r)
	}
	fmt.Fprintf(t.env.stderr, "%s: %s\n", mainFile(c.DB), what)
	for _, once := range r.Once {
		fmt.Fprintln(t.env.stderr, once)
	}
	reportDropped(t.env, r.DroppedBoosters, r.MadeBoosters)
	t.env.messages.printLosses()
	return nil
}

// reportText says what was done to a text.
func (c *editCmd) reportText(t *transfer, text *textEditor) error {
	if !c.DryRun {
		t.env.made(madeTarget{Path: text.path, Format: text.as, Records: new(text.Count())})
	}
	r := &text.result
	if t.env.setResult(r, c.DryRun) || c.Quiet {
		return nil
	}
	verb, gone := "edited", "taken out, since a PGN keeps no deleted games"
	if c.DryRun {
		verb = "would change"
	}
	what := describeEdit(r.EditResult)
	if text.as == formatPGN && r.Deleted > 0 {
		what = strings.Replace(what, "deleted", gone, 1)
	}
	if r.Games > 0 {
		what += "; " + plural(r.Games, "record") + " rewritten"
	}
	if r.Games > 0 && r.Deleted > 0 {
		what += " or taken out"
	}
	fmt.Fprintf(t.env.stderr, "%s: %s: %s, all else as it was\n", text.path, verb, what)
	t.env.messages.printLosses()
	return nil
}

// reportDropped reports search boosters that a change has taken away.
func reportDropped(env *environment, dropped, made []string) {
	dropped = slices.DeleteFunc(slices.Clone(dropped), func(name string) bool {
		is := dbfile.Is(name, dbfile.PositionsExt)
		if is {
			fmt.Fprintf(env.stderr, "the index of positions is gone: %s, which did not fit; cbkit boosters --positions makes it anew\n", name)
		}
		return is
	})
	if len(made) > 0 {
		fmt.Fprintf(env.stderr, "search boosters rebuilt: %s\n", strings.Join(made, " "))
	} else if len(dropped) > 0 {
		fmt.Fprintf(env.stderr, "search boosters that did not fit are gone: %s; cbkit boosters rebuilds them\n", strings.Join(dropped, " "))
	}
}

// describeEdit says in words what a transaction did.
func describeEdit(r write.EditResult) string {
	return countedWords([]countedWord{
		{r.Appended, "appended"}, {r.Replaced, "replaced"}, {r.Deleted, "deleted"}, {r.Undeleted, "undeleted"},
		{r.Set, inNumber(r.Set, "header") + " changed"}, {r.Annotated, "annotated"},
		{r.EntitiesChanged, inNumber(r.EntitiesChanged, "name") + " changed"},
		{r.EntitiesMerged, inNumber(r.EntitiesMerged, "name") + " merged into another"},
		{r.EntitiesAdded, inNumber(r.EntitiesAdded, "name") + " added"},
		{r.EntitiesRemoved, inNumber(r.EntitiesRemoved, "name") + " removed"},
	})
}

// editor changes a database in place, of whichever format.
type editor interface {
	Append(ctx context.Context, src model.Source, opt model.CopyOptions) error
	Replace(id model.RecordID, rec model.Record, from *model.Entities) error
	Delete(ids ...model.RecordID) error
	Undelete(ids ...model.RecordID) error
	Header(id model.RecordID) (model.Header, error)
	SetHeader(id model.RecordID, h model.Header, from *model.Entities) error
	SetAnnotations(id model.RecordID, list []model.Annotation) error
	Annotate(id model.RecordID, by *model.Game) error
	Count() int
	Commit() error
	DryRun() (write.EditResult, error)
	Result() write.EditResult
	Close() error
}

// openAny opens a database or a text for change.
func openAny(t *transfer, path string, opt write.EditOptions) (editor, error) {
	if path == "-" {
		return nil, usageError{errors.New("-: standard input cannot be changed in place; name a file")}
	}
	if as := formatOf(path); isNotEdited(as) { // a name without an ending, and what adds to it
		return nil, onlyRead(path, as, t.verb)
	} else if as.IsText() {
		return opened(newTextEditor(t, path, opt))
	}
	opt.CodePage, opt.GuessCodePage = string(t.flags.Codepage), true
	main := ".cbh"
	if set, err := read.FindFiles(path); err == nil {
		main = cmp.Or(set.Main(path), main)
	}
	switch main {
	case ".dci":
		return opened(write.EditSimple(t.env.ctx, path, opt))
	case ".si4":
		ed, err := write.EditScid(t.env.ctx, path, opt)
		if err == nil {
			t.env.reportPage(mainFile(path), ed.CodePage())
		}
		return opened(ed, err)
	}
	ed, err := write.Edit(t.env.ctx, path, opt)
	if err == nil {
		t.env.reportPage(mainFile(path), ed.CodePage())
	}
	return opened(ed, err)
}

// opened is an editor without the nil of an error in it.
func opened[E editor](ed E, err error) (editor, error) {
	if err != nil {
		return nil, err
	}
	return ed, nil
}

// errNames is the error of changing entities where they are no more than names.
var errNames = errors.New("a Simple Chess Database has no players and tournaments of their own; --set changes the names of games")
