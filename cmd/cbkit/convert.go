package main

import (
	"fmt"

	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"
)

// transferFlags are the flags of every verb that moves records from a source
// to a sink.
type transferFlags struct {
	readFlags
	Force bool `help:"Replace a target that exists; the old one is kept until the new one is complete."`
	Quiet bool `short:"q" help:"No progress bar, no summary."`
}

// targetFlags are the flags of verbs that make a database.
type targetFlags struct {
	Layout   string `help:"Layout of a Simple Chess Database: v1 as documented, v0 as the tools of its author read it." enum:",v0,v1" default:"" placeholder:"V"`
	Chess960 bool   `name:"chess960" help:"Write Chess960 games into a Simple Chess Database, which excludes them."`
	Boosters bool   `help:"Make the search boosters of a ChessBase database too."`
}

// transfer is one run from a source to a sink.
type transfer struct {
	env     *environment
	flags   transferFlags
	verb    string
	losses  lossBook
	skipped int
}

// convertCmd is "cbkit convert".
type convertCmd struct {
	Source  string `arg:"" help:"Database, PGN or JSON Lines file; - is PGN from standard input."`
	Target  string `arg:"" help:"What to make: its ending says the format."`
	Purge   bool   `help:"Leave deleted records out."`
	Deleted bool   `help:"Write deleted games to PGN too."`
	targetFlags
	transferFlags
}

// Help shows examples below the flags.
func (convertCmd) Help() string {
	return `Examples:
  cbkit convert Games.cbh copy.cbh
  cbkit convert Games.cbh games.jsonl
  cbkit convert games.pgn.zst Games.cbh`
}

// Run implements the verb.
func (c *convertCmd) Run(env *environment) error {
	t := &transfer{env: env, flags: c.transferFlags, verb: "convert"}
	from := formatOf(c.Source)
	if c.Source == "-" {
		from = formatPGN
	}
	to := formatOf(c.Target)
	if c.Target == "-" {
		to = formatPGN
	}
	src, err := t.openInput(c.Source, from)
	if err != nil {
		return err
	}
	return t.run(src, c.Target, to, outputOptions{purge: c.Purge, deleted: c.Deleted, target: c.targetFlags})
}

// outputOptions are the choices a verb has besides the target's format.
type outputOptions struct {
	purge   bool
	deleted bool
	games   idSet
	target  targetFlags
}

// run opens the target, copies, prints the summary and closes the source.
func (t *transfer) run(src *input, target string, to format, opt outputOptions) error {
	// Whatever goes wrong in closing a file that was only read does no harm.
	defer func() { _ = src.close() }()
	dst, err := t.openOutput(target, to, opt)
	if err != nil {
		return err
	}
	if err := t.copy(dst, src, opt); err != nil {
		return err
	}
	t.summary(target, dst.Written())
	if t.skipped > 0 {
		return errReported
	}
	return nil
}

// output is a sink that tells what came out.
type output interface {
	model.Sink
	model.Counter
}

// openOutput starts a sink of any format.
func (t *transfer) openOutput(path string, as format, opt outputOptions) (output, error) {
	if as == formatBook {
		return nil, usageError{fmt.Errorf("%s: is an opening book; use cbkit book build", path)}
	}
	if as == formatChessBase || as == formatSimple {
		if path == "-" {
			return nil, usageError{fmt.Errorf("-: a database has many files and cannot go to standard output; use PGN or JSON Lines")}
		}
		sink, err := t.createDatabase(path, as, opt)
		return sink, existing(path, err)
	}
	file, err := t.env.createText(path, t.flags.Force)
	if err != nil {
		return nil, err
	}
	var sink output
	if as == formatJSONL {
		sink = jsonl.NewWriter(file, jsonl.WriterOptions{Report: t.losses.add})
	} else {
		sink = pgn.NewWriter(file, pgn.WriterOptions{Report: t.losses.add, Deleted: opt.deleted})
	}
	return &textSink{output: sink, file: file}, nil
}

// createDatabase starts a database. A copy that may leave records out is
// written afresh.
func (t *transfer) createDatabase(path string, as format, opt outputOptions) (output, error) {
	fresh := opt.purge || opt.games != nil || t.flags.KeepGoing
	if as == formatChessBase {
		return write.Create(path, write.Options{
			Force: t.flags.Force, CodePage: t.flags.Codepage, Report: t.losses.add, Fresh: fresh,
			Boosters: opt.target.Boosters,
		})
	}
	simple := write.SimpleOptions{
		Force: t.flags.Force, Report: t.losses.add, Fresh: fresh, Chess960: opt.target.Chess960,
	}
	if opt.target.Layout != "" {
		layout, err := write.ParseSimpleLayout(opt.target.Layout)
		if err != nil {
			return nil, usageError{err}
		}
		simple.Layout = layout
	}
	return write.CreateSimple(path, simple)
}

// textSink is a sink into a single file that appears on commit.
type textSink struct {
	output
	file *textFile
}

// Commit implements [model.Sink].
func (s *textSink) Commit() error {
	if err := s.output.Commit(); err != nil {
		s.file.abort()
		return err
	}
	return s.file.commit()
}

// Abort implements [model.Sink].
func (s *textSink) Abort() error {
	err := s.output.Abort()
	s.file.abort()
	return err
}

// copy moves the records, with a progress bar.
func (t *transfer) copy(dst model.Sink, src *input, opt outputOptions) error {
	bar := newProgress(t.env.stderr, t.flags.Quiet, src.Count(), t.verb)
	defer bar.done()
	return model.Copy(t.env.ctx, dst, src.Source, model.CopyOptions{
		Keep: func(r model.Record) bool {
			return (!opt.purge || !r.Deleted) && (opt.games == nil || opt.games.has(r.ID))
		},
		OnError:       t.onError,
		Progress:      func(model.RecordID) { bar.step() },
		SkipPreflight: t.flags.KeepGoing,
	})
}

// onError tells of a record that cannot be read and goes on without it.
// Single games of a text are skipped always, records of a database whose
// files are damaged only with --keep-going (the preflight has passed then).
func (t *transfer) onError(_ model.RecordID, err error) error {
	t.skipped++
	fmt.Fprintln(t.env.stderr, "cbkit: skipped:", err)
	return nil
}

// summary tells what was done. What was left out is among the losses.
func (t *transfer) summary(target string, written int) {
	if t.flags.Quiet {
		return
	}
	w := t.env.stderr
	fmt.Fprintf(w, "%s: %d records", target, written)
	if t.skipped > 0 {
		fmt.Fprintf(w, ", %d skipped", t.skipped)
	}
	fmt.Fprintln(w)
	t.losses.print(w)
}
