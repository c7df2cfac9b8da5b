package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	lib "cbkit"
	"cbkit/internal/dbfile"
	"cbkit/internal/lifecycle"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"
)

// transferFlags are the flags of every verb that moves records from a source
// to a sink.
type transferFlags struct {
	readFlags
	writeFlags
}

// writeFlags are the flags of every verb that makes a file or database.
type writeFlags struct {
	Force bool `help:"Replace a target that exists; the old one is kept until the new one is complete."`
	waitFlag
	JSON  bool `name:"json" help:"Print what was done, or the answer, as JSON on standard output."`
	Quiet bool `short:"q" help:"No progress bar, no summary."`
}

// targetFlags are the flags of verbs that make a database.
type targetFlags struct {
	Layout   string `help:"Layout of a Simple Chess Database: v1 as documented, v0 as the tools of its author read it." enum:",v0,v1" default:"" placeholder:"V"`
	Chess960 bool   `name:"chess960" help:"Write Chess960 games into a Simple Chess Database, which excludes them."`
	Boosters bool   `help:"Make the search boosters of a ChessBase database too."`
	NoSeal   bool   `help:"Leave out the seal of the boosters, which has the change times of files."`
}

// transfer is one run from a source to a sink.
type transfer struct {
	env     *environment
	flags   transferFlags
	verb    string
	to      format                  // of the target
	games   *idSet                  // the records to take, nil for all
	where   search.Condition        // what records must meet, nil for all
	drop    map[model.RecordID]bool // duplicates; stored records that stay are copied
	named   []string                // see makeFlags
	written int                     // records in the target
	deleted int                     // games among them that are marked as deleted, in PGN
	bar     *progress               // one of several targets together, nil for one of its own
	faulty  bool                    // some of what was read is damaged
	mute    muting                  // what of records is reported elsewhere
	temp    string                  // the folder of temporary files; "" is the system's
	// onPut, if not nil, is given the error of each record that was put, nil where there is
	// none, and returns that with which the work ends.
	onPut          func(error) error
	reportedDamage []string        // of books, when they were opened
	appended       []*input        // to what is edited
	told           []string        // errors of a folder's databases
	tables         *parquet.Writer // that are made

	// For the summary:
	finalName string // the name of the target, where what is written is a step on the way there
	remark    string // stands behind the number of records
	counts    any    // what the verb itself counts, as JSON
}

// muting is what a transfer does not report of records, because it is reported elsewhere.
type muting uint8

const (
	muteNothing muting = iota
	muteContent        // what of them does not decode
	muteAll            // that, and which of them cannot be read
)

// newTransfer begins a run that makes a target.
func newTransfer(env *environment, flags transferFlags, verb string, to target) *transfer {
	env.making = to.path
	return &transfer{env: env, flags: flags, verb: verb, to: to.as, temp: tempFolder(to.path)}
}

// convertCmd is "cbkit convert".
type convertCmd struct {
	Source string `arg:"" zip:"reads" help:"Database, PGN or JSON Lines file; - is PGN or JSON Lines from standard input."`
	Target string `arg:"" help:"What to make: its ending says the format; text is compressed if .gz or .zst follows."`
	Purge  bool   `help:"Leave deleted records out."`
	Fresh  bool   `help:"Compute trees, counts, sizes and the like, instead of copying them."`
	Check  bool   `help:"Check the database that was made, as cbkit check does: a copy is as right or wrong as the original."`
	makeFlags
}

// Run implements the verb.
func (c *convertCmd) Run(env *environment) error {
	to, err := parseTarget(c.Target, formatChessBase, formatSimple, formatScid, formatPGN, formatJSONL, formatEPD, formatArchive)
	if err == nil {
		err = env.refuseSources(to, c.Source)
	}
	if err != nil {
		return err
	}
	if c.Check && checks[to.as] == nil {
		return usageError{fmt.Errorf("--check: it is for databases; cbkit check %s looks at the original", c.Source)}
	}
	if to.as == formatArchive {
		return c.toArchive(env, to)
	}
	t := newTransfer(env, c.transferFlags, "convert", to)
	src, err := t.openInput(c.Source)
	if err != nil {
		return err
	}
	if to.as == formatPGN && !c.Plain {
		t.remark = "lossless PGN; --plain for other programs"
	}
	err = t.run(src, to, outputOptions{purge: c.Purge, deleted: c.Deleted, fresh: c.Fresh, plain: c.Plain, pgnFlags: c.pgnFlags, target: c.targetFlags})
	if err != nil || !c.Check {
		return err
	}
	made := checkCmd{Path: to.path, checkFlags: checkFlags{Codepage: c.Codepage, Jobs: c.Jobs, JSON: c.JSON, Quiet: c.Quiet}}
	return made.run(env, to.as)
}

