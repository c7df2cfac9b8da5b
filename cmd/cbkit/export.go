package main

import (
	"errors"
	"fmt"
)

// exportCmd is "cbkit export".
type exportCmd struct {
	DB       string `arg:"" zip:"reads" name:"db" help:"Database to read."`
	Out      string `arg:"" name:"out" help:"File ending in .pgn or .jsonl, also with .gz or .zst; or in .parquet or .html; or - for standard output. With --format parquet, and --diagrams, a folder."`
	Format   string `help:"pgn, jsonl or parquet, where OUT does not say it." enum:",pgn,jsonl,parquet" default:"" placeholder:"FORMAT"`
	Games    string `help:"Which records: ids and ranges such as 1-50,77." placeholder:"IDS"`
	Deleted  bool   `help:"Write deleted games to PGN too. JSON Lines always has them."`
	Diagrams bool   `help:"Draw each place of a game that asks for a diagram, as an SVG file in the folder OUT."`
	pgnFlags
	tableFlags
	whereFlag
	transferFlags
}

// Run implements the verb.
func (c *exportCmd) Run(env *environment) error {
	if c.Diagrams || isPage(c.Out) && c.Format == "" {
		return c.draw(env)
	}
	to, err := c.target()
	if err == nil {
		err = env.refuseSources(to, c.DB)
	}
	if err == nil {
		err = c.checkFlags(to)
	}
	if err != nil {
		return err
	}
	t := newTransfer(env, c.transferFlags, "export", to)
	if t.where, err = c.condition(c.Deleted); err != nil {
		return err
	}
	if c.Games != "" {
		if t.games, err = parseIDs(c.Games); err != nil {
			return err
		}
	}
	src, err := t.openPart(c.DB, c.Part)
	if err != nil {
		return err
	}
	tables, err := c.tableFlags.options(t, src, c.DB)
	if err != nil {
		return errors.Join(err, src.close())
	}
	return t.run(src, to, outputOptions{deleted: c.Deleted, plain: !c.Lossless, pgnFlags: c.pgnFlags, tables: &tables})
}

// checkFlags refuses flags that mean nothing for the target.
func (c *exportCmd) checkFlags(to target) error {
	if err := c.pgnFlags.check(to.as); err != nil {
		return err
	}
	if flag := c.tableFlags.given(); flag != "" && to.as != formatParquet {
		return usageError{fmt.Errorf("%s: is for tables; give --format parquet, or a name that ends in .parquet", flag)}
	}
	return nil
}

// target is what to write. With --format the name can be any.
func (c *exportCmd) target() (target, error) {
	if c.Format != "" && c.Out != "" {
		return target{c.Out, format(c.Format)}, nil
	}
	if as := named(c.Out); as != "" && !as.IsFile() {
		return target{}, usageError{fmt.Errorf("%s: export writes .pgn, .jsonl or .parquet; give --format, or use convert", c.Out)}
	}
	return parseTarget(c.Out, formatPGN, formatJSONL, formatParquet)
}
