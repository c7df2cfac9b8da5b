package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cbkit/board"
	"cbkit/ctgwrite"
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
	Export bookExportCmd `cmd:"" help:"Write a book in another form: .bin (Polyglot), .ctg, JSON Lines, or PGN, a tree of variations."`
	Info   bookInfoCmd   `cmd:"" help:"Say how large a book is."`
	Check  bookCheckCmd  `cmd:"" help:"Look for everything that is not as the format wants it."`
	Merge  bookMergeCmd  `cmd:"" help:"Make one book of several."`
	Prune  bookPruneCmd  `cmd:"" help:"Make a book without rare positions."`
}

// openBook opens a book to look at it, and says if it is damaged, or has to be
// searched as a whole.
func (env *environment) openBook(path string) (read.Book, error) {
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
func (t *transfer) openWholeBook(path string) (read.Book, error) {
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
		t.reportedDamage = append(t.reportedDamage, damage.Error())
	}
	return book, nil
}

// errDamagedBook is the error of a book whose damage was reported.
var errDamagedBook = errors.New("the book is damaged; --keep-going takes what can be read")

// bookProbeCmd is "cbkit book probe".
type bookProbeCmd struct {
	Book string   `arg:"" zip:"reads" help:"Book."`
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
		_, err = env.stdout.Write(append(ctgwrite.AppendJSON(nil, entry), '\n'))
	} else {
		err = ctgwrite.WriteTable(env.text, entry)
	}
	return errors.Join(err, damage)
}

// bookInfoCmd is "cbkit book info".
type bookInfoCmd struct {
	Book string `arg:"" zip:"reads" help:"Book."`
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
	if polyglot, ok := book.(*read.Polyglot); ok {
		return c.polyglot(env, polyglot)
	}
	chessBase := book.(*read.CTG)
	info := bookInfo{
		Path: chessBase.Files().Path(".ctg"), Format: "ChessBase opening book",
		Games: book.Games(), Positions: book.Positions(), Pages: chessBase.Pages(),
	}
	for _, path := range filesOf(info.Path, formatBook) {
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
	env.row("format", info.Format)
	env.row("games", info.Games)
	env.row("positions", info.Positions)
	env.row("pages", info.Pages)
	env.rowsOfFiles(info.Files)
	return nil
}

// row prints what there is to say of something, behind what it is.
func (env *environment) row(name string, value any) { fmt.Fprintf(env.text, "%-14s %v\n", name, value) }

// rowsOfFiles prints the files of a book.
func (env *environment) rowsOfFiles(list []read.FileInfo) {
	for _, f := range list {
		env.row("file", fmt.Sprintf("%-16s %12d  %s", f.Name, f.Size, f.What))
	}
}

// polyglotInfo says what a Polyglot book is.
type polyglotInfo struct {
	Path      string          `json:"path"`
	Format    string          `json:"format"`
	Moves     int             `json:"moves"`
	Positions int             `json:"positions"`
	Unplayed  int             `json:"unplayed"`
	Learned   int             `json:"learned"`
	Files     []read.FileInfo `json:"files"`
}

// polyglot describes a Polyglot book, which is read as a whole.
func (c *bookInfoCmd) polyglot(env *environment, book *read.Polyglot) error {
	scan, damage := book.Scan(env.ctx)
	if damage != nil && !errors.Is(damage, model.ErrCorrupt) && !errors.Is(damage, model.ErrTruncated) {
		return damage
	}
	if book.Damage() == nil && damage != nil {
		env.damaged(damage)
	}
	file := read.FileInfo{Name: filepath.Base(c.Book), Size: env.sizeOf(c.Book), What: "moves of positions"}
	info := polyglotInfo{
		Path: book.Path(), Format: "Polyglot opening book", Moves: scan.Entries, Positions: scan.Positions,
		Unplayed: scan.Unplayed, Learned: scan.Learned, Files: []read.FileInfo{file},
	}
	if c.JSON {
		return env.answer(info)
	}
	env.row("format", info.Format)
	env.row("moves", info.Moves)
	env.row("positions", info.Positions)
	env.row("weight 0", info.Unplayed)
	env.row("learned", info.Learned)
	env.rowsOfFiles(info.Files)
	return nil
}

// bookCheckCmd is "cbkit book check".
type bookCheckCmd struct {
	checkCmd
}

// Run implements the verb.
func (c *bookCheckCmd) Run(env *environment) error {
	if formatOf(c.Path) == formatPolyglot {
		return c.run(env, formatPolyglot)
	}
	c.Path = bookFile(c.Path)
	return c.run(env, formatBook)
}