// pgnFlags choose between the two forms of PGN.
type pgnFlags struct {
	Plain    bool `xor:"form" help:"PGN for people and other programs: comments, symbols, arrows, clocks, verdicts in pawns."`
	Lossless bool `xor:"form" help:"PGN from which cbkit reads back every annotation as it is, with commands of its own in comments."`
}

// check refuses the flags where no PGN is written.
func (f pgnFlags) check(as format) error {
	if (f.Plain || f.Lossless) && as != formatPGN {
		return usageError{errors.New("--plain, --lossless: only PGN has two forms")}
	}
	return nil
}

// outputOptions are the choices a verb has besides the target's format.
type outputOptions struct {
	purge   bool
	deleted bool
	fresh   bool // nothing is copied that can be computed
	plain   bool // PGN for people
	roster  bool // PGN with seven tags
	pgnFlags
	target targetFlags
	folder *write.Folder    // of many targets
	tables *parquet.Options // of Parquet
}

// run makes the target, prints the summary and closes the source.
func (t *transfer) run(src *input, to target, opt outputOptions) error {
	// Whatever goes wrong in closing a file that was only read does no harm.
	defer func() { _ = src.close() }()
	if err := opt.check(to.as); err != nil {
		return err
	}
	sink := &transferSink{t: t, path: cmp.Or(t.finalName, to.path), source: src.name}
	if err := t.save(sink, src, to, opt); err != nil {
		return err
	}
	t.env.making = ""
	t.written = sink.Written()
	if t.finalName == "" {
		t.env.made(madeTarget{Path: to.path, Format: to.as, Records: new(t.written), Games: new(t.written - sink.texts)})
	}
	written := plural(t.written, "record")
	if t.tables != nil {
		var rows []string
		for _, table := range [...]parquet.Table{parquet.Games, parquet.Positions} {
			if n, ok := t.tables.Rows(table); ok {
				rows = append(rows, fmt.Sprintf("%d %s", n, table))
			}
		}
		written = strings.Join(rows, ", ")
	}
	t.summary(sink.path, written)
	if simple, ok := sink.output.(*write.SimpleCreator); ok && opt.target.Layout == "" && simple.Layout() == write.SimpleV1 && !t.flags.Quiet {
		fmt.Fprintf(t.env.stderr, "%s: layout v1, as the format is described; the programs that exist read layout v0: --layout v0\n", to.path)
	}
	if !opt.roster {
		t.reportDeleted(to.path)
	}
	if to.as == formatChessBase && src.as == to.as && !t.flags.Quiet {
		t.env.reportIndexLeft(src.name, to.path)
	}
	if t.games != nil {
		return t.games.absent()
	}
	return nil
}

// reportDeleted says that there are deleted games in PGN.
func (t *transfer) reportDeleted(path string) {
	if t.deleted > 0 && !t.flags.Quiet {
		fmt.Fprintf(t.env.stderr, "%s: %s in it, marked by the tag ScidFlags \"D\", which few programs heed; cbkit export leaves them out\n",
			path, plural(t.deleted, "deleted game"))
	}
}

// reportIndexLeft says that the index of positions of a database does not go along.
func (env *environment) reportIndexLeft(db, to string) {
	if set, err := read.FindFiles(db); err == nil && set.Has(dbfile.PositionsExt) {
		fmt.Fprintf(env.stderr, "%s stays behind; cbkit boosters --positions makes one of %s\n", set.Name(dbfile.PositionsExt), to)
	}
}

