package main

import (
	"cbkit/model"
	"fmt"

	"cbkit/write"
)

// compactCmd is "cbkit compact".
type compactCmd struct {
	DB       string   `arg:"" name:"db" help:"ChessBase database, Simple Chess Database or database of Scid."`
	Purge    bool     `help:"Remove deleted records too, and names and media that no record refers to any more; ids change."`
	DryRun   bool     `help:"Say what would be gained, and change nothing."`
	JSON     bool     `name:"json" help:"Say what was done as JSON."`
	Quiet    bool     `short:"q" help:"No progress bar, no summary."`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8." default:"1252" placeholder:"PAGE"`
	waitFlag
}

// printsOutcome implements [outcomePrinter].
func (c *compactCmd) printsOutcome() bool { return c.JSON }

// Run implements the verb.
func (c *compactCmd) Run(env *environment) error {
	var replaced model.Replacement
	bar := newProgress(env.stderr, c.Quiet || c.DryRun, -1, "compact", "games")
	r, err := write.Compact(env.ctx, c.DB, write.CompactOptions{
		Purge: c.Purge, DryRun: c.DryRun, CodePage: string(c.Codepage), Report: env.messages.lost, Damage: env.damaged, Wait: c.duration(),
		Progress: bar.set, OnReplace: func(r model.Replacement) { replaced = r },
	})
	bar.done()
	env.reportReplaced(mainFile(c.DB))(replaced)
	if err = env.done(err); err != nil {
		return targetError(mainFile(c.DB), err)
	}
	if !c.DryRun {
		env.made(madeTarget{Path: mainFile(c.DB), Format: formatOf(c.DB), Records: new(r.Records)})
	}
	if env.setResult(r, c.DryRun) || c.Quiet {
		return nil
	}
	verb := "compacted"
	if c.DryRun {
		verb = "would have"
	}
	fmt.Fprintf(env.stderr, "%s: %s: %s, %d bytes instead of %d", mainFile(c.DB), verb, plural(r.Records, "record"), r.After, r.Before)
	if r.Purged > 0 {
		fmt.Fprintf(env.stderr, ", %s removed", plural(r.Purged, "deleted record"))
	}
	fmt.Fprintln(env.stderr)
	reportDropped(env, r.DroppedBoosters, r.MadeBoosters)
	env.messages.printLosses()
	return nil
}
