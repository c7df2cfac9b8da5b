package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"cbkit/board"
	"cbkit/eco"
	"cbkit/internal/booster"
	"cbkit/internal/typed"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/stats"
)

// reportCmd is "cbkit report".
type reportCmd struct {
	DB       string   `arg:"" zip:"reads" name:"db" help:"Database, PGN or JSON Lines file; a folder is all that is in it; - is standard input."`
	Position []string `arg:"" optional:"" name:"fen|moves" help:"A position: a FEN, or moves from the start of a game, as one argument or several; without one, the start."`
	Limit    count    `help:"How many moves to show; 0 shows all." default:"20" placeholder:"N"`
	Best     count    `help:"How many of the best players and of the last games to show." default:"5" placeholder:"N"`
	Part     string   `help:"Only this table: moves, white or black (the best players with that colour), games (the last ones). As CSV it is moves unless said otherwise." enum:",moves,white,black,games" default:"" placeholder:"PART"`
	csvFlag
	htmlFlag
	askFlags
}

// Run implements the verb.
func (c *reportCmd) Run(env *environment) error {
	switch {
	case c.Part != "" && c.JSON:
		return usageError{errors.New("--part: JSON has all parts")}
	case c.Part == "" && c.CSV:
		c.Part = "moves" // a file of CSV is one table
	}
	l, err := typed.Parse(c.Position...)
	if err != nil {
		return usageError{err}
	}
	if c.isSearched(&l.End) {
		return c.search(env, &l)
	}
	return env.ask("report", c.DB, c.askFlags, c.explore(env, &l))
}

// explore returns what reports on the games of a source.
func (c *reportCmd) explore(env *environment, l *typed.Line) func(model.Source, stats.Options) error {
	return func(src model.Source, opt stats.Options) error {
		report, err := stats.Explore(env.ctx, src, l.End, c.options(opt))
		if err != nil {
			return err
		}
		return c.printReport(env, report, l)
	}
}

// options are those of the report.
func (c *reportCmd) options(opt stats.Options) stats.ExploreOptions {
	return stats.ExploreOptions{Players: orAll(c.Best), Recent: orAll(c.Best), Options: opt}
}

// printReport prints the report, or one part of it.
func (c *reportCmd) printReport(env *environment, report *stats.Report, l *typed.Line) error {
	report.Recent = env.placed(report.Recent)
	switch {
	case report.Score.Games() == 0:
		return fmt.Errorf("%s: no game reaches the position", c.DB)
	case c.JSON:
		opening, _ := openingOf(l)
		return env.answer(reportJSON{l.End.FEN(), opening.Code.String(), opening.Name, report})
	}
	moves := stats.FormatLine(board.Start(), l.Moves)
	s := env.newSheet(fmt.Sprintf("%s: %s", c.DB, cmp.Or(moves, l.End.FEN())), c.csvFlag, c.htmlFlag)
	if c.Part == "" {
		if o, ok := openingOf(l); ok {
			s.say(fmt.Sprintf("%v %s", o.Code, o.Name))
		}
		if moves != "" {
			s.say(moves)
		}
		s.say(l.End.FEN())
		score := &report.Score
		s.say(fmt.Sprintf("%s%s; White scores %s%%: +%d =%d -%d%s", plural(score.Games(), "game"), optional(", ", fromTo(report.FirstYear, report.LastYear)),
			percent(score), score.Wins, score.Draws, score.Losses, optional(", average ", orBlank(score.AverageElo()))))
		if l.End.Turn() == model.Black {
			s.say("Black is to move: the figures of moves are Black's")
		}
	}
	for _, part := range []struct {
		name  string
		print func()
	}{
		{"moves", func() { c.printMoves(s, report) }},
		{"white", func() { printBest(s, "Best players with White", report.BestWhite) }},
		{"black", func() { printBest(s, "Best players with Black", report.BestBlack) }},
		{"games", func() { printRecent(s, report.Recent) }},
	} {
		switch c.Part {
		case "":
			s.gap()
		case part.name:
		default:
			continue
		}
		part.print()
	}
	return s.end()
}

// orAll returns a limit of the library: 0 of the user is no limit.
func orAll(limit count) int {
	if limit == 0 {
		return math.MaxInt
	}
	return int(limit)
}

// isSearched reports whether an index or the search boosters can rule out most games.
func (c *reportCmd) isSearched(p *board.Position) bool {
	if as := formatOf(c.DB); c.DB == "-" || as != formatChessBase && as != formatChessBase2 {
		return false
	}
	set, err := read.FindFiles(c.DB)
	return err == nil && booster.IsWorthAsking(set, p)
}

