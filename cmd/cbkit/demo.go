package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rivo/uniseg"
)

// sample is the demo's input: four short games with comments, variations,
// symbols, arrows, a set-up and Chess960.
//
//go:embed sample.pgn
var sample []byte

// demoCmd is "cbkit demo".
type demoCmd struct {
	Out string `arg:"" optional:"" name:"out" help:"Only write the sample's games to this PGN file."`
}

// demoSteps are what the demo does, each with what it shows. A word with a dot is a
// file in the demo's folder.
var demoSteps = []struct{ about, command string }{
	{"Four games, as any program writes them, become a ChessBase database.", "import games.pgn Games.cbh"},
	{"It gets search boosters, with which questions are answered at once.", "boosters Games.cbh"},
	{"Its games become an opening book.", "book build Games.cbh Book.ctg"},
	{"Nothing was lost: the database has the games of the file.", "diff games.pgn Games.cbh"},
	{"A question: where did a knight stand on d7?", "find Games.cbh --piece nd7"},
	{"The book's answer to 1.e4:", "book probe Book.ctg 1.e4"},
	{"A game, and its position after White's twelfth move.", "show Games.cbh 1 --move 12"},
}

// Run implements the verb.
func (c *demoCmd) Run(env *environment) error {
	if c.Out != "" {
		if _, err := parseTarget(c.Out, formatPGN); err != nil {
			return err
		}
		err := env.writeOutput(c.Out, writeFlags{}, func(w io.Writer) error {
			_, err := w.Write(sample)
			return err
		})
		if err != nil {
			return targetError(c.Out, err)
		}
		_, err = fmt.Fprintf(env.text, `wrote   %s: 4 games

Try next:

  cbkit import %[1]s Games.cbh   makes a database of them
  cbkit show %[1]s 1             shows the first one
  cbkit serve %[1]s --open       shows all in your browser
  cbkit demo%s                shows more, and keeps nothing
`, c.Out, strings.Repeat(" ", uniseg.StringWidth(c.Out)))
		return err
	}
	dir, err := os.MkdirTemp("", "cbkit-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "games.pgn"), sample, 0o666); err != nil {
		return err
	}
	for _, step := range demoSteps {
		args := strings.Fields(step.command)
		for i, arg := range args {
			if named(arg) != "" {
				args[i] = filepath.Join(dir, arg)
			}
		}
		var said bytes.Buffer
		status := run(args, strings.NewReader(""), &said, &said)
		if env.ctx.Err() != nil {
			return env.ctx.Err()
		}
		text := strings.ReplaceAll(said.String(), dir+string(filepath.Separator), "")
		if _, err := fmt.Fprintf(env.text, "%s\n$ cbkit %s\n%s\n", step.about, step.command, wrappedLines(env.text, text)); err != nil {
			return err
		}
		if status != exitDone {
			return fmt.Errorf("demo: cbkit %s ended with status %d", step.command, status)
		}
	}
	_, err = fmt.Fprint(env.text, `All of it was in a temporary folder, which is gone. Try next:

  cbkit demo games.pgn               keeps the four games in a file
  cbkit import games.pgn Games.cbh   makes a database of any PGN
  cbkit serve Games.cbh --open       shows it in your browser; nothing leaves it
`)
	return err
}
