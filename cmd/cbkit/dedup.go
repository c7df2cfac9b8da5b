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
	switch {
	case (c.DryRun || c.Near) != (c.Target == ""):
		return usageError{errors.New("dedup: name what to make, or let --dry-run list the duplicates, or --near what is almost one")}
	case c.Source == "-":
		return usageError{errors.New("dedup: standard input cannot be read twice; name a file")}
	case c.Near && (c.Unite || c.Prefer != "best"):
		return usageError{errors.New("dedup: --near makes nothing: it goes without --unite and --prefer")}
	case c.DryRun || c.Near:
		return c.list(env)
	}
	sources := []string{c.Source}
	return c.make(env, "dedup", c.Target, sources, func(t *transfer, src *input) error {
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
		list, err := compareGames(t, src, c.dedupFlags, collect.FindNear)
		if err != nil {
			return err
		}
		return listPairs(c, t, src, plural(len(list), "pair")+" of games that are almost one", list, func(n collect.Near, titles map[model.RecordID]string) gamePair {
			var plies []string
			for _, p := range n.Plies {
				plies = append(plies, fmt.Sprintf("%s, not %s", cmp.Or(p.First, "no move"), cmp.Or(p.Second, "no move")))
			}
			if n.Swapped {
				plies = []string{fmt.Sprintf("%s and %s the other way round", n.Plies[0].First, n.Plies[1].First)}
			}
			return gamePair{n.First, n.Second, "near", strings.Join(plies, "; "), struct {
				ID       any               `json:"id"` // a number or, of a folder, a string
				Near     any               `json:"near"`
				Game     string            `json:"game"`
				NearGame string            `json:"nearGame"`
				Swapped  bool              `json:"swapped,omitempty"`
				Plies    []collect.NearPly `json:"plies"`
			}{env.labelJSON(n.First), env.labelJSON(n.Second), titles[n.First], titles[n.Second], n.Swapped, n.Plies}}
		})
	}
	list, err := compareGames(t, src, c.dedupFlags, collect.Duplicates)
	if err != nil {
		return err
	}
	return listPairs(c, t, src, plural(len(list), "duplicate")+byReason(list), list, func(d collect.Duplicate, titles map[model.RecordID]string) gamePair {
		return gamePair{d.Drop, d.Keep, "is", reasonWords[d.Reason], struct {
			ID       any    `json:"id"` // a number or, of a folder, a string
			Keep     any    `json:"keep"`
			Reason   string `json:"reason"`
			Game     string `json:"game"`
			KeepGame string `json:"keepGame"`
		}{env.labelJSON(d.Drop), env.labelJSON(d.Keep), d.Reason.String(), titles[d.Drop], titles[d.Keep]}}
	})
}

// gamePair are two games that are one, or almost, and how they are listed.
type gamePair struct {
	first, second model.RecordID
	is, why       string // what the first is to the second
	json          any
}

// listPairs prints pairs of games, with a line that says what each game is, and at the end how
// many were found.
func listPairs[T any](c *dedupCmd, t *transfer, src *input, found string, list []T, pairOf func(T, map[model.RecordID]string) gamePair) error {
	titles := map[model.RecordID]string{}
	for _, one := range list {
		p := pairOf(one, titles)
		titles[p.first], titles[p.second] = "", ""
	}
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
	if err := src.Entities().Err(); err != nil {
		return err
	}
	for _, one := range list {
		p := pairOf(one, titles)
		if c.JSON {
			if err := t.env.answer(p.json); err != nil {
				return err
			}
			continue
		}
		pair := fmt.Sprintf("%7s  %s\n%7s %s  %s (%s)\n", t.env.label(p.first), oneLine(titles[p.first]), p.is, t.env.label(p.second), oneLine(titles[p.second]), p.why)
		fmt.Fprint(t.env.text, wrappedLines(t.env.text, pair))
	}
	if !c.Quiet {
		fmt.Fprintf(t.env.stderr, "%s: %s\n", c.Source, found)
	}
	return nil
}