// search reports on the games that a search finds, by what the index of positions has kept
// of them if it can.
func (c *reportCmd) search(env *environment, l *typed.Line) error {
	bar := newProgress(env.stderr, c.Quiet, -1, "report", "games")
	defer bar.done()
	var unread []error
	s, err := search.Open(c.DB, search.Options{
		CodePage: string(c.Codepage), Jobs: int(c.Jobs), Progress: bar.set,
		Warn: env.warn, Damage: env.damaged,
		Unread: func(_ model.RecordID, err error) { unread = append(unread, err) },
	})
	if err != nil {
		return err
	}
	defer s.Close()
	where, err := c.condition(false)
	if err != nil {
		return err
	}
	// What could not be read was reported by the search.
	report, found, err := s.Report(env.ctx, l.End, where, c.options(stats.Options{OnError: func(model.RecordID, error) error { return env.ctx.Err() }}))
	if err != nil {
		return err
	}
	if report == nil { // reading on reports what cannot be read
		bar.done()
		return env.ask("report", c.DB, c.askFlags, c.explore(env, l))
	}
	for _, err := range unread {
		env.unread(messageDamaged, err)
	}
	bar.done()
	err = c.printReport(env, report, l)
	if err == nil {
		env.reportAlso(found.Also, c.Quiet)
	}
	return err
}

// reportJSON is a report as JSON.
type reportJSON struct {
	FEN     string `json:"fen"`
	ECO     string `json:"eco,omitempty"`
	Opening string `json:"opening,omitempty"`
	*stats.Report
}

// openingOf returns the opening of a line: that of its last position that has one.
func openingOf(l *typed.Line) (eco.Opening, bool) {
	if len(l.Moves) == 0 {
		return eco.At(&l.End)
	}
	g := model.NewGame()
	for _, m := range l.Moves {
		g.Moves.Append(m)
	}
	o, _, ok := eco.Classify(g)
	return o, ok
}

// printMoves prints the moves that were played.
func (c *reportCmd) printMoves(s *sheet, r *stats.Report) {
	shown := limited(r.Moves, c.Limit)
	var rows [][]string
	for i := range shown {
		m := &shown[i]
		rows = append(rows, []string{
			m.SAN, strconv.Itoa(m.Score.Games()), strconv.Itoa(m.Score.Wins), strconv.Itoa(m.Score.Draws), strconv.Itoa(m.Score.Losses),
			percent(&m.Score), orBlank(m.Score.AverageElo()), performance(&m.Score), orBlank(m.LastYear), m.Best, orBlank(m.Elo), m.Line,
		})
	}
	s.table([]column{
		text("Move", 0), number("Games"), number("+").called("wins"), number("=").called("draws"), number("-").called("losses"),
		number("%").called("percent"), number("Elo").left(3), number("Perf").called("performance").left(4),
		number("Last").left(2), person("Best player").called("bestPlayer").left(1), number("Elo").called("bestElo").left(1), text("Typical line", 70).called("typicalLine"),
	}, rows)
	s.more(len(r.Moves)-len(shown), "move")
	if r.Ended > 0 {
		s.note(fmt.Sprintf("%s without a move from here", plural(r.Ended, "game")))
	}
}

// printBest prints the best players with a colour.
func printBest(s *sheet, title string, list []stats.PlayerReport) {
	rows := make([][]string, 0, len(list))
	for _, p := range list {
		rows = append(rows, []string{p.Name, orBlank(p.Elo), strconv.Itoa(p.Score.Games()), percent(&p.Score), performance(&p.Score)})
	}
	s.table([]column{
		person(title).called("player"), number("Elo"), number("Games"), number("%").called("percent"), number("Perf").called("performance"),
	}, rows)
}

// placed says of games in a folder in which file they are.
func (env *environment) placed(games []stats.RecentGame) []stats.RecentGame {
	for i := range games {
		if env.origin == nil {
			break
		}
		if name, in := env.origin(games[i].ID); name != "" {
			games[i].File, games[i].ID = filepath.Base(name), in
		}
	}
	return games
}

// printRecent prints the last games.
func printRecent(s *sheet, games []stats.RecentGame) {
	rows := make([][]string, 0, len(games))
	for _, g := range games {
		id := strconv.Itoa(int(g.ID))
		if g.File != "" {
			id = g.File + "#" + id
		}
		rows = append(rows, []string{
			id, g.Date, g.White, orBlank(int(g.WhiteElo)), g.Black, orBlank(int(g.BlackElo)), g.Result, g.Event,
		})
	}
	s.table([]column{
		number("Id"), text("Last games", 0).called("date"), person("White"), number("Elo").called("whiteElo"), person("Black"),
		number("Elo").called("blackElo").left(1), text("Result", 0), text("Tournament", 40),
	}, rows)
}
