package main

import (
	"errors"
	"fmt"
)

// exportCmd is "cbkit export".
type exportCmd struct {
	DB      string `arg:"" name:"db" help:"Database to read."`
	Out     string `arg:"" name:"out" help:"File ending in .pgn or .jsonl, also with .gz or .zst; or - for standard output."`
	Format  string `help:"pgn or jsonl, where OUT does not say it." enum:",pgn,jsonl" default:"" placeholder:"FORMAT"`
	Games   string `help:"Which records: ids and ranges such as 1-50,77." placeholder:"IDS"`
	Deleted bool   `help:"Write deleted games to PGN too. JSON Lines always has them."`
	Plain   bool   `help:"Comments in PGN for people and other programs: no commands of cbkit's own, from which it can read all annotations back."`
	transferFlags
}

// Help shows examples below the flags.
func (exportCmd) Help() string {
	return `Examples:
  cbkit export Games.cbh games.pgn
  cbkit export Games.cbh games.pgn --plain
  cbkit export Games.cbh --games 1-50,77 --format jsonl -`
}

// Run implements the verb.
func (c *exportCmd) Run(env *environment) error {
	to, err := c.target()
	if err == nil {
		err = env.refuseSources(to, c.DB)
	}
	if err == nil && c.Plain && to.as != formatPGN {
		err = usageError{errors.New("--plain: only PGN has comments for people")}
	}
	if err != nil {
		return err
	}
	t := newTransfer(env, c.transferFlags, "export", to)
	if c.Games != "" {
		if t.games, err = parseIDs(c.Games); err != nil {
			return err
		}
	}
	src, err := t.openInput(c.DB)
	if err != nil {
		return err
	}
	return t.run(src, to, outputOptions{deleted: c.Deleted, plain: c.Plain})
}

// target is what to write. With --format the name can be any.
func (c *exportCmd) target() (target, error) {
	if c.Format != "" && c.Out != "" {
		return target{c.Out, format(c.Format)}, nil
	}
	if as := named(c.Out); as != "" && !as.isText() {
		return target{}, usageError{fmt.Errorf("%s: export writes .pgn or .jsonl; give --format, or use convert", c.Out)}
	}
	return parseTarget(c.Out, formatPGN, formatJSONL)
}
