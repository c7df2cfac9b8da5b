package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"cbkit/ctgwrite"
	"cbkit/internal/typed"
	"cbkit/model"
	"cbkit/read"
)

// bookExportCmd is "cbkit book export".
type bookExportCmd struct {
	Book     string `arg:"" zip:"reads" help:"Book to read."`
	Out      string `arg:"" help:"What to make: .bin (Polyglot), .ctg, .pgn (a tree of variations) or .jsonl (both also .gz or .zst); - is JSON Lines on standard output."`
	From     string `help:"Begin in this position: moves from the start, such as \"e4 c5\", or a FEN. For .pgn, or of a Polyglot book." placeholder:"POSITION"`
	MaxPly   count  `help:"Of a tree: the longest line has this many plies; 0 is no limit." default:"0" placeholder:"N"`
	MinGames count  `help:"Of a tree: leave out moves with fewer games, of a Polyglot book with a smaller weight." placeholder:"N"`
	bookFlags
}

// Run implements the verb.
func (c *bookExportCmd) Run(env *environment) error {
	to := target{c.Out, named(c.Out)}
	if c.Out == "-" {
		to.as = formatJSONL
	}
	switch {
	case to.as != formatPGN && (c.MaxPly > 0 || c.MinGames > 0):
		return usageError{errors.New("--max-ply, --min-games: make a tree smaller (.pgn); cbkit book prune makes a smaller book")}
	case to.as != formatPGN && c.From != "" && formatOf(c.Book) != formatPolyglot:
		return usageError{errors.New("--from: is for a tree (.pgn), and for Polyglot books, which store no positions")}
	}
	from, err := typed.Parse(c.From)
	if err != nil {
		return usageError{err}
	}
	switch to.as {
	case formatBook, formatPolyglot:
		return env.rewriteBooks("book export", []string{c.Book}, c.Out, &from, bookWriteFlags{Memory: defaultBookMemory}, c.transfer(), 0)
	case formatJSONL, formatPGN:
	default:
		return usageError{fmt.Errorf("%s: a book is exported to .bin, .ctg, .pgn or .jsonl", c.Out)}
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
	startFrom(book, from)
	var made bookExported
	err = env.writeOutput(c.Out, c.writeFlags, func(out io.Writer) (err error) {
		bar := newProgress(env.stderr, c.Quiet, book.Positions(), "book export", "positions")
		defer bar.done()
		if to.as == formatPGN {
			made.Moves, err = ctgwrite.WritePGN(env.ctx, out, book, ctgwrite.PGNOptions{
				From: &from.End, Name: filepath.Base(c.Book), MaxPly: int(c.MaxPly), MinGames: int(c.MinGames), OnError: t.onDamage(),
			})
			if errors.Is(err, ctgwrite.ErrTree) {
				err = fmt.Errorf("%s: %w; --max-ply, --min-games and --from choose a part", c.Book, err)
			}
		} else if made.Entries, err = ctgwrite.WriteJSON(env.ctx, out, bar.entries(book, nil), t.onDamage()); err == nil {
			made.Positions, err = t.positions(book, made.Entries)
		}
		return err
	})
	if err != nil {
		return targetError(c.Out, err)
	}
	env.finish(madeTarget{Path: c.Out}, made, c.Quiet, made.String())
	return nil
}

// rewriteBooks makes a book of others: several are merged, and of one it is said what is left
// out. From is where a Polyglot book starts, nil at the start of the game.
func (env *environment) rewriteBooks(verb string, names []string, target string, from *typed.Line, options bookWriteFlags, flags transferFlags, minGames int) error {
	w, err := env.newBookWriter(verb, target, names, options, flags)
	if err != nil {
		return err
	}
	defer w.close()
	defer sparing()()
	var books []read.Book
	list, positions := make([]model.Book, len(names)), 0
	for i, name := range names {
		book, err := w.openWholeBook(name)
		if err != nil {
			return err
		}
		defer book.Close()
		if from != nil {
			startFrom(book, *from)
		}
		books, list[i] = append(books, book), book
		if n := book.Positions(); n < 0 || positions < 0 {
			positions = -1
		} else {
			positions += n
		}
	}
	if w.to.as == formatPolyglot {
		return w.writeBin(list, minGames, env.messages.lost)
	}
	return w.write(positions, func(bar *progress) (result ctgwrite.Result, err error) {
		reached := make([]int, len(books))
		for i, book := range books {
			list[i] = bar.entries(book, func(e *model.BookEntry) {
				reached[i]++
				if !e.Stats.Fits() {
					w.unfit++
				}
			})
		}
		switch verb {
		case "book merge":
			result, err = ctgwrite.Merge(env.ctx, w.to.path, list, w.options())
		case "book prune":
			result, err = ctgwrite.Prune(env.ctx, w.to.path, list[0], minGames, w.options())
		default:
			result, err = ctgwrite.Write(env.ctx, w.to.path, list[0], w.options())
		}
		err = env.done(err)
		for i, book := range books {
			if err == nil {
				_, err = w.positions(book, reached[i])
			}
		}
		return result, err
	})
}

// startFrom makes the positions of a Polyglot book those behind another one than the
// start of the game.
func startFrom(book read.Book, from typed.Line) {
	if polyglot, ok := book.(*read.Polyglot); ok {
		polyglot.StartFrom(from.End)
	}
}

// bookExported says what was written of a book.
type bookExported struct {
	Entries   int `json:"entries,omitempty"`
	Positions int `json:"positions,omitempty"`
	Moves     int `json:"moves,omitempty"`
}

// String says it in words.
func (b bookExported) String() string {
	if b.Moves > 0 {
		return "a tree of " + plural(b.Moves, "move")
	}
	return fmt.Sprintf("%s of %s", plural(b.Entries, "entry"), plural(b.Positions, "position"))
}

// positions returns how many positions a book has. Those of a Polyglot book that nothing
// in it leads to are lost where positions are wanted.
func (t *transfer) positions(book read.Book, reached int) (int, error) {
	polyglot, ok := book.(*read.Polyglot)
	if !ok {
		return book.Positions(), nil
	}
	scan, err := polyglot.Scan(t.env.ctx)
	if err != nil && !t.flags.KeepGoing {
		return 0, err
	}
	unreached := model.Loss{
		Kind: model.LostRecord, Field: "position", What: fmt.Sprintf(
			"%s: nothing in the book leads from the start there, and it stores no positions; --from begins elsewhere", polyglot.Path()),
	}
	for range scan.Positions - reached {
		t.env.messages.lost(unreached)
	}
	return scan.Positions, nil
}

// bookMergeCmd is "cbkit book merge".
type bookMergeCmd struct {
	Books []string `arg:"" zip:"sources" help:"Books, then the book to make (.ctg or .bin)."`
	bookWriteFlags
	bookFlags
}

// Run implements the verb.
func (c *bookMergeCmd) Run(env *environment) error {
	if len(c.Books) < 3 {
		return usageError{errors.New("book merge needs two books or more, and the book to make")}
	}
	names, target := c.Books[:len(c.Books)-1], c.Books[len(c.Books)-1]
	return env.rewriteBooks("book merge", names, target, nil, c.bookWriteFlags, c.transfer(), 0)
}

// bookPruneCmd is "cbkit book prune".
type bookPruneCmd struct {
	Book     string `arg:"" zip:"reads" help:"Book to read."`
	Target   string `arg:"" help:"Book to make (.ctg or .bin)."`
	MinGames count  `help:"Leave out positions with fewer games, of a Polyglot book, or for one, moves with a smaller weight." required:"" placeholder:"N"`
	bookWriteFlags
	bookFlags
}

// Run implements the verb.
func (c *bookPruneCmd) Run(env *environment) error {
	return env.rewriteBooks("book prune", []string{c.Book}, c.Target, nil, c.bookWriteFlags, c.transfer(), int(c.MinGames))
}
