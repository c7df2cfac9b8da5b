package main

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/internal/brief"
	"cbkit/internal/dbfile"
	"cbkit/internal/headerfields"
	"cbkit/model"
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

	changeFlags
	readFlags

	find []func(*transfer) error // what --where means
}

// changeFlags are the flags of verbs that change a database or a book in place.
type changeFlags struct {
	DryRun bool `help:"Say what would change, and change nothing."`
	JSON   bool `name:"json" help:"Say what was done as JSON."`
	Quiet  bool `short:"q" help:"Say nothing of what was done."`
	waitFlag
}

// printsOutcome implements [outcomePrinter].
func (f changeFlags) printsOutcome() bool { return f.JSON }

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
	return c.edit(t, lib.EditOptions{Wait: c.duration(), Boosters: c.Boosters, DryRun: c.DryRun, NewNames: c.NewNames}, steps)
}

// edit changes the database, and says what was done.
func (c *editCmd) edit(t *transfer, opt lib.EditOptions, steps []step) error {
	done, err := t.edit(c.DB, opt, func(ed *lib.Editor) (err error) {
		for _, find := range c.find {
			if err == nil {
				err = find(t)
			}
		}
		for _, do := range steps {
			if err == nil {
				err = do(t, ed)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.printResult(t, done)
}

// editDone is what was done to a database or a text, which has so many records now.
type editDone struct {
	write.EditResult
	name    string
	as      format
	records int
}

// edit changes a database or a text in one transaction. Errors call it by its name.
func (t *transfer) edit(path string, opt lib.EditOptions, do func(*lib.Editor) error) (done editDone, err error) {
	done.name, done.as = mainFile(path), formatOf(path)
	defer func() { err = targetError(done.name, err) }()
	opt.Lost, opt.Now = t.env.messages.lost, t.env.now
	opt.CodePage, opt.GuessCodePage = string(t.flags.Codepage), true
	opt.Stays = func(was model.Tournament, others int) {
		// A correction of the tournament may not have meant that.
		fmt.Fprintf(t.env.stderr, "cbkit: the tournament %q stays as it was for %s; name them too to change it\n", was.Title, plural(others, "other record"))
	}
	var bar *progress
	switch {
	case path != "-" && done.as.IsOnlyRead(): // a name without an ending, and what adds to it
		return done, onlyRead(path, done.as, t.verb)
	case done.as.IsText():
		t.to, t.env.making = done.as, path
		opt.Plain, opt.OnError, opt.Progress = !isLossless(path), t.onError, func() { bar.step() }
		t.env.messages.losses.plain = done.as == formatPGN && opt.Plain
		if err := t.fill(&opt.Options, done.as); err != nil {
			return done, err
		}
	}
	ed, err := lib.Edit(t.env.ctx, path, opt)
	if err != nil {
		return done, err
	}
	t.env.reportPage(done.name, ed.CodePage())
	defer func() {
		for _, src := range t.appended {
			_ = src.close() // it was only read
		}
	}()
	if err = do(ed); err == nil {
		if done.as.IsText() {
			bar = newProgress(t.env.stderr, t.flags.Quiet, -1, "edit", "games")
		}
		if opt.DryRun {
			done.EditResult, err = ed.DryRun()
		} else {
			err = ed.Commit()
		}
		if bar != nil {
			bar.done()
			err = t.env.done(err)
		}
	}
	done.records = ed.Count()
	if err = errors.Join(err, t.env.done(ed.Close())); err != nil {
		return done, err
	}
	if t.env.making = ""; !opt.DryRun {
		done.EditResult = ed.Result()
	}
	return done, nil
}

// step is one change.
type step func(t *transfer, ed *lib.Editor) error

// steps reads the flags, in the order in which the changes are made.
func (c *editCmd) steps() (list []step, err error) {
	for _, flag := range []struct {
		name   string
		values []string
		parse  func(string) (step, error)
	}{
		{"append", c.Append, parseAppend}, {"replace", c.Replace, parseReplace}, {"delete", c.Delete, c.ofSelection(false, (*lib.Editor).Delete)},
		{"undelete", c.Undelete, c.ofSelection(true, (*lib.Editor).Undelete)}, {"set", c.Set, c.parseSet}, {"annotate", c.Annotate, parseAnnotate},
		{"drop-annotations", c.DropAnnotations, c.ofSelection(false, (*lib.Editor).DropAnnotations)},
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
		list = append(list, func(_ *transfer, ed *lib.Editor) error { return ed.RemoveUnused() })
	}
	return list, nil
}

func parseAppend(path string) (step, error) {
	return func(t *transfer, ed *lib.Editor) error {
		src, err := t.openInput(path)
		if err != nil {
			return err
		}
		t.appended = append(t.appended, src) // a text reads it at the end
		return t.appendTo(ed, src)
	}, nil
}

// appendTo adds all records of a source to a database.
func (t *transfer) appendTo(ed *lib.Editor, src *input) error {
	return ed.Append(t.env.ctx, src.Source, model.CopyOptions{
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
	return func(t *transfer, ed *lib.Editor) error {
		return t.single(path, func(rec model.Record, e *model.Entities) error {
			return ed.Replace(id, rec, e)
		})
	}, err
}

func parseAnnotate(value string) (step, error) {
	id, path, err := parseOne(value)
	return func(t *transfer, ed *lib.Editor) error {
		return t.single(path, func(rec model.Record, _ *model.Entities) error {
			if rec.Game == nil {
				return fmt.Errorf("%s: is a guiding text; only games have annotations", path)
			}
			return ed.Annotate(id, rec.Game)
		})
	}, err
}

// single reads the only record of a file. Nothing may be wrong with it.
func (t *transfer) single(path string, use func(model.Record, *model.Entities) error) error {
	src, err := t.openInput(path)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	next, stop := iter.Pull2(src.Records(t.env.ctx, 1, model.WantMoves|model.WantAnnotations))
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

// idsOf are the records of a selection.
func idsOf(which *idSet) (list []lib.IDs) {
	for _, id := range which.found {
		list = append(list, lib.IDs{From: id, To: id})
	}
	for _, r := range which.ranges {
		if r.to == maxID {
			r.to = 0
		}
		list = append(list, lib.IDs{From: r.from, To: r.to})
	}
	return list
}

// printResult says what was done.
func (c *editCmd) printResult(t *transfer, done editDone) error {
	if !c.DryRun {
		t.env.made(madeTarget{Path: done.name, Format: done.as, Records: new(done.records)})
	}
	r := done.EditResult
	result, what := any(r), describeEdit(r)
	isText := done.as.IsText()
	found, isNew := t.counts.(*newCounts)
	switch {
	case isNew:
		result = struct {
			write.EditResult
			*newCounts
		}{r, found}
	case isText:
		result = struct {
			write.EditResult
			// Games are how many were written anew or are gone.
			Games int `json:"games"`
		}{r, r.Games}
	}
	if t.env.setResult(result, c.DryRun) || c.Quiet {
		return nil
	}
	if isText {
		if done.as == formatPGN && r.Deleted > 0 {
			what = strings.Replace(what, "deleted", "taken out of the PGN", 1)
		}
		if r.Games > 0 {
			what += "; " + plural(r.Games, "record") + " rewritten"
		}
		if r.Games > 0 && r.Deleted > 0 {
			what += " or taken out"
		}
		what += ", all else as it was"
	}
	switch {
	case isNew:
		what = newInWords(found.Additions, r.Appended)
	case !c.DryRun:
		what = "edited: " + what
	}
	if c.DryRun {
		what = "would change: " + what
	}
	fmt.Fprintf(t.env.stderr, "%s: %s\n", done.name, what)
	for _, once := range r.Once {
		fmt.Fprintln(t.env.stderr, once)
	}
	reportDropped(t.env, r.DroppedBoosters, r.MadeBoosters)
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

// parseSet reads IDS.FIELD=VALUE.
func (c *editCmd) parseSet(value string) (step, error) {
	name, text, ok := strings.Cut(value, "=")
	at := strings.LastIndexByte(name, '.')
	if !ok || at < 0 && c.Where == "" {
		return nil, errors.New("write records, a dot, a field, = and its value, like 1-50.event=Linares")
	}
	which, err := c.selected(name[:max(at, 0)], false)
	if err != nil {
		return nil, err
	}
	field, err := headerfields.Settable(name[at+1:])
	if err == nil && field.Set != nil { // a value that cannot be read is bad use, before anything is opened
		err = field.Set(new(model.Header), new(model.Tournament), text)
	}
	if err != nil {
		return nil, err
	}
	return func(_ *transfer, ed *lib.Editor) error {
		return ed.Set(field.Name, text, idsOf(which)...)
	}, nil
}

// renameFlags change names of entities.
type renameFlags struct {
	RenamePlayer     []string `sep:"none" help:"Give a player another name." placeholder:"OLD=NEW"`
	RenameTournament []string `sep:"none" help:"Give a tournament another title." placeholder:"OLD=NEW"`
	RenameAnnotator  []string `sep:"none" help:"Give an annotator another name." placeholder:"OLD=NEW"`
	RenameSource     []string `sep:"none" help:"Give a source another title." placeholder:"OLD=NEW"`
	RenameTeam       []string `sep:"none" help:"Give a team another title." placeholder:"OLD=NEW"`
	RenameTitle      []string `sep:"none" help:"Give a game title other words." placeholder:"OLD=NEW"`
	MergePlayer      []string `sep:"none" help:"Make one player of two: the games of the first go to the second." placeholder:"A=B"`
	MergeTournament  []string `sep:"none" help:"Make one tournament of two." placeholder:"A=B"`
	MergeAnnotator   []string `sep:"none" help:"Make one annotator of two." placeholder:"A=B"`
	MergeSource      []string `sep:"none" help:"Make one source of two." placeholder:"A=B"`
	MergeTeam        []string `sep:"none" help:"Make one team of two." placeholder:"A=B"`
	MergeTitle       []string `sep:"none" help:"Make one game title of two." placeholder:"A=B"`
}

// steps reads the flags, of which each field has the verb and the kind of names.
func (f *renameFlags) steps() (list []step, err error) {
	flags := reflect.ValueOf(*f)
	for i := range flags.NumField() {
		name := strings.ToLower(flags.Type().Field(i).Name)
		do, verb := (*lib.Editor).Rename, "rename"
		kind, isRename := strings.CutPrefix(name, verb)
		if !isRename {
			do, verb, kind = (*lib.Editor).Merge, "merge", strings.TrimPrefix(name, "merge")
		}
		for _, value := range flags.Field(i).Interface().([]string) {
			flag := fmt.Sprintf("--%s-%s %s", verb, kind, value)
			a, b, ok := strings.Cut(value, "=")
			if !ok || a == "" || strings.TrimSpace(b) == "" {
				return nil, usageError{fmt.Errorf("%s: write two names with = between them", flag)}
			}
			list = append(list, func(_ *transfer, ed *lib.Editor) error {
				if err := do(ed, kind, a, b); err != nil {
					return fmt.Errorf("%s: %w", flag, err)
				}
				return nil
			})
		}
	}
	return list, nil
}