// save saves the source, and sets the output of the sink.
func (t *transfer) save(sink *transferSink, src *input, to target, opt outputOptions) (err error) {
	save, done, err := t.saveOptions(src, to, opt)
	if err != nil {
		return err
	}
	var replaced model.Replacement
	save.OnReplace = func(r model.Replacement) { replaced = r }
	defer func() {
		done()
		t.env.reportReplaced(to.path)(replaced)
	}()
	isFile := named(to.path) == formatParquet || to.path == "-"
	switch {
	case to.as != formatParquet:
	case isFile && len(opt.tables.Tables) > 1:
		return usageError{fmt.Errorf("%s: is one file; name a folder for several tables", to.path)}
	case isFile && opt.tables.Parts > 1:
		return usageError{fmt.Errorf("%s: is one file; name a folder for parts", to.path)}
	case isFile:
		save.NewSink = func(w io.Writer) (model.Sink, error) {
			tables, err := parquet.NewWriter(w, *opt.tables)
			t.tables = tables
			return tables, err
		}
	default:
		if t.tables, err = parquet.Create(t.env.ctx, to.path, *opt.tables); err != nil {
			return targetError(to.path, err)
		}
		sink.output = t.tables
		return model.Copy(t.env.ctx, sink, src.Source, model.CopyOptions{
			From: save.From, To: save.To, Keep: save.Keep, OnError: save.OnError, Progress: save.Progress, SkipPreflight: save.KeepGoing,
		})
	}
	var stream *outStream
	if to.as.IsFile() {
		if stream, err = t.env.openStream(to.path); err != nil {
			return targetError(to.path, err)
		}
	}
	if stream != nil {
		save.Output = stream
	}
	save.Through = func(s model.Sink) model.Sink {
		sink.output = s.(output)
		return sink
	}
	err = lib.Save(t.env.ctx, to.path, src.Source, save)
	if failed := stream.Close(); err == nil {
		err = failed
	}
	if sink.output == nil { // there is no target
		return targetError(to.path, err)
	}
	return err
}

// saveOptions are the options for what the flags say, with what is to be called at the
// end.
func (t *transfer) saveOptions(src *input, to target, opt outputOptions) (save lib.SaveOptions, done func(), err error) {
	bar, done := t.bar, func() {}
	if bar == nil {
		bar = newSourceProgress(t.env.stderr, t.flags.Quiet, src, t.verb)
		done = bar.done
	}
	t.env.messages.losses.plain = opt.plain && to.as == formatPGN
	save = lib.SaveOptions{
		Format: to.as, Force: t.flags.Force, Wait: t.flags.duration(), Now: t.env.now, Folder: opt.folder,
		Report: t.reportLoss, CodePage: cmp.Or(string(t.flags.Codepage), src.page),
		Plain: opt.plain, Roster: opt.roster, Deleted: opt.deleted, Fresh: opt.fresh, Chess960: opt.target.Chess960,
		OnError: t.onError, KeepGoing: t.flags.KeepGoing || t.games != nil, // of chosen games alone
		Progress: func(model.RecordID) { bar.step() },
	}
	if opt.purge || t.games != nil {
		save.Keep = func(r model.Record) bool { return !(opt.purge && r.Deleted) && (t.games == nil || t.games.take(r.ID)) }
	}
	if t.drop != nil {
		save.Keep = func(r model.Record) bool {
			if t.drop[r.ID] {
				t.judge(src.name, &r) // as what is put is
			}
			return !t.drop[r.ID]
		}
	}
	if t.games != nil {
		save.From, save.To = t.games.span(src.Count())
	}
	if opt.target.Layout != "" {
		if save.Layout, err = write.ParseSimpleLayout(opt.target.Layout); err != nil {
			return save, done, usageError{err}
		}
	}
	if opt.target.Boosters && to.as == formatChessBase {
		var making *progress
		before := done
		save.Boosters = &write.BoosterOptions{
			Jobs: int(t.flags.Jobs), Wait: t.flags.duration(), NoSeal: opt.target.NoSeal,
			Progress: func(done, total int) {
				if making == nil {
					before()
					making = newProgress(t.env.stderr, t.flags.Quiet, -1, "boosters", "games")
				}
				making.set(done, total)
			},
		}
		done = func() {
			if before(); making != nil {
				making.done()
			}
		}
	}
	return save, done, nil
}

