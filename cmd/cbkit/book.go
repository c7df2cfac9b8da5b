package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cbkit/board"
	"cbkit/bookexport"
	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/read"
)

// bookCmd is "cbkit book" with its own verbs.
type bookCmd struct {
	Build  bookBuildCmd  `cmd:"" help:"Make a book of games."`
	Probe  bookProbeCmd  `cmd:"" help:"Show what a book knows about a position."`
	Export bookExportCmd `cmd:"" help:"Write a book as JSON Lines, or as a Polyglot book."`
	Info   bookInfoCmd   `cmd:"" help:"Say how large a book is."`
	Check  bookCheckCmd  `cmd:"" help:"Look for everything that is not as the format wants it."`
	Merge  bookMergeCmd  `cmd:"" help:"Make one book of several."`
	Prune  bookPruneCmd  `cmd:"" help:"Make a book without rare positions."`
}

// bookBuildCmd is "cbkit book build".
type bookBuildCmd struct {
	Files      []string `arg:"" name:"games" help:"Databases, PGN or JSON Lines files, then the book to make (.ctg)."`
	MaxPly     int      `help:"Take this many plies of each game; 0 takes all." default:"0" placeholder:"N"`
	MinGames   int      `help:"Leave out positions with fewer games." placeholder:"N"`
	Variations bool     `help:"Take variations as lines of their own."`
	Player     string   `help:"Only games of this player: \"Last, First\" or the last name." placeholder:"NAME"`
	Color      string   `help:"Only games in which the player has this colour." enum:",white,black" default:"" placeholder:"COLOUR"`
	Exact      bool     `help:"Write ChessBase's own form, not the one that all programs read."`
	Memory     int      `help:"Megabytes for sorting; beyond it temporary files are used." default:"256" placeholder:"MB"`
	transferFlags
}

// Help shows examples below the flags.
func (bookBuildCmd) Help() string {
	return `Examples:
  cbkit book build Games.cbh Openings.ctg --max-ply 40
  cbkit book build a.pgn.zst b.pgn Mine.ctg --player "Tal, Mikhail" --color white`
}

// Run implements the verb.
func (c *bookBuildCmd) Run(env *environment) error {
	if len(c.Files) < 2 {
		return usageError{errors.New("book build needs games and the book to make")}
	}
	sources, target := c.Files[:len(c.Files)-1], c.Files[len(c.Files)-1]
	if !strings.EqualFold(filepath.Ext(target), ".ctg") {
		return usageError{fmt.Errorf("%s: a book's name ends in .ctg", target)}
	}
	t := &transfer{env: env, flags: c.transferFlags, verb: "book build"}
	builder := ctgwrite.NewBuilder(c.options(t))
	defer func() { _ = builder.Close() }() // temporary files only
	for _, name := range sources {
		src, err := t.openInput(name, formatOf(name))
		if err != nil {
			return err
		}
		err = builder.Add(env.ctx, src)
		_ = src.close() // it was only read
		if err != nil {
			return err
		}
	}
	result, err := builder.Write(env.ctx, target)
	if err != nil {
		return existing(target, err)
	}
	if !c.Quiet {
		fmt.Fprintf(env.stderr, "%s: %d positions of %d games in %d pages\n",
			target, result.Positions, result.Games, result.Pages)
		t.losses.print(env.stderr)
	}
	if t.skipped > 0 {
		return errReported
	}
	return nil
}

// options turns the flags into those of the builder.
func (c *bookBuildCmd) options(t *transfer) ctgwrite.BuilderOptions {
	opt := ctgwrite.BuilderOptions{
		MaxPly: c.MaxPly, MinGames: c.MinGames, Variations: c.Variations, Jobs: c.Jobs,
		Options: ctgwrite.Options{
			Exact: c.Exact, Force: c.Force, Memory: c.Memory << 20, Report: t.losses.add,
			OnError: func(err error) error { return t.onError(0, err) },
		},
	}
	if c.Player != "" {
		var colors []model.Color
		switch c.Color {
		case "white":
			colors = append(colors, model.White)
		case "black":
			colors = append(colors, model.Black)
		}
		opt.Keep = ctgwrite.PlayedBy(c.Player, colors...)
	}
	return opt
}

// existing explains the refusal of a target that exists; other errors are
// returned as they are.
func existing(target string, err error) error {
	if errors.Is(err, os.ErrExist) {
		return existsError(target)
	}
	return err
}

// openBook opens a book and says if it has to be searched as a whole.
func (env *environment) openBook(path string) (*read.Book, error) {
	book, err := read.OpenBook(env.ctx, path)
	if err == nil && book.Warning() != nil {
		fmt.Fprintln(env.stderr, "cbkit:", book.Warning())
	}
	return book, err
}

// bookProbeCmd is "cbkit book probe".
type bookProbeCmd struct {
	Book string   `arg:"" help:"Book."`
	FEN  []string `arg:"" optional:"" name:"fen" help:"Position; without one, the start of the game. Quotes may be left out."`
	JSON bool     `name:"json" help:"Print JSON."`
}

