package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"cbkit/collect"
	"cbkit/model"
)

// dedupCmd is "cbkit dedup".
type dedupCmd struct {
	Source string `arg:"" zip:"reads" help:"Database, PGN or JSON Lines file; a folder is all that is in it."`
	Target string `arg:"" optional:"" help:"What to make; not with --dry-run or --near."`
	DryRun bool   `help:"List the duplicates with the reason, and make nothing." xor:"list"`
	Near   bool   `help:"List games of the same players and date whose moves differ in one or two plies, and make nothing." xor:"list"`
	dedupFlags
	makeFlags
}

// printsOutcome implements [outcomePrinter].
func (c *dedupCmd) printsOutcome() bool { return c.JSON && !c.DryRun && !c.Near }

// Run implements the verb.
func (c *dedupCmd) Run(env *environment) error {
	if (c.DryRun || c.Near) != (c.Target == "") {
		return usageError{errors.New("dedup: name what to make, or let --dry-run list the duplicates, or --near what is almost one")}
	}
	if c.Source == "-" {
		return usageError{errors.New("dedup: standard input cannot be read twice; name a file")}
	}
	if c.Near && (c.Unite || c.Prefer != "best") {
		return usageError{errors.New("dedup: --near makes nothing: it goes without --unite and --prefer")}
	}
	if c.DryRun || c.Near {
		return c.list(env)
	}
	sources := []string{c.Source}
	return c.make(env, "dedup", c.Target, sources, func(t *transfer, src *input) (*input, error) {
		return t.withoutDuplicates(src, sources, c.dedupFlags)
	})
}

// list prints the duplicates, or the games that are near.
func (c *dedupCmd) list(env *environment) error {
	t := &transfer{env: env, flags: c.transferFlags, verb: "dedup"}
	src, err := t.openInput(c.Source)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	if c.Near {
		return c.listNear(t, src)
	}
	list, err := compareGames(t, src, c.dedupFlags, collect.Duplicates)
	if err != nil {
		return err
	}
	titles := map[model.RecordID]string{}
	for _, d := range list {
		titles[d.Drop], titles[d.Keep] = "", ""
	}
	if err := t.entitle(src, titles); err != nil {
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

// listNear prints the games that are near.
func (c *dedupCmd) listNear(t *transfer, src *input) error {
	env := t.env
	list, err := compareGames(t, src, c.dedupFlags, collect.FindNear)
	if err != nil {
		return err
	}
	titles := map[model.RecordID]string{}
	for _, n := range list {
		titles[n.First], titles[n.Second] = "", ""
	}
	if err := t.entitle(src, titles); err != nil {
		return err
	}
	for _, n := range list {
		if c.JSON {
			if err := env.answer(nearJSON{env.labelJSON(n.First), env.labelJSON(n.Second), titles[n.First], titles[n.Second], n.Swapped, n.Plies}); err != nil {
				return err
			}
			continue
		}
		var plies []string
		for _, p := range n.Plies {
			plies = append(plies, fmt.Sprintf("%s, not %s", cmp.Or(p.First, "no move"), cmp.Or(p.Second, "no move")))
		}
		if n.Swapped {
			plies = []string{fmt.Sprintf("%s and %s the other way round", n.Plies[0].First, n.Plies[1].First)}
		}
		pair := fmt.Sprintf("%7s  %s\n   near %s  %s (%s)\n", env.label(n.First), oneLine(titles[n.First]), env.label(n.Second), oneLine(titles[n.Second]), strings.Join(plies, "; "))
		fmt.Fprint(env.text, wrappedLines(env.text, pair))
	}
	if !c.Quiet {
		fmt.Fprintf(env.stderr, "%s: %s of games that are almost one\n", c.Source, plural(len(list), "pair"))
	}
	return nil
}

// entitle says in a line what each of some games is.
func (t *transfer) entitle(src *input, titles map[model.RecordID]string) error {
	t.mute = muteAll
	for rec, err := range src.Records(t.env.ctx, 1, model.WantHeaders) {
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
	return src.Entities().Err()
}

// nearJSON are two games that are almost one as JSON.
type nearJSON struct {
	ID       any               `json:"id"` // a number or, of a folder, a string
	Near     any               `json:"near"`
	Game     string            `json:"game"`
	NearGame string            `json:"nearGame"`
	Swapped  bool              `json:"swapped,omitempty"`
	Plies    []collect.NearPly `json:"plies"`
}

// duplicateJSON is a duplicate as JSON.
type duplicateJSON struct {
	ID       any    `json:"id"` // a number or, of a folder, a string
	Keep     any    `json:"keep"`
	Reason   string `json:"reason"`
	Game     string `json:"game"`
	KeepGame string `json:"keepGame"`
}
