package main

import (
	"fmt"

	"cbkit/collect"
	"cbkit/lines"
	"cbkit/stats"
)

// diffCmd is "cbkit diff".
type diffCmd struct {
	Old   string `arg:"" zip:"reads" help:"The first database, PGN or JSON Lines file."`
	New   string `arg:"" zip:"reads" help:"The second one."`
	Lines bool   `help:"Compare repertoires: list the lines, variations too, that one has and the other has not, by position."`
	JSON  bool   `help:"One JSON object a line." name:"json"`
	Quiet bool   `short:"q" help:"Print nothing; the exit status says whether they differ."`
	readFlags
}

// Run implements the verb.
func (c *diffCmd) Run(env *environment) error {
	if c.Old == "-" || c.New == "-" {
		return usageError{fmt.Errorf("diff: standard input cannot be read twice; name a file")}
	}
	t := &transfer{env: env, flags: transferFlags{readFlags: c.readFlags}, verb: "diff"}
	var both [2]*input
	for i, path := range []string{c.Old, c.New} {
		src, err := t.openInput(path)
		if err != nil {
			return err
		}
		defer func() { _ = src.close() }() // it was only read
		both[i] = src
	}
	if c.Lines {
		return c.lines(t, both)
	}
	bar := newReadings(env.stderr, c.Quiet, "diff", 2, both[:]...)
	changes, err := collect.Compare(env.ctx, both[0].Source, both[1].Source, t.collectOptions("the sources", bar))
	bar.done()
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, change := range changes {
		kind := change.Kind()
		counts[kind]++
		if c.Quiet {
			continue
		}
		if c.JSON {
			line := struct {
				Kind string `json:"change"`
				collect.Change
			}{kind, change}
			if err := env.answer(line); err != nil {
				return err
			}
			continue
		}
		switch kind {
		case "added":
			fmt.Fprintf(env.text, "+ record %d of %s\n", change.New, c.New)
		case "removed":
			fmt.Fprintf(env.text, "- record %d of %s\n", change.Old, c.Old)
		default:
			fmt.Fprintf(env.text, "~ record %d is record %d\n", change.Old, change.New)
		}
		for _, f := range change.Fields {
			fmt.Fprintf(env.text, "    %s: %s -> %s\n", f.Field, oneLine(f.Old), oneLine(f.New))
		}
	}
	if !c.JSON && !c.Quiet {
		fmt.Fprintf(env.text, "%d added, %d removed, %d changed\n", counts["added"], counts["removed"], counts["changed"])
	}
	return reportedIf(len(changes) > 0)
}

// lineJSON is a line that one of two repertoires has.
type lineJSON struct {
	Change string `json:"change"`
	// FEN is the last position that both have, Line leads there, and Moves from there.
	Line  string `json:"line,omitempty"`
	FEN   string `json:"fen"`
	Moves string `json:"moves"`
}

// lines prints the lines that one has and the other has not.
func (c *diffCmd) lines(t *transfer, both [2]*input) error {
	var reps [2]*lines.Repertoire
	for i, src := range both {
		var err error
		if reps[i], err = t.linesOf(src); err != nil {
			return err
		}
	}
	var counts [2]int
	for i, change := range []string{"removed", "added"} {
		for l := range reps[i].Missing(reps[1-i]) {
			if counts[i]++; c.Quiet {
				continue
			}
			line, p, err := wayTo(&l)
			if err != nil {
				return err
			}
			out := lineJSON{change, line, p.FEN(), stats.FormatLine(p, l.Moves)}
			if !c.JSON {
				fmt.Fprint(t.env.text, wrappedLines(t.env.text, fmt.Sprintf("%c %s\n", "-+"[i], joinKnown([]string{line, out.Moves}, ": "))))
			} else if err := t.env.answer(out); err != nil {
				return err
			}
		}
	}
	if !c.JSON && !c.Quiet {
		fmt.Fprintf(t.env.text, "%s of %s alone, %s of %s alone\n", plural(counts[0], "line"), c.Old, plural(counts[1], "line"), c.New)
	}
	return reportedIf(counts != [2]int{})
}
