package main

import (
	"errors"
	"fmt"

	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/read"
)

// bookAddCmd is "cbkit book add".
type bookAddCmd struct {
	Book  string   `arg:"" help:"Book to change in place."`
	Files []string `arg:"" zip:"reads" name:"games" help:"Databases, PGN or JSON Lines files (- is standard input), tables of games (.parquet)."`
	bookGamesFlags
	Memory count `help:"Megabytes of memory to use; beyond it temporary files are used; 0 is 32." default:"32" placeholder:"MB"`
	changeFlags
	readFlags
}

// Run implements the verb.
func (c *bookAddCmd) Run(env *environment) error {
	if err := c.refuse(); err != nil {
		return err
	}
	sources, err := expand(c.Files)
	if err != nil {
		return err
	}
	w, err := env.newBookEditor("book add", c.Book, c.changeFlags, c.readFlags)
	if err != nil {
		return err
	}
	if err := env.refuseSources(w.to, sources...); err != nil {
		return err
	}
	w.book.Memory = c.Memory
	defer sparing()()
	return w.change(c.changeFlags, func(ed *ctgwrite.Editor) error {
		builder := ed.NewBuilder(c.options(w))
		defer func() { _ = builder.Close() }() // temporary files only
		if err := c.addSources(w, builder, sources); err != nil {
			return err
		}
		bar := newProgress(env.stderr, c.Quiet, -1, "book add", "positions")
		defer bar.done()
		w.progress = bar
		return ed.Add(env.ctx, builder)
	})
}

// inPlaceOfChange says what to do with a book that is not changed in place.
var inPlaceOfChange = map[string]string{
	"book add":  "make one of the new games (cbkit book build) and put both together (cbkit book merge)",
	"book edit": "make a .ctg of it (cbkit book export), edit that, and export it as .bin",
}

// newBookEditor begins a verb that changes a book in place.
func (env *environment) newBookEditor(verb, name string, flags changeFlags, reading readFlags) (*bookWriter, error) {
	if named(name) == formatPolyglot {
		return nil, usageError{fmt.Errorf("%s: a Polyglot book is not changed in place; %s", name, inPlaceOfChange[verb])}
	}
	if _, err := read.FindBook(nil, name); named(name) == "" && errors.Is(err, model.ErrNotDatabase) {
		return nil, err
	}
	to, err := parseTarget(bookFile(name), formatBook)
	if err != nil {
		return nil, err
	}
	w := &bookWriter{transfer: transfer{env: env, verb: verb, to: formatBook, temp: tempFolder(to.path)}, to: to}
	w.flags.readFlags, w.flags.Quiet = reading, flags.Quiet
	return w, nil
}

// change changes a book in one transaction, and says what was done.
func (w *bookWriter) change(f changeFlags, do func(*ctgwrite.Editor) error) error {
	ed, err := ctgwrite.Edit(w.env.ctx, w.to.path, ctgwrite.EditOptions{Report: w.env.messages.lost, Wait: f.duration(), DryRun: f.DryRun})
	if err != nil {
		return targetError(w.to.path, err)
	}
	w.env.making = w.to.path
	var result ctgwrite.EditResult
	if err = do(ed); err == nil && f.DryRun {
		result, err = ed.DryRun()
	} else if err == nil {
		err = ed.Commit()
		result = ed.Result()
	}
	if err = errors.Join(err, w.env.done(ed.Close())); errors.Is(err, ctgwrite.ErrNothingRead) {
		return nothingRead(w.to.path)
	} else if err != nil {
		return targetError(w.to.path, err)
	}
	w.env.making = ""
	if !f.DryRun {
		w.env.made(madeTarget{Path: mainFile(w.to.path), Format: formatBook})
	}
	if w.env.setResult(result, f.DryRun) || f.Quiet {
		return nil
	}
	verb := "changed"
	if f.DryRun {
		verb = "would change"
	}
	fmt.Fprintf(w.env.stderr, "%s: %s: %s\n", mainFile(w.to.path), verb, countedWords([]countedWord{
		{result.Games, inNumber(result.Games, "game") + " added"}, {result.Added, inNumber(result.Added, "position") + " added"},
		{result.Changed, inNumber(result.Changed, "position") + " changed"}, {result.Removed, inNumber(result.Removed, "position") + " removed"},
		{result.Pages, "more " + inNumber(result.Pages, "page")},
	}))
	w.env.messages.printLosses()
	return nil
}
