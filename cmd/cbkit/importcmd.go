package main

import (
	lib "cbkit"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"cbkit/write"
)

// importCmd is "cbkit import".
type importCmd struct {
	Files    []string `arg:"" zip:"sources" name:"file" help:"PGN files, or one of JSON Lines (also .gz .bz2 .zst .zip; - is standard input), or tables of games in Parquet, then the database to make."`
	Append   bool     `help:"Add the games to a database that is there."`
	KeepSite bool     `help:"Keep web addresses in the Site tag as places of tournaments."`
	targetFlags
	transferFlags
}

// Run implements the verb.
func (c *importCmd) Run(env *environment) error {
	if len(c.Files) < 2 {
		return usageError{errors.New("import needs a PGN file and the database to make")}
	}
	files, target := c.Files[:len(c.Files)-1], c.Files[len(c.Files)-1]
	if named(target).IsFile() {
		return usageError{fmt.Errorf("%s: import makes a database; use convert for other targets", target)}
	}
	if c.Append {
		target = mainFile(target)
	}
	to, err := parseTarget(target, formatChessBase, formatSimple)
	if err == nil {
		err = env.refuseSources(to, files...)
	}
	if err != nil {
		return err
	}
	t := newTransfer(env, c.transferFlags, "import", to)
	src, err := c.open(t, files)
	if err != nil {
		return err
	}
	if c.Append {
		return c.append(t, src, to)
	}
	err = t.run(src, to, outputOptions{target: c.targetFlags})
	if errors.As(err, new(thereError)) {
		err = fmt.Errorf("%w; --append adds the games to it", err)
	}
	return err
}

// append adds the records of a source to a database.
func (c *importCmd) append(t *transfer, src *input, to target) error {
	defer func() { _ = src.close() }() // it was only read
	add := func(ctx context.Context, t *transfer, ed editor) error { return t.appendTo(ctx, ed, src) }
	opt := write.EditOptions{Chess960: c.Chess960, Wait: t.flags.duration(), Boosters: c.Boosters}
	return (&editCmd{DB: to.path, Quiet: t.flags.Quiet}).edit(t, to.path, opt, []step{add})
}

// open opens the files: any number of PGN files or of tables, or one of JSON Lines.
func (c *importCmd) open(t *transfer, files []string) (*input, error) {
	if slices.Contains(files, "-") && len(files) > 1 {
		return nil, usageError{errors.New("-: standard input must be the only source")}
	}
	tables := slices.ContainsFunc(files, func(name string) bool { return named(name) == formatParquet })
	for i, name := range files {
		if clean := filepath.Clean(name); isPipe(name) && slices.ContainsFunc(files[:i], func(f string) bool { return filepath.Clean(f) == clean }) {
			return nil, usageError{fmt.Errorf("%s: is a pipe, which can be read once; name it once", name)}
		}
		switch as := named(name); {
		case tables && as != formatParquet:
			return nil, usageError{fmt.Errorf("%s: is no Parquet file as the others are; import them one after the other", name)}
		case as == formatJSONL && len(files) > 1:
			return nil, usageError{fmt.Errorf("%s: JSON Lines must be the only source", name)}
		case as != "" && as != formatPGN && as != formatJSONL && as != formatParquet:
			return nil, usageError{fmt.Errorf("%s: import reads PGN and JSON Lines; use convert for databases", name)}
		}
	}
	as := named(files[0])
	if as == "" {
		as = formatPGN // whatever it is called
	}
	return t.open(lib.Options{Format: as, KeepSite: c.KeepSite}, files...)
}
