package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"cbkit/internal/lifecycle"
	"cbkit/lines"
	"cbkit/model"
)

// treeCmd is "cbkit tree".
type treeCmd struct {
	Paths          []string `arg:"" zip:"sources" name:"games… out" help:"Databases or files of any formats, and last what to make; with --forks and --novelties games alone."`
	Player         string   `help:"Only games of this player: Tal, \"Mikhail Tal\", \"Tal,M\", \"Tal*\", #17; of several who fit, those of all, and they are named." placeholder:"NAME"`
	Color          string   `help:"The colour of the player; without --player, the side whose results --ends figures counts, and whose moves --forks looks at." enum:",white,black" default:"" placeholder:"COLOUR"`
	MaxPly         count    `help:"Take this many plies of each game; 0 takes all." default:"0" placeholder:"N"`
	MinGames       count    `help:"Leave out moves of fewer games, which end before them." placeholder:"N"`
	By             string   `help:"A tree for each start position and eco, the opening code, or first-move." enum:",eco,first-move" default:"" placeholder:"WHAT"`
	Ends           string   `help:"What stands at the ends of lines: games, so that untangle gives them back, names, figures (games, results, rating), or nothing." enum:"games,names,figures,nothing" default:"games" placeholder:"WHAT"`
	Order          string   `help:"Which of several moves comes first: the one most played, or the one that scored best." enum:"played,best" default:"played" placeholder:"ORDER"`
	Transpositions bool     `help:"A line ends, with a reference, where its position stands in another one already."`
	Variations     bool     `help:"Take the games' own variations as lines too; with --novelties what stands in the base's variations is not new."`
	Annotations    bool     `help:"Keep the games' own comments, symbols and the like."`
	Forks          bool     `help:"Make nothing: list the positions in which the lines of the games, variations too, have several moves."`
	Novelties      string   `help:"Make nothing: list the first move of each game that leads to a position which no game of BASE has." placeholder:"BASE"`
	csvFlag
	whereFlag
	makeFlags
	prepares bool // for cbkit prepare, which has no flags for what is left out
}

// printsOutcome implements [outcomePrinter].
func (c *treeCmd) printsOutcome() bool { return c.JSON && !c.Forks && c.Novelties == "" }

// Run implements the verb.
func (c *treeCmd) Run(env *environment) (err error) {
	if c.where, err = c.condition(c.Deleted); err != nil {
		return err
	}
	switch {
	case c.Novelties == "-":
		return usageError{errors.New("--novelties: standard input may have to be read twice; name a file")}
	case c.Forks && c.Novelties != "":
		return usageError{errors.New("tree: --forks and --novelties are two questions; ask one of them")}
	case c.Forks:
		return c.forks(env)
	case c.Novelties != "":
		return c.novelties(env)
	case c.CSV:
		return usageError{errors.New("--csv: is for what --forks and --novelties list")}
	case len(c.Paths) < 2:
		return usageError{errors.New("tree: name games, and last what to make, - for the screen; or ask for --forks or --novelties")}
	}
	sources, out := c.Paths[:len(c.Paths)-1], c.Paths[len(c.Paths)-1]
	err = c.make(env, "tree", out, sources, c.grow)
	if err != nil || c.Quiet || env.messages.outcome != nil {
		return err
	}
	left := &env.messages.left
	if records := left.cut(func(k lossKey) bool { return k.kind == model.LostRecord }); records != "" {
		fmt.Fprintf(env.stderr, "left out: %s\n", records)
	}
	if variations := left.cut(func(k lossKey) bool { return k.field == "variation" }); variations != "" {
		fmt.Fprintf(env.stderr, "left out of the games: %s%s\n", variations, c.advice("--variations keeps them"))
	}
	if annotations := left.cut(func(k lossKey) bool { return k.kind == model.LostAnnotation }); annotations != "" {
		keeps := "--annotations keeps them"
		if c.Annotations {
			keeps = "their moves are not there"
		}
		fmt.Fprintf(env.stderr, "left out of the games: %s%s\n", annotations, c.advice(keeps))
	}
	left.print(env.stderr, env.messages.all) // what tags cannot say
	if c.Ends == "games" {
		fmt.Fprintln(env.stderr, "at the ends of lines stand the games, for cbkit untangle; --ends names has who played, for people")
	}
	return nil
}

// advice follows what was left out, where the verb has the flag.
func (c *treeCmd) advice(keeps string) string {
	if c.prepares {
		return ""
	}
	return "; " + keeps
}

