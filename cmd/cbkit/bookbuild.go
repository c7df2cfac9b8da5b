package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"cbkit/ctgwrite"
	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/read"
)

// bookBuildCmd is "cbkit book build".
type bookBuildCmd struct {
	Files    []string `arg:"" zip:"sources" name:"games" help:"Databases, PGN or JSON Lines files (- is standard input), tables of games (.parquet), then the book to make (.ctg or .bin)."`
	MinGames count    `help:"Leave out positions with fewer games." placeholder:"N"`
	bookGamesFlags
	bookWriteFlags
	transferFlags
}

// bookGamesFlags say which games make a book, and how much of them.
type bookGamesFlags struct {
	MaxPly     count  `help:"Take this many plies of each game; 0 takes all." default:"0" placeholder:"N"`
	Variations bool   `help:"Take variations as lines of their own."`
	Player     string `help:"Only games of this player: Tal, \"Mikhail Tal\", \"Tal,M\", \"Tal*\", #17; of several who fit, those of all, and they are named." placeholder:"NAME"`
	Color      string `help:"Only games in which the player has this colour; with --player." enum:",white,black" default:"" placeholder:"COLOUR"`
	whereFlag
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
	var err error
	if w.where, err = c.condition(false); err != nil {
		return err
	}
	bar := w.env.newFilesProgress(w.flags.Quiet, sources, w.verb)
	defer bar.done()
	for _, source := range sources {
		if err := w.addGames(builder, source, bar); err != nil {
			return err
		}
	}
	if err := w.env.checkMatches(); err != nil || c.Player == "" {
		return err
	}
	return w.picked.report(w.env, w.flags.Quiet)
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
	defer sparing()()
	opt := c.options(w)
	opt.MinGames = int(c.MinGames)
	builder := ctgwrite.NewBuilder(opt)
	defer func() { _ = builder.Close() }() // temporary files only
	if err := c.addSources(w, builder, sources); err != nil {
		return err
	}
	if w.to.as == formatPolyglot {
		return w.buildBin(builder)
	}
	return w.write(-1, func(bar *progress) (ctgwrite.Result, error) {
		w.progress = bar
		return builder.Write(env.ctx, w.to.path)
	})
}

// buildBin makes a Polyglot book of games, by way of a .ctg that is removed: that has the
// figures which the weights come from.
func (w *bookWriter) buildBin(builder *ctgwrite.Builder) error {
	dir, err := os.MkdirTemp(w.temp, ".cbkit-book-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "Book.ctg")
	bar := newProgress(w.env.stderr, w.flags.Quiet, -1, w.verb, "positions")
	w.progress = bar
	result, err := builder.Write(w.env.ctx, path)
	bar.done()
	if errors.Is(err, ctgwrite.ErrNothingRead) {
		return nothingRead(w.to.path)
	} else if err != nil {
		return targetError(w.to.path, err)
	}
	book, err := read.OpenBookFS(w.env.ctx, os.DirFS(dir), filepath.Base(path)) // which nobody changes
	if err != nil {
		return err
	}
	defer book.Close()
	if !w.flags.Quiet {
		w.reportOnce(result)
	}
	return w.writeBin([]model.Book{book}, 0, func(model.Loss) {}) // games have no figures that are lost
}

// addGames adds the games of a source to a book.
func (w *bookWriter) addGames(builder *ctgwrite.Builder, source string, bar *progress) error {
	src, err := w.openInput(source)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
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
	// Games that cannot be read are reported, and left out, as in a conversion.
	opt.OnError = func(err error) error {
		if w.whole != nil {
			return w.whole
		}
		return w.onError(0, err)
	}
	if w.picked = newPickedPlayers(c.Player, c.Color); w.picked != nil {
		opt.Keep = w.picked.keep
	}
	return opt
}

// pickedPlayers are those whose games make a book or a tree; nil is all.
type pickedPlayers struct {
	name, color string // as given; the colour may be ""
	meant       *namepattern.Players
	players     []string // who has games in the book
	// known says that a player in the sources is meant; similar has those who are
	// not.
	known   bool
	similar *namepattern.Similar
}

// newPickedPlayers returns the players whom a name means, nil for "", which is all.
func newPickedPlayers(name, color string) *pickedPlayers {
	if name == "" {
		return nil
	}
	return &pickedPlayers{name: name, color: color, meant: namepattern.NewPlayers(name), similar: namepattern.NewSimilar(name)}
}

// games leaves of a source the games of these players, and texts.
func (p *pickedPlayers) games(src model.Source) model.Source {
	if p == nil {
		return src
	}
	return &watchedSource{Source: src, take: func(rec *model.Record, err error) bool {
		return err != nil || rec.Game == nil || p.keep(rec.Game, src.Entities())
	}}
}

// maxPicked is how many players are kept in mind, to be named.
const maxPicked = 100

// keep reports whether a game is one of theirs.
func (p *pickedPlayers) keep(g *model.Game, e *model.Entities) bool {
	white, black := p.color != "black" && p.meant.Has(e, g.White), p.color != "white" && p.meant.Has(e, g.Black)
	if white {
		p.note(e.Players.Value(g.White))
	}
	if black {
		p.note(e.Players.Value(g.Black))
	}
	return white || black
}

func (p *pickedPlayers) note(player model.Player) {
	if len(p.players) == maxPicked {
		return
	}
	if name := player.String(); !slices.Contains(p.players, name) {
		p.players = append(p.players, name)
	}
}

// leave looks at the players of a source that was read, for what to say if no game
// is taken. No player was picked if p is nil.
func (p *pickedPlayers) leave(e *model.Entities) {
	if p == nil || len(p.players) > 0 {
		return
	}
	p.known = p.known || isKnown(p.name, e)
	for name := range playersOf(e) {
		p.similar.Add(name)
	}
}

// report says who they are if there are several, and returns an error if there is none.
func (p *pickedPlayers) report(env *environment, quiet bool) error {
	switch n := len(p.players); {
	case n == 0 && p.known:
		return fmt.Errorf("--player: %s has no game here%s", p.name, optional(" as ", p.color))
	case n == 0:
		return fmt.Errorf("--player: %s", noSuchName("player", p.name, p.similar.Names()))
	case n > 1 && !quiet:
		fmt.Fprintf(env.stderr, "%q means %s\n", p.name, oneLine(fewNames(p.players, "players")))
	}
	return nil
}
