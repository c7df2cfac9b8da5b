package main

import (
	"errors"

	"cbkit/ctgwrite"
	"cbkit/internal/namepattern"
	"cbkit/model"
)

// bookBuildCmd is "cbkit book build".
type bookBuildCmd struct {
	Files    []string `arg:"" name:"games" help:"Databases, PGN or JSON Lines files (- is standard input), tables of games or of counted positions (.parquet), then the book to make (.ctg)."`
	MinGames count    `help:"Leave out positions with fewer games." placeholder:"N"`
	bookGamesFlags
	bookWriteFlags
	transferFlags
}

// bookGamesFlags say which games make a book, and how much of them.
type bookGamesFlags struct {
	MaxPly     count  `help:"Take this many plies of each game; 0 takes all." default:"0" placeholder:"N"`
	Variations bool   `help:"Take variations as lines of their own."`
	Player     string `help:"Only games of this player: Tal, \"Mikhail Tal\", \"Tal,M\", \"Tal*\"; of several who fit, those of all, and they are named." placeholder:"NAME"`
	Color      string `help:"Only games in which the player has this colour; with --player." enum:",white,black" default:"" placeholder:"COLOUR"`
}

// refuse returns an error if the flags mean nothing.
func (c bookGamesFlags) refuse() error {
	if c.Color != "" && c.Player == "" {
		return usageError{errors.New("--color is the colour of the player that --player names")}
	}
	return nil
}

// addSources adds the games of all sources to a builder.
func (c bookGamesFlags) addSources(w *bookWriter, builder *ctgwrite.Builder, sources []string) error {
	w.reading = w.env.newFilesProgress(w.flags.Quiet, sources, w.verb)
	defer w.reading.done()
	for _, source := range sources {
		if err := c.addSource(w, builder, source); err != nil {
			return w.unreadable(err)
		}
	}
	if c.Player == "" {
		return nil
	}
	return w.picked.tell(w)
}

// Run implements the verb.
func (c *bookBuildCmd) Run(env *environment) error {
	if len(c.Files) < 2 {
		return usageError{errors.New("book build needs games and the book to make")}
	}
	if err := c.refuse(); err != nil {
		return err
	}
	sources, err := expand(c.Files[:len(c.Files)-1])
	if err != nil {
		return err
	}
	name := c.Files[len(c.Files)-1]
	w, err := env.newBookWriter("book build", name, sources, c.bookWriteFlags, c.transferFlags)
	if err != nil {
		return err
	}
	defer w.close()
	opt := c.options(w)
	opt.MinGames = int(c.MinGames)
	builder := ctgwrite.NewBuilder(opt)
	defer func() { _ = builder.Close() }() // temporary files only
	if err := c.addSources(w, builder, sources); err != nil {
		return err
	}
	return w.write("positions", -1, func(bar *progress) (ctgwrite.Result, error) {
		w.progress = bar
		return builder.Write(env.ctx, w.to.path)
	})
}

// addGames adds the games of a source to a book.
func (w *bookWriter) addGames(builder *ctgwrite.Builder, source string) error {
	src, err := w.openInput(source)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	bar := w.reading
	defer bar.of(w.env.sizeOf(source), func() (done, total int64) { return model.ProgressOf(src.Source) })()
	defer func() { w.picked.leave(src.Entities()) }()
	return builder.Add(w.env.ctx, bar.records(src.Source, func(rec *model.Record, err error) {
		switch {
		case err == nil:
			w.env.judge(src.name, rec)
		case rec.ID == 0:
			w.whole = err
		}
	}))
}

// options turns the flags into those of the builder.
func (c bookGamesFlags) options(w *bookWriter) ctgwrite.BuilderOptions {
	opt := ctgwrite.BuilderOptions{
		MaxPly: int(c.MaxPly), Variations: c.Variations, Jobs: int(w.flags.Jobs), Options: w.options(),
	}
	// Games that cannot be read are told of, and left out, as in a conversion.
	opt.OnError = func(err error) error {
		if w.whole != nil {
			return w.whole
		}
		return w.onError(0, err)
	}
	if c.Player != "" {
		w.picked = &pickedPlayers{
			name: c.Player, color: c.Color, meant: namepattern.NewPlayers(c.Player), similar: namepattern.NewSimilar(c.Player),
		}
		opt.Keep = w.picked.keep
	}
	return opt
}
