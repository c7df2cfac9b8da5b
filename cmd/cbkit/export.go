package main

import "fmt"

// exportCmd is "cbkit export".
type exportCmd struct {
	DB      string `arg:"" name:"db" help:"Database to read."`
	Out     string `arg:"" name:"out" help:"File ending in .pgn or .jsonl, or - for standard output."`
	Format  string `help:"pgn or jsonl, where OUT does not say it." enum:",pgn,jsonl" default:"" placeholder:"FORMAT"`
	Games   string `help:"Which records: ids and ranges such as 1-50,77." placeholder:"IDS"`
	Deleted bool   `help:"Write deleted games to PGN too. JSON Lines always has them."`
	transferFlags
}

// Help shows examples below the flags.
func (exportCmd) Help() string {
	return `Examples:
  cbkit export Games.cbh games.pgn
  cbkit export Games.cbh --games 1-50,77 --format jsonl -`
}

// Run implements the verb.
func (c *exportCmd) Run(env *environment) error {
	to := format(c.Format)
	if to == "" {
		to = formatOf(c.Out)
		if c.Out == "-" {
			to = formatPGN
		}
	}
	if to != formatPGN && to != formatJSONL {
		return usageError{fmt.Errorf("%s: export writes .pgn or .jsonl; give --format, or use convert", c.Out)}
	}
	opt := outputOptions{deleted: c.Deleted}
	if c.Games != "" {
		games, err := parseIDs(c.Games)
		if err != nil {
			return err
		}
		opt.games = games
	}
	t := &transfer{env: env, flags: c.transferFlags, verb: "export"}
	src, err := t.openInput(c.DB, formatOf(c.DB))
	if err != nil {
		return err
	}
	return t.run(src, c.Out, to, opt)
}
