package main

import (
	"errors"
	"fmt"

	"cbkit/collect"
	"cbkit/model"
)

// stripCmd is "cbkit strip".
type stripCmd struct {
	Source      string `arg:"" zip:"reads" help:"Database, PGN or JSON Lines file; - is standard input."`
	Target      string `arg:"" help:"What to make."`
	Comments    bool   `help:"Leave out texts, with all that stands in them."`
	Variations  bool   `help:"Leave out all lines but the main one."`
	Symbols     bool   `help:"Leave out !, ?, +- and the like."`
	Graphics    bool   `help:"Leave out squares, arrows, pawn structures and paths."`
	Training    bool   `help:"Leave out training questions."`
	Clocks      bool   `help:"Leave out clocks, times spent and time controls, also as servers write them into texts, [%clk 0:03:00]."`
	Engines     bool   `help:"Leave out evaluations, [%eval 0.17] in texts too, and what matches of engines and Lichess write: +0.31/14, Mistake. Nf3 was best."`
	Media       bool   `help:"Leave out sounds, pictures, films and links."`
	Medals      bool   `help:"Leave out medals."`
	Quotations  bool   `help:"Leave out quotations of games."`
	Other       bool   `help:"Leave out all other kinds of annotations."`
	Annotations bool   `help:"Leave out all annotations: everything above but the variations."`
	Seven       bool   `help:"Leave out all tags but the seven that every PGN file has: Event, Site, Date, Round, White, Black, Result."`
	makeFlags
}

// Run implements the verb.
func (c *stripCmd) Run(env *environment) error {
	var parts collect.Parts
	for part, is := range map[collect.Parts]bool{
		collect.Comments: c.Comments, collect.Variations: c.Variations, collect.Symbols: c.Symbols,
		collect.Graphics: c.Graphics, collect.Training: c.Training, collect.Clocks: c.Clocks, collect.Engines: c.Engines,
		collect.Media: c.Media, collect.Medals: c.Medals, collect.Quotations: c.Quotations, collect.Other: c.Other,
		collect.Annotations: c.Annotations,
	} {
		if is {
			parts |= part
		}
	}
	switch {
	case parts == 0 && !c.Seven:
		return usageError{errors.New("strip: say what to leave out, such as --comments or --variations")}
	case c.Seven && formatOf(c.Target) != formatPGN && c.Target != "-":
		return usageError{fmt.Errorf("%s: --seven is for PGN: other formats have no tags", c.Target)}
	}
	c.roster = c.Seven
	return c.make(env, "strip", c.Target, []string{c.Source}, func(t *transfer, src *input) error {
		counts := &struct {
			Changed int `json:"changed"` // games that had something of it
		}{}
		if t.counts = counts; parts != 0 {
			t.remark = "nothing to leave out: no game has any of it"
		}
		src.Source = collect.Strip(src.Source, parts, func(*model.Record) { counts.Changed, t.remark = counts.Changed+1, "" })
		return nil
	})
}
