package main

import (
	"errors"
	"fmt"
	"slices"
)

// importCmd is "cbkit import".
type importCmd struct {
	Files    []string `arg:"" name:"file" help:"PGN files (.pgn, also .gz .bz2 .zst; - is standard input), then the database to make."`
	KeepSite bool     `help:"Keep web addresses in the Site tag as places of tournaments."`
	targetFlags
	transferFlags
}

// Help shows examples below the flags.
func (importCmd) Help() string {
	return `Examples:
  cbkit import games.pgn Games.cbh
  cbkit import lichess_db.pgn.zst club.pgn Games.cbh
  zcat games.pgn.gz | cbkit import - Games.cbh`
}

// Run implements the verb.
func (c *importCmd) Run(env *environment) error {
	if len(c.Files) < 2 {
		return usageError{errors.New("import needs a PGN file and the database to make")}
	}
	files, target := c.Files[:len(c.Files)-1], c.Files[len(c.Files)-1]
	to := formatOf(target)
	if to != formatChessBase && to != formatSimple {
		return usageError{fmt.Errorf("%s: import makes a database; use convert for other targets", target)}
	}
	if slices.Contains(files, "-") && len(files) > 1 {
		return usageError{errors.New("-: standard input must be the only source")}
	}
	t := &transfer{env: env, flags: c.transferFlags, verb: "import"}
	src, err := t.openPGN(files, c.KeepSite)
	if err != nil {
		return err
	}
	return t.run(src, target, to, outputOptions{target: c.targetFlags})
}
