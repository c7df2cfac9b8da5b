package main

import (
	lib "cbkit"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/collect"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// importCmd is "cbkit import".
type importCmd struct {
	Files    []string `arg:"" zip:"sources" name:"file" help:"PGN files, or one of JSON Lines or EPD (also .gz .bz2 .zst .zip; - is standard input), or tables of games in Parquet, then the database to make."`
	Append   bool     `help:"Add the games to a database that is there."`
	New      bool     `help:"With --append: add only games that are not there yet, by the rules of dedup."`
	Improve  bool     `help:"With --new: better copies (annotated, longer) take the place of those that are there, and headers get what they lack and copies state."`
	DryRun   bool     `help:"With --append: say what would change, and change nothing."`
	KeepSite bool     `help:"Keep web addresses in the Site tag as places of tournaments."`
	targetFlags
	transferFlags
}

// Run implements the verb.
func (c *importCmd) Run(env *environment) error {
	if len(c.Files) < 2 {
		return usageError{errors.New("import needs a PGN file and the database to make")}
	}
	files, target := c.Files[:len(c.Files)-1], c.Files[len(c.Files)-1]
	switch {
	case c.Improve && !c.New:
		return usageError{errors.New("--improve: goes with --append --new")}
	case c.DryRun && !c.Append:
		return usageError{errors.New("--dry-run: goes with --append")}
	case c.New && !c.Append:
		return usageError{errors.New("--new: goes with --append; cbkit merge --dedup makes a database without duplicates")}
	}
	for _, name := range files {
		if c.New && isReadOnce(name) {
			return usageError{fmt.Errorf("%s: --new reads everything twice, and a pipe can be read once; name a file", name)}
		}
	}
	if named(target).IsFile() {
		return usageError{fmt.Errorf("%s: import makes a database, or adds to one; cbkit convert makes texts, cbkit edit --append adds to them", target)}
	}
	if c.Append {
		target = mainFile(target)
	}
	to, err := parseTarget(target, formatChessBase, formatSimple, formatScid)
	if err == nil {
		err = env.refuseSources(to, files...)
	}
	if err != nil {
		return err
	}
	t := newTransfer(env, c.transferFlags, "import", to)
	src, err := c.open(t, files)
	if err != nil {
		return err
	}
	if c.Append {
		defer func() { _ = src.close() }() // it was only read
		add := func(t *transfer, ed *lib.Editor) error { return t.appendTo(ed, src) }
		if c.New {
			add = func(t *transfer, ed *lib.Editor) error { return c.addNew(t, ed, src, to) }
		}
		opt := lib.EditOptions{Chess960: c.Chess960, Wait: c.duration(), Boosters: c.Boosters, DryRun: c.DryRun}
		return (&editCmd{DB: to.path, changeFlags: changeFlags{Quiet: c.Quiet, DryRun: c.DryRun}}).edit(t, opt, []step{add})
	}
	err = t.run(src, to, outputOptions{target: c.targetFlags})
	if errors.As(err, new(thereError)) {
		err = fmt.Errorf("%w; --append adds the games to it", err)
	}
	return err
}

// addNew adds what a database does not have yet.
func (c *importCmd) addNew(t *transfer, ed *lib.Editor, src *input, to target) error {
	found, all, err := c.findNew(t, src, to)
	if err != nil {
		return err
	}
	counts := &newCounts{Additions: found}
	for _, f := range found.Filled {
		counts.Filled = t.listFilled(counts.Filled, f)
	}
	t.counts = counts
	by := map[model.RecordID]model.RecordID{}
	for _, r := range found.Replace {
		by[r.By] = r.Base
	}
	for rec, err := range model.Readable(t.env.ctx, all, model.WantAll, t.onError) {
		if len(by) == 0 {
			break
		}
		if err != nil {
			return err
		}
		if id, is := by[rec.ID]; is {
			delete(by, rec.ID)
			t.judge(src.name, &rec)
			if err := ed.Replace(id, rec, all.Entities()); err != nil {
				return err
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found.Headers)) {
		if err := ed.SetHeader(id, found.Headers[id], found.Names); err != nil {
			return err
		}
	}
	if len(found.Drop) > 0 {
		if err := ed.Delete(idsOf(&idSet{found: found.Drop})...); err != nil {
			return err
		}
	}
	if len(found.Add) == 0 {
		return nil
	}
	return ed.Append(t.env.ctx, all, model.CopyOptions{
		OnError: t.onError,
		Keep: func(r model.Record) bool {
			_, is := slices.BinarySearch(found.Add, r.ID)
			if is {
				t.judge(src.name, &r)
			}
			return is
		},
	})
}

// newCounts are what is new, and the fields that were filled, for JSON.
type newCounts struct {
	*collect.Additions
	Filled []filledField `json:"filled,omitempty"`
}

// findNew compares a source with a database, which is locked meanwhile, and returns it with
// what its games lack.
func (c *importCmd) findNew(t *transfer, src *input, to target) (_ *collect.Additions, all model.Source, err error) {
	ctx, silent := t.env.ctx, *t
	silent.mute, silent.to = muteAll, ""
	base, err := silent.openInput(to.path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = base.close() }() // it was only read
	// What is compared is what there would be of the source in the database: cut, or left out.
	dir, err := os.MkdirTemp("", "cbkit-new-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	held, db := heldRecords{}, base.Source.(read.Database)
	opt := lib.SaveOptions{
		CodePage: cmp.Or(string(t.flags.Codepage), base.page), Chess960: c.Chess960, Report: func(model.Loss) {}, OnError: silent.onError, KeepGoing: true,
		Through: func(s model.Sink) model.Sink { held.output = s.(output); return &held },
	}
	if simple, is := db.(*read.SimpleDB); is {
		if opt.Layout, err = write.ParseSimpleLayout(simple.Layout()); err != nil {
			return nil, nil, err
		}
	}
	records, err := collect.Without(ctx, src.Source, nil, nil, nil, nil) // alone
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, "New"+to.as.Endings()[0])
	if err := lib.Save(ctx, path, records, opt); err != nil {
		return nil, nil, err
	}
	week, err := read.Open(path, read.Options{CodePage: opt.CodePage})
	if err != nil {
		return nil, nil, err
	}
	defer week.Close()
	bar := newProgress(t.env.stderr, t.flags.Quiet, base.Count(), "comparing", "games")
	defer bar.done()
	found, err := collect.FindAdditions(ctx, week, db, collect.AdditionOptions{
		Improve: c.Improve, OnError: silent.onError, Warn: t.env.warn,
		BaseProgress: func(id model.RecordID) { bar.set(int(id), db.Count()) },
	})
	if err != nil {
		return nil, nil, err
	}
	for i, id := range found.Add {
		found.Add[i] = held.ids[id-1]
	}
	for i, r := range found.Replace {
		found.Replace[i].By = held.ids[r.By-1]
	}
	found.Uncompared += held.left
	before := model.RecordID(base.Count())
	t.env.origin = func(id model.RecordID) (string, model.RecordID) {
		if id <= before {
			return "", id
		}
		return src.name, held.ids[id-before-1]
	}
	return found, found.Complete(src.Source, held.ids), nil
}

// heldRecords notes the ids of the records that a database holds, and how many it does not.
type heldRecords struct {
	output
	ids  []model.RecordID
	left int
}

// Put implements [model.Sink].
func (h *heldRecords) Put(rec model.Record) error {
	before := h.Written()
	err := h.output.Put(rec)
	if h.Written() > before {
		h.ids = append(h.ids, rec.ID)
	} else if err == nil {
		h.left++
	}
	return err
}

// newInWords says what is new, of which so many games were added: a format may exclude some.
func newInWords(a *collect.Additions, added int) string {
	put, left := a.Better, 0 // those that are better
	if len(a.Replace) == 0 {
		put, left = 0, a.Better
	}
	excluded := a.New - added
	words := counted([]countedWord{
		{added, inNumber(added, "new game") + " added"}, {excluded, inNumber(excluded, "new game") + " left out"},
		{put, "in the place of worse copies"}, {len(a.Drop), inNumber(len(a.Drop), "copy") + " in the database marked as deleted"},
		{len(a.Filled), inNumber(len(a.Filled), "field") + " filled"},
	})
	if len(words) == 0 {
		words = []string{"nothing new"}
	}
	return strings.Join(append(words, counted([]countedWord{
		{a.Known, "known"}, {left, "better than what is there (--improve puts better copies in its place)"},
		{a.Repeated, "more than once in what was read"},
		{a.Uncompared, "left out that are texts, have moves that cannot be read, or no place in the database"},
	})...), ", ")
}

// open opens the files: any number of PGN files or of tables, or one of JSON Lines; to
// add to a database, sources of any formats.
func (c *importCmd) open(t *transfer, files []string) (*input, error) {
	isDatabase := func(name string) bool {
		return name != "-" && !formatOf(name).IsFile() || formatOf(name) == formatArchive
	}
	if c.Append && slices.ContainsFunc(files, isDatabase) {
		return t.open(lib.Options{KeepSite: c.KeepSite}, files...)
	}
	if slices.Contains(files, "-") && len(files) > 1 {
		return nil, usageError{errors.New("-: standard input must be the only source")}
	}
	tables := slices.ContainsFunc(files, func(name string) bool { return named(name) == formatParquet })
	for i, name := range files {
		if clean := filepath.Clean(name); slices.ContainsFunc(files[:i], func(f string) bool { return filepath.Clean(f) == clean }) && (&lib.Place{Name: name}).IsPipe() {
			return nil, usageError{fmt.Errorf("%s: is a pipe, which can be read once; name it once", name)}
		}
		switch as := named(name); {
		case tables && as != formatParquet:
			return nil, usageError{fmt.Errorf("%s: is no Parquet file as the others are; import them one after the other", name)}
		case (as == formatJSONL || as == formatEPD) && len(files) > 1:
			return nil, usageError{fmt.Errorf("%s: %s must be the only source", name, as.Title())}
		case as != "" && as != formatPGN && as != formatJSONL && as != formatEPD && as != formatParquet:
			return nil, usageError{fmt.Errorf("%s: import reads PGN, JSON Lines and EPD; use convert for databases", name)}
		}
	}
	as := named(files[0])
	if as == "" && !dbfile.Is(files[0], ".abk") {
		as = formatPGN // whatever it is called
	}
	return t.open(lib.Options{Format: as, KeepSite: c.KeepSite}, files...)
}