// transferSink is a sink whose errors speak of the user's target, and which
// makes nothing of a selection that selects nothing.
type transferSink struct {
	output
	t            *transfer
	path, source string // as the user knows them
	texts        int    // that were written
}

// takesWhole reports whether the target takes the stored record of a game as it is.
func (t *transfer) takesWhole(g *model.Game) bool {
	stored := map[format]string{formatChessBase: "cbh", formatSimple: "dcdb", formatScid: "si4"}[t.to]
	return t.to == formatJSONL || len(g.Leftovers.Moves.From(stored)) > 0
}

// Wants implements [model.Wanter] as the sink inside does.
func (s *transferSink) Wants() model.Want { return lifecycle.Wants(s.output) }

// Begin implements [model.Sink].
func (s *transferSink) Begin(src model.Source) error { return targetError(s.path, s.output.Begin(src)) }

// Put implements [model.Sink].
func (s *transferSink) Put(rec model.Record) error {
	s.t.judge(s.source, &rec)
	if g := rec.Game; g != nil && g.MovesErr != nil && !s.t.takesWhole(g) {
		rec.Game = g.WithCut(g.MovesErr)
	}
	before := s.Written()
	err := s.output.Put(rec)
	switch {
	case rec.Text != nil:
		s.texts += s.Written() - before
	case rec.Deleted && s.t.to == formatPGN:
		s.t.deleted += s.Written() - before
	}
	if s.t.onPut != nil {
		err = s.t.onPut(err)
	}
	return targetError(s.path, err)
}

// errNothingFound is why a target is not made.
var errNothingFound = errors.New("not written, since nothing was found")

// Commit implements [model.Sink].
func (s *transferSink) Commit() error {
	if s.t.games != nil && !s.t.games.any() {
		return s.t.games.absent()
	}
	if s.Written() == 0 {
		switch {
		case s.t.env.messages.counts[messageSkipped] > 0:
			return nothingRead(s.path)
		case s.t.verb == "find":
			return errNothingFound
		case s.t.where != nil:
			return s.t.env.checkMatches()
		}
	}
	return targetError(s.path, s.t.env.done(s.output.Commit()))
}

// Abort implements [model.Sink].
func (s *transferSink) Abort() error { return targetError(s.path, s.output.Abort()) }

// output is a sink that counts what came out.
type output interface {
	model.Sink
	model.Counter
}

// judge reports what of a record could not be decoded.
func (t *transfer) judge(source string, rec *model.Record) {
	if t.mute == muteNothing {
		t.env.judge(source, rec)
	}
}

// onError reports a record that cannot be read and goes on without it.
// Single games of a text are skipped always, records of a database whose
// files are damaged only with --keep-going (the preflight has passed then).
func (t *transfer) onError(id model.RecordID, err error) error {
	if ctxErr := t.env.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	t.faulty = true
	if t.mute == muteAll || t.games != nil && !t.games.take(id) {
		return nil
	}
	t.env.unread(messageSkipped, err)
	return nil
}

// onReading takes what a reader reports of games that it passes on. One that was cut is
// reported at once, like one that is skipped.
func (t *transfer) onReading(l model.Loss) {
	switch {
	case t.mute == muteAll:
		return
	case l.Kind != model.CutGame:
		t.env.messages.lost(l)
		return
	}
	t.env.unread(messageCut, errors.New(l.What))
}

// reportLoss takes a loss. That a few games do not refer to every name of their
// database is none.
func (t *transfer) reportLoss(l model.Loss) {
	if t.games == nil && t.where == nil || l.Kind != model.LostEntity {
		t.env.messages.lost(l)
	}
}

// summary says what was done. What was left out is among the losses.
func (t *transfer) summary(target, written string) {
	if t.env.setResult(t.counts, false) || t.flags.Quiet {
		return
	}
	line := target + ": " + written
	for _, kind := range []messageKind{messageSkipped, messageCut} {
		if n := t.env.messages.counts[kind]; n > 0 {
			line += fmt.Sprintf(", %d %s", n, kind)
		}
	}
	if t.remark != "" {
		line += "; " + t.remark
	}
	fmt.Fprintln(t.env.stderr, line) // at once, so that it can be broken
	t.env.messages.printLosses()
}
