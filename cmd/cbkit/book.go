package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cbkit/board"
	"cbkit/bookexport"
	"cbkit/internal/dbfile"
	"cbkit/internal/typed"
	"cbkit/model"
	"cbkit/read"
	"cbkit/stats"
)

// bookCmd is "cbkit book" with its own verbs.
type bookCmd struct {
	Build  bookBuildCmd  `cmd:"" help:"Make a book of games."`
	Add    bookAddCmd    `cmd:"" help:"Add games to a book, in place."`
	Edit   bookEditCmd   `cmd:"" help:"Change what a book says of a position or a move, in place."`
	Probe  bookProbeCmd  `cmd:"" help:"Show what a book knows about a position."`
	Export bookExportCmd `cmd:"" help:"Write a book as JSON Lines, or as a Polyglot book."`
	Info   bookInfoCmd   `cmd:"" help:"Say how large a book is."`
	Check  bookCheckCmd  `cmd:"" help:"Look for everything that is not as the format wants it."`
	Merge  bookMergeCmd  `cmd:"" help:"Make one book of several."`
	Prune  bookPruneCmd  `cmd:"" help:"Make a book without rare positions."`
}

// openBook opens a book to look at it, and says if it is damaged, or has to be
// searched as a whole.
func (env *environment) openBook(path string) (*read.Book, error) {
	book, err := read.OpenBook(env.ctx, path)
	if err != nil {
		return nil, err
	}
	if damage := book.Damage(); damage != nil {
		env.damaged(damage)
	}
	if warning := book.Warning(); warning != nil && book.Damage() == nil {
		env.warn(warning)
	}
	return book, nil
}

// openWholeBook opens a book of which everything is taken. What is damaged must
// be asked for.
func (t *transfer) openWholeBook(path string) (*read.Book, error) {
	book, err := t.env.openBook(path)
	if err != nil {
		return nil, err
	}
	damage := book.Damage()
	if damage != nil && !t.flags.KeepGoing {
		_ = book.Close() // it was only read
		return nil, fmt.Errorf("%s: %w", path, errDamagedBook)
	}
	if damage != nil {
		t.told = append(t.told, damage.Error())
	}
	return book, nil
}

// errDamagedBook is the error of a book whose damage was told.
var errDamagedBook = errors.New("the book is damaged; --keep-going takes what can be read")

// bookProbeCmd is "cbkit book probe".
type bookProbeCmd struct {
	Book string   `arg:"" help:"Book."`
	FEN  []string `arg:"" optional:"" name:"position" help:"Moves from the start, such as e4 c5, or a FEN, of which the board suffices; none is the start of the game. Quotes may be left out."`
	JSON bool     `name:"json" help:"Print JSON."`
}

// Run implements the verb.
func (c *bookProbeCmd) Run(env *environment) error {
	line, err := typed.Parse(c.FEN...)
	if err != nil {
		return usageError{err}
	}
	book, err := env.openBook(c.Book)
	if err != nil {
		return err
	}
	defer book.Close()
	var entry *model.BookEntry
	var damage error
	for _, start := range line.Boards() {
		if entry, damage = book.Lookup(start); entry != nil {
			break
		}
		if !errors.Is(damage, model.ErrNoRecord) {
			return damage
		}
	}
	if entry == nil {
		return fmt.Errorf("%s: the position%s is not in the book", c.Book, optional(" after ", stats.FormatLine(board.Start(), line.Moves)))
	}
	if c.JSON {
		_, err = env.stdout.Write(append(bookexport.AppendJSON(nil, entry), '\n'))
	} else {
		err = bookexport.WriteTable(env.text, entry)
	}
	return errors.Join(err, damage)
}

// bookInfoCmd is "cbkit book info".
type bookInfoCmd struct {
	Book string `arg:"" help:"Book."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// bookInfo says what a book is.
type bookInfo struct {
	Path      string          `json:"path"`
	Format    string          `json:"format"`
	Games     int             `json:"games"`
	Positions int             `json:"positions"`
	Pages     int             `json:"pages"`
	Files     []read.FileInfo `json:"files"`
}

// Run implements the verb.
func (c *bookInfoCmd) Run(env *environment) error {
	book, err := env.openBook(c.Book)
	if err != nil {
		return err
	}
	defer book.Close()
	info := bookInfo{
		Path: book.Files().Path(".ctg"), Format: "ChessBase opening book",
		Games: book.Games(), Positions: book.Positions(), Pages: book.Pages(),
	}
	for _, path := range filesOf(c.Book, formatBook) {
		stat, err := os.Stat(path)
		if err != nil {
			return plainError(err)
		}
		ext := dbfile.EndingOf(path)
		what := cmp.Or(dbfile.Book.What(ext), dbfile.ChessBase.What(ext)) // settings have one ending everywhere
		info.Files = append(info.Files, read.FileInfo{Name: filepath.Base(path), Size: stat.Size(), What: what})
	}
	if c.JSON {
		return env.answer(info)
	}
	row := func(name string, value any) { fmt.Fprintf(env.text, "%-14s %v\n", name, value) }
	row("format", info.Format)
	row("games", info.Games)
	row("positions", info.Positions)
	row("pages", info.Pages)
	for _, f := range info.Files {
		row("file", fmt.Sprintf("%-24s %12d bytes  %s", f.Name, f.Size, f.What))
	}
	return nil
}

// bookCheckCmd is "cbkit book check".
type bookCheckCmd struct {
	checkCmd
}

// Run implements the verb.
func (c *bookCheckCmd) Run(env *environment) error { return c.run(env, formatBook) }

// bookExportCmd is "cbkit book export".
type bookExportCmd struct {
	Book string `arg:"" help:"Book to read."`
	Out  string `arg:"" help:"File ending in .jsonl (also .gz or .zst) or .bin (Polyglot), or - for JSON Lines on standard output."`
	bookFlags
}

// Run implements the verb.
func (c *bookExportCmd) Run(env *environment) error {
	to := target{c.Out, formatJSONL}
	polyglot := dbfile.Is(c.Out, ".bin")
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