// grow makes trees of a source.
func (c *treeCmd) grow(t *transfer, src *input) error {
	if info, err := os.Stat(t.env.making); err == nil && info.Mode().IsRegular() && !c.Force {
		return existsError(t.env.making) // before all games are read
	}
	ends, err := lines.ParseEnds(c.Ends)
	if err != nil {
		return err
	}
	opt := lines.Options{
		MaxPly: int(c.MaxPly), MinGames: int(c.MinGames), Variations: c.Variations, Annotations: c.Annotations,
		Transpositions: c.Transpositions, BestFirst: c.Order == "best", Ends: ends, Report: t.env.messages.leave,
	}
	if c.By != "" {
		if opt.By, err = lines.ParseGrouping(c.By); err != nil {
			return err
		}
	}
	if c.Color == "black" {
		opt.Color = model.Black
	}
	opt.LegalMoves = lifecycle.LegalMoves(src.Source)
	forest := lines.NewForest(opt)
	picked := newPickedPlayers(c.Player, c.Color)
	if err := c.read(t, src, picked, t.env.messages.leave, func(rec *model.Record) error { return forest.Add(rec, src.Entities()) }); err != nil {
		return err
	}
	if c.Color != "" && picked != nil && len(picked.players) == 1 {
		var both [2]model.Player
		both[opt.Color] = model.ParsePlayer(picked.players[0])
		forest.SetPlayers(both[model.White], both[model.Black])
	}
	moves := 0
	for _, tree := range forest.Trees() {
		moves += tree.Len()
	}
	t.remark = fmt.Sprintf("%s, %s", plural(forest.Games(), "game"), plural(moves, "move"))
	t.counts = struct {
		Games int `json:"games"`
		Trees int `json:"trees"`
		Moves int `json:"moves"`
	}{forest.Games(), len(forest.Trees()), moves}
	t.onPut = func(err error) error { return c.tooLarge(t, err) }
	src.Source, src.opened = forest, nil
	return nil
}

// errSmaller is what to do about a tree that is too large.
var errSmaller = errors.New("--max-ply, --min-games or --by make smaller trees")

// tooLarge refuses a tree that the target cannot hold whole, or from which it could not be
// read again.
func (c *treeCmd) tooLarge(t *transfer, err error) error {
	if refused, is := errors.AsType[*model.RecordError](err); is && errors.Is(err, model.ErrTooLarge) {
		return fmt.Errorf("%s: %v; %w", t.env.making, refused.Err, errSmaller) // none that is passed over
	}
	for k, e := range t.env.messages.losses.entries {
		isText := strings.HasPrefix(k.field, string(model.KindText)) && (k.kind == model.LostAnnotation || k.kind == model.LostTextEnd)
		if k.kind == model.LostMoves || isText && c.Ends != "nothing" {
			return fmt.Errorf("%s: does not hold the whole tree: %s: %s; %w, --ends nothing leaves the texts out", t.env.making, k.field, e.first.What, errSmaller)
		}
	}
	return err
}

// read reads all games that were asked for, and notes what is none.
func (c *treeCmd) read(t *transfer, src *input, picked *pickedPlayers, leave model.Report, take func(*model.Record) error) error {
	if p, ok := src.Source.(model.Preflighter); ok && !c.KeepGoing {
		if err := p.Preflight(t.env.ctx); err != nil {
			return err
		}
	}
	bar := newSourceProgress(t.env.stderr, c.Quiet, src, "reading")
	defer bar.done()
	for rec, err := range model.Readable(t.env.ctx, picked.games(src.Source), model.WantMoves|model.WantAnnotations, t.onError) {
		if err != nil {
			return err
		}
		bar.step()
		t.judge(src.name, &rec)
		switch {
		case rec.Text != nil:
			leave.Tell(model.Loss{Kind: model.LostRecord, Record: rec.ID, Field: "text", What: "a tree has no guiding texts"})
			continue
		case rec.Deleted && !c.Deleted:
			leave.Tell(model.Loss{Kind: model.LostRecord, Record: rec.ID, Field: "game", What: "it is marked as deleted"})
			continue
		}
		err = take(&rec)
		switch {
		case errors.As(err, new(*model.RecordError)):
			if rec.Game.MovesErr == nil { // else it was reported
				t.env.unread(messageSkipped, fmt.Errorf("%s: %w", src.name, err))
			}
		case errors.Is(err, model.ErrTooLarge):
			return fmt.Errorf("%s: the tree has %w; --max-ply, --player or --where take less", src.name, err)
		case err != nil:
			return err
		}
	}
	return c.checkPicked(t, src, picked)
}

// checkPicked returns an error if no game was asked for, and says who was picked.
func (c *treeCmd) checkPicked(t *transfer, src *input, picked *pickedPlayers) error {
	picked.leave(src.Entities())
	if err := t.env.checkMatches(); err != nil || picked == nil {
		return err
	}
	return picked.report(t.env, c.Quiet)
}

// untangleCmd is "cbkit untangle".
type untangleCmd struct {
	Source string `arg:"" zip:"reads" help:"Database or file of any format whose games are trees of lines; - is standard input."`
	Target string `arg:"" help:"What to make."`
	makeFlags
}

// Run implements the verb.
func (c *untangleCmd) Run(env *environment) error {
	return c.make(env, "untangle", c.Target, []string{c.Source}, func(_ *transfer, src *input) error {
		src.Source = lines.Untangle(src.Source)
		return nil
	})
}
