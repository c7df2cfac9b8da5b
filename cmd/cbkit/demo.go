package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// sample is the demo's input: four short games with comments, variations,
// symbols, arrows, a set-up and Chess960.
//
//go:embed sample.pgn
var sample []byte

// demoCmd is "cbkit demo".
type demoCmd struct {
	Out string `arg:"" optional:"" name:"out" help:"Keep the sample's games in this PGN file."`
}

// Run implements the verb.
func (c *demoCmd) Run(env *environment) error {
	if c.Out != "" {
		if err := c.keep(env); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "cbkit-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	original, err := model.Load(env.ctx, pgn.NewReader(bytes.NewReader(sample), pgn.ReaderOptions{File: "sample.pgn"}))
	if err != nil {
		return err
	}
	fmt.Fprintf(env.text, "read    sample.pgn: %s\n", plural(len(original.List), "game"))

	path := filepath.Join(dir, "demo.cbh")
	var losses lossBook
	sink, err := write.Create(path, write.Options{Report: losses.add})
	if err != nil {
		return err
	}
	if err := model.Copy(env.ctx, sink, original, model.CopyOptions{}); err != nil {
		return err
	}
	if err := listFolder(env, dir); err != nil {
		return err
	}
	losses.print(env.stdout)
	return compareBack(env, path, original)
}

// keep writes the sample.
func (c *demoCmd) keep(env *environment) error {
	if _, err := parseTarget(c.Out, formatPGN); err != nil {
		return err
	}
	out, err := env.createText(c.Out, writeFlags{})
	if err != nil {
		return err
	}
	if _, err := out.Write(sample); err != nil {
		return targetError(c.Out, out.abort(err))
	}
	if err := out.commit(); err != nil {
		return err
	}
	fmt.Fprintf(env.text, "wrote   %s: 4 games\n", c.Out)
	return nil
}

// listFolder prints the files that were written.
func listFolder(env *environment, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(env.text, "wrote   %-12s %6d bytes\n", e.Name(), info.Size())
	}
	return nil
}

// compareBack reads the database again, compares it with what was put in, and
// shows the first game.
func compareBack(env *environment, path string, original *model.Database) error {
	db, err := read.Open(path, read.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	again, err := model.Load(env.ctx, db)
	if err != nil {
		return err
	}
	if !model.Equal(original, again) {
		return fmt.Errorf("demo: the database does not read back as the games that were written")
	}
	fmt.Fprintf(env.text, "read    demo.cbh: %s, equal to the sample\n\n", plural(len(again.List), "game"))
	_, err = env.stdout.Write(pgn.AppendGame(nil, again.List[0].Game, again.Entities()))
	return err
}
