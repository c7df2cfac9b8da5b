package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"cbkit/bookexport"
	"cbkit/read"
)

// bookExportCmd is "cbkit book export".
type bookExportCmd struct {
	Book string `arg:"" help:"Book to read."`
	Out  string `arg:"" help:"File ending in .jsonl (also .gz or .zst) or .bin (Polyglot), or - for JSON Lines on standard output."`
	bookFlags
}

// Run implements the verb.
func (c *bookExportCmd) Run(env *environment) error {
	to := target{c.Out, formatJSONL}
	polyglot := strings.EqualFold(filepath.Ext(c.Out), ".bin")
	if !polyglot && c.Out != "-" && named(c.Out) != formatJSONL {
		return usageError{fmt.Errorf("%s: a book is exported to .jsonl or .bin", c.Out)}
	}
	if err := env.refuseSources(to, c.Book); err != nil {
		return err
	}
	t := newTransfer(env, c.transfer(), "book export", to)
	book, err := t.openWholeBook(c.Book)
	if err != nil {
		return err
	}
	defer book.Close()
	out, err := env.createText(c.Out, c.writeFlags)
	if err != nil {
		return err
	}
	entries, err := t.exportBook(out, book, polyglot)
	if err == nil {
		err = out.commit()
	}
	if err != nil {
		return targetError(c.Out, out.abort(err))
	}
	env.making = ""
	env.made(madeTarget{Path: c.Out})
	if !env.account(struct {
		Entries   int `json:"entries"`
		Positions int `json:"positions"`
	}{entries, book.Positions()}, false) && !c.Quiet {
		fmt.Fprintf(env.stderr, "%s: %s of %s\n", c.Out, plural(entries, "entry"), plural(book.Positions(), "position"))
	}
	return nil
}

// exportBook writes the entries of a book, with a progress bar.
func (t *transfer) exportBook(out io.Writer, book *read.Book, polyglot bool) (int, error) {
	bar := newProgress(t.env.stderr, t.flags.Quiet, book.Positions(), "book export", "positions")
	defer bar.done()
	if polyglot {
		return bookexport.WritePolyglot(t.env.ctx, out, bar.entries(book, nil), bookexport.PolyglotOptions{OnError: t.onDamage()})
	}
	return bookexport.WriteJSON(t.env.ctx, out, bar.entries(book, nil), t.onDamage())
}
