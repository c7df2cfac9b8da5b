package main

import (
	"errors"
	"fmt"
	"strings"

	"cbkit/model"
)

// dedupCmd is "cbkit dedup".
type dedupCmd struct {
	Source string `arg:"" zip:"reads" help:"Database, PGN or JSON Lines file; a folder is all that is in it."`
	Target string `arg:"" optional:"" help:"What to make; not with --dry-run."`
	DryRun bool   `help:"List the duplicates with the reason, and make nothing."`
	dedupFlags
	makeFlags
}

// printsOutcome implements [outcomePrinter].
func (c *dedupCmd) printsOutcome() bool { return c.JSON && !c.DryRun }

// Run implements the verb.
func (c *dedupCmd) Run(env *environment) error {
	if c.DryRun != (c.Target == "") {
		return usageError{errors.New("dedup: name what to make, or let --dry-run list the duplicates")}
	}
	if c.Source == "-" {
		return usageError{errors.New("dedup: standard input cannot be read twice; name a file")}
	}
	if c.DryRun {
		return c.list(env)
	}
	sources := []string{c.Source}
	return c.make(env, "dedup", c.Target, sources, func(t *transfer, src *input) (*input, error) {
		return t.withoutDuplicates(src, sources, c.dedupFlags)
	})
}

// list prints the duplicates.
func (c *dedupCmd) list(env *environment) error {
	t := &transfer{env: env, flags: c.transferFlags, verb: "dedup"}
	src, err := t.openInput(c.Source)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	list, err := t.findDuplicates(src, c.dedupFlags)
	if err != nil {
		return err
	}
	t.mute = muteAll
	titles := map[model.RecordID]string{} // what each of the games is
	for _, d := range list {
		titles[d.Drop], titles[d.Keep] = "", ""
	}
	for rec, err := range src.Records(env.ctx, 1, model.WantHeaders) {
		if err != nil && rec.ID == 0 {
			return err
		}
		if _, wanted := titles[rec.ID]; wanted && rec.Game != nil {
			e, g := src.Entities(), rec.Game
			event := e.Tournaments.Value(g.Tournament).Title
			if !g.Date.IsZero() {
				event += " " + g.Date.String()
			}
			titles[rec.ID] = joinKnown([]string{
				fmt.Sprintf("%v - %v", e.Players.Value(g.White), e.Players.Value(g.Black)),
				strings.TrimSpace(event), g.Result.String(), map[bool]string{true: "deleted"}[rec.Deleted],
			}, ", ")
		}
	}
	if err := src.Entities().Err(); err != nil {
		return err
	}
	for _, d := range list {
		if c.JSON {
			if err := env.answer(duplicateJSON{env.labelJSON(d.Drop), env.labelJSON(d.Keep), d.Reason.String(), titles[d.Drop], titles[d.Keep]}); err != nil {
				return err
			}
			continue
		}
		pair := fmt.Sprintf("%7s  %s\n     is %s  %s (%s)\n", env.label(d.Drop), oneLine(titles[d.Drop]), env.label(d.Keep), oneLine(titles[d.Keep]), reasonWords[d.Reason])
		fmt.Fprint(env.text, wrappedLines(env.text, pair))
	}
	if !c.Quiet {
		fmt.Fprintf(env.stderr, "%s: %s%s\n", c.Source, plural(len(list), "duplicate"), byReason(list))
	}
	return nil
}

// duplicateJSON is a duplicate as JSON.
type duplicateJSON struct {
	ID       any    `json:"id"` // a number or, of a folder, a string
	Keep     any    `json:"keep"`
	Reason   string `json:"reason"`
	Game     string `json:"game"`
	KeepGame string `json:"keepGame"`
}