// Run implements the verb.
func (c *bookProbeCmd) Run(env *environment) error {
	start := model.StartPosition()
	if fen := strings.Join(c.FEN, " "); fen != "" && fen != "start" {
		var err error
		if start, err = board.ParseFEN(fen); err != nil {
			return usageError{err}
		}
	}
	book, err := env.openBook(c.Book)
	if err != nil {
		return err
	}
	defer book.Close()
	var entry model.BookEntry
	found, err := book.Probe(&start, &entry)
	if err == nil && found {
		err = book.Figures(&entry)
	}
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("%s: the position is not in the book", c.Book)
	case c.JSON:
		_, err = env.stdout.Write(append(bookexport.AppendJSON(nil, &entry), '\n'))
		return err
	}
	return bookexport.WriteTable(env.stdout, &entry)
}

// bookExportCmd is "cbkit book export".
type bookExportCmd struct {
	Book      string `arg:"" help:"Book to read."`
	Out       string `arg:"" help:"File ending in .jsonl or .bin (Polyglot), or - for JSON Lines on standard output."`
	Force     bool   `help:"Replace a file that exists."`
	KeepGoing bool   `help:"Go on where the book is damaged."`
}

// Run implements the verb.
func (c *bookExportCmd) Run(env *environment) error {
	polyglot := strings.EqualFold(filepath.Ext(c.Out), ".bin")
	if !polyglot && c.Out != "-" && formatOf(c.Out) != formatJSONL {
		return usageError{fmt.Errorf("%s: a book is exported to .jsonl or .bin", c.Out)}
	}
	book, err := env.openBook(c.Book)
	if err != nil {
		return err
	}
	defer book.Close()
	out, err := env.createText(c.Out, c.Force)
	if err != nil {
		return err
	}
	defer out.abort()
	t := &transfer{env: env}
	var onError func(error) error
	if c.KeepGoing {
		onError = func(err error) error { return t.onError(0, err) }
	}
	if polyglot {
		_, err = bookexport.WritePolyglot(env.ctx, out, book, bookexport.PolyglotOptions{OnError: onError})
	} else {
		_, err = bookexport.WriteJSON(env.ctx, out, book, onError)
	}
	if err == nil {
		err = out.commit()
	}
	if err == nil && t.skipped > 0 {
		return errReported
	}
	return err
}

// bookInfoCmd is "cbkit book info".
type bookInfoCmd struct {
	Book string `arg:"" help:"Book."`
}

// Run implements the verb.
func (c *bookInfoCmd) Run(env *environment) error {
	book, err := env.openBook(c.Book)
	if err != nil {
		return err
	}
	defer book.Close()
	row := func(name string, value any) { fmt.Fprintf(env.stdout, "%-14s %v\n", name, value) }
	row("format", "ChessBase opening book")
	row("games", book.Games())
	row("positions", book.Positions())
	row("pages", book.Pages())
	for _, ext := range book.Files().Endings() {
		stat, err := os.Stat(book.Files().Path(ext))
		if err != nil {
			return plainError(err)
		}
		row("file", fmt.Sprintf("%-24s %12d bytes", book.Files().Name(ext), stat.Size()))
	}
	return nil
}

// bookCheckCmd is "cbkit book check".
type bookCheckCmd struct {
	checkCmd
}

// Run implements the verb.
func (c *bookCheckCmd) Run(env *environment) error { return c.run(env, formatBook) }

// bookMergeCmd is "cbkit book merge".
type bookMergeCmd struct {
	Books []string `arg:"" help:"Books, then the book to make."`
	Exact bool     `help:"Write ChessBase's own form, not the one that all programs read."`
	Force bool     `help:"Replace a book that exists."`
}

// Run implements the verb.
func (c *bookMergeCmd) Run(env *environment) error {
	if len(c.Books) < 3 {
		return usageError{errors.New("book merge needs two books or more, and the book to make")}
	}
	names, target := c.Books[:len(c.Books)-1], c.Books[len(c.Books)-1]
	var books []model.Book
	for _, name := range names {
		book, err := env.openBook(name)
		if err != nil {
			return err
		}
		defer book.Close()
		books = append(books, book)
	}
	result, err := ctgwrite.Merge(env.ctx, target, books, ctgwrite.Options{Exact: c.Exact, Force: c.Force})
	return env.bookWritten(target, result, err)
}

// bookPruneCmd is "cbkit book prune".
type bookPruneCmd struct {
	Book     string `arg:"" help:"Book to read."`
	Target   string `arg:"" help:"Book to make."`
	MinGames int    `help:"Leave out positions with fewer games." required:"" placeholder:"N"`
	Exact    bool   `help:"Write ChessBase's own form, not the one that all programs read."`
	Force    bool   `help:"Replace a book that exists."`
}

// Run implements the verb.
func (c *bookPruneCmd) Run(env *environment) error {
	book, err := env.openBook(c.Book)
	if err != nil {
		return err
	}
	defer book.Close()
	result, err := ctgwrite.Prune(env.ctx, c.Target, book, c.MinGames, ctgwrite.Options{Exact: c.Exact, Force: c.Force})
	return env.bookWritten(c.Target, result, err)
}

// bookWritten tells what was written, or why it was not.
func (env *environment) bookWritten(target string, result ctgwrite.Result, err error) error {
	if err != nil {
		return existing(target, err)
	}
	_, err = fmt.Fprintf(env.stderr, "%s: %d positions of %d games in %d pages\n",
		target, result.Positions, result.Games, result.Pages)
	return err
}
