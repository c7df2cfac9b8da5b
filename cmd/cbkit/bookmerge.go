package main

import (
	"errors"

	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/read"
)

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
	w, err := env.newBookWriter("book merge", target, names, c.bookWriteFlags, c.transfer())
	if err != nil {
		return err
	}
	defer w.close()
	defer sparing()()
	var books []read.Book
	for _, name := range names {
		book, err := w.openWholeBook(name)
		if err != nil {
			return err
		}
		defer book.Close()
		books = append(books, book)
	}
	return w.writeBooks(books, 0, func(watched []model.Book) (ctgwrite.Result, error) {
		return ctgwrite.Merge(env.ctx, w.to.path, watched, w.options())
	})
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
	w, err := env.newBookWriter("book prune", c.Target, []string{c.Book}, c.bookWriteFlags, c.transfer())
	if err != nil {
		return err
	}
	defer w.close()
	defer sparing()()
	book, err := w.openWholeBook(c.Book)
	if err != nil {
		return err
	}
	defer book.Close()
	return w.writeBooks([]read.Book{book}, int(c.MinGames), func(watched []model.Book) (ctgwrite.Result, error) {
		return ctgwrite.Prune(env.ctx, w.to.path, watched[0], int(c.MinGames), w.options())
	})
}
