package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/lines"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
)

// prepareCmd is "cbkit prepare".
type prepareCmd struct {
	DB         string   `arg:"" zip:"reads" name:"db" help:"Database, PGN or JSON Lines file; a folder is all that is in it."`
	Name       []string `arg:"" help:"The opponent: Tal, \"Mikhail Tal\", \"Tal,M\", \"Tal*\", #17; quotes may be left out. Several who fit are counted together, and named."`
	Color      string   `required:"" help:"The colour that the opponent has." enum:"white,black" placeholder:"COLOUR"`
	Out        outName  `short:"o" name:"output" help:"Write a page (.html), a text (.md) or the tree of what was played (.pgn); else it is printed." placeholder:"OUT"`
	Repertoire string   `help:"Your own lines: where his games meet them, and what he plays that they do not have." placeholder:"MINE"`
	MaxPly     count    `help:"How many plies of the games are shown; 0 shows all." default:"16" placeholder:"N"`
	MinGames   count    `help:"Leave out moves of fewer games; 0 leaves out those of less than a fiftieth." placeholder:"N"`
	whereFlag
	transferFlags
}

// printsOutcome implements [outcomePrinter].
func (c *prepareCmd) printsOutcome() bool { return c.JSON && c.Out != "" && c.Out != "-" }

// side is the opponent's.
func (c *prepareCmd) side() model.Color {
	if c.Color == "black" {
		return model.Black
	}
	return model.White
}

// tally returns the score that the opponent has with the colour, nil for none.
func (c *prepareCmd) tally(s *stats.Sides) *stats.Tally {
	if c.side() == model.Black {
		return s.Black
	}
	return s.White
}

// preparation is what is known of an opponent.
type preparation struct {
	*stats.ScoreBoard
	Color    string             `json:"color"`
	Moves    []preparedMove     `json:"moves"`
	Recent   []stats.RecentGame `json:"recent"`
	Blunders preparedGames      `json:"blunders"`
	Short    preparedGames      `json:"timeTrouble"`
	Met      *metLines          `json:"repertoire,omitempty"`
}

// preparedMove is a row of moves that were played.
type preparedMove struct {
	Depth int         `json:"depth"` // in the tree of rows
	FEN   string      `json:"fen"`   // before them
	Moves string      `json:"moves"`
	Share float64     `json:"share"` // per cent of the games that came there
	Score stats.Tally `json:"score"` // the opponent's
}

// preparedGames are games in which something happened, of those that can tell.
type preparedGames struct {
	Of  int   `json:"of"`
	IDs []any `json:"ids,omitempty"` // as labels have them: a number or, of a folder, a string
}

// metLines is what games have to do with lines.
type metLines struct {
	Games  int            `json:"games"` // that begin like them
	Stayed int            `json:"stayed"`
	Left   []preparedMove `json:"left"` // the moves with which the opponent left them
}

// What counts as a blunder, in hundredths of a pawn, and as time trouble, in seconds.
const (
	prepareBlunder = 200
	prepareShort   = 30
	prepareRecent  = 20 // games
	prepareWorst   = 10 // openings
)

// Run implements the verb.
func (c *prepareCmd) Run(env *environment) error {
	name, out := strings.Join(c.Name, " "), strings.TrimPrefix(string(c.Out), "-")
	tree := treeCmd{Paths: []string{c.DB}, Player: name, Color: c.Color, MaxPly: c.MaxPly, MinGames: c.MinGames, Ends: "figures", Order: "played"}
	tree.whereFlag, tree.transferFlags = c.whereFlag, c.transferFlags
	ending := dbfile.EndingOf(out)
	form := map[string]sheetForm{"": asText, ".html": asHTML, ".htm": asHTML, ".md": asMarkdown}
	switch _, known := form[ending]; {
	case ending == ".pgn" && c.Repertoire != "":
		return usageError{errors.New("--repertoire: a tree of games has no room for it; make a page (.html, .md)")}
	case ending == ".pgn":
		tree.Paths, tree.prepares = append(tree.Paths, out), true
		return tree.Run(env)
	case !known || out != "" && ending == "":
		return usageError{fmt.Errorf("%s: prepare writes .html, .md or .pgn", out)}
	}
	t := newTransfer(env, c.transferFlags, "prepare", target{})
	var err error
	if t.where, err = c.condition(false); err != nil {
		return err
	}
	src, err := t.openInput(c.DB)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	if out == "" {
		p, err := c.prepare(t, src, &tree)
		switch {
		case err != nil:
			return err
		case c.JSON:
			return env.answer(p)
		}
		return c.print(p, &sheet{out: env.text, notes: env.text})
	}
	var p *preparation
	err = env.writeOutput(out, c.writeFlags, func(w io.Writer) (err error) {
		if p, err = c.prepare(t, src, &tree); err != nil {
			return err
		}
		text := plainWriter{to: w}
		return c.print(p, &sheet{out: text, notes: text, as: form[ending]})
	})
	if err != nil {
		return err
	}
	env.made(madeTarget{Path: out})
	if !c.Quiet && env.messages.outcome == nil {
		fmt.Fprintf(env.stderr, "%s: %s, %s\n", out, p.title(), plural(p.All.Games(), "game"))
	}
	return nil
}

// title says of whom a preparation is.
func (p *preparation) title() string {
	return fmt.Sprintf("%s with %s", oneLine(fewNames(p.Players, "players")), strings.ToUpper(p.Color[:1])+p.Color[1:])
}

// prepare reads the games of the opponent, and finds out what is asked.
func (c *prepareCmd) prepare(t *transfer, src *input, tree *treeCmd) (p *preparation, err error) {
	env := t.env
	his, picked := &model.Database{}, newPickedPlayers(tree.Player, tree.Color)
	ids, players := model.NewEntityMap(src.Entities(), &his.Tables), map[model.EntityID]bool{}
	err = tree.read(t, src, picked, nil, func(rec *model.Record) error {
		own := ids.Record(*rec).Clone()
		his.List = append(his.List, own)
		player := own.Game.White
		if c.side() == model.Black {
			player = own.Game.Black
		}
		players[player] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	p = &preparation{Color: c.Color, Moves: []preparedMove{}}
	opt := stats.Options{OnError: t.onError}
	is := func(id model.EntityID, _ model.Player) bool { return players[id] }
	if p.ScoreBoard, err = stats.Scores(env.ctx, his, stats.ScoreOptions{Player: is, By: []string{"year", "elo", "time-control"}, Options: opt}); err != nil {
		return nil, err
	}
	p.Groups = slices.DeleteFunc(p.Groups, func(g stats.GroupScore) bool { // a table that says nothing
		return g.By == "time-control" && g.All.Games() == p.All.Games()
	})
	report, err := stats.Explore(env.ctx, his, board.Start(), stats.ExploreOptions{Recent: prepareRecent, Options: opt})
	if err != nil {
		return nil, err
	}
	p.Recent = env.placed(report.Recent)
	if err := c.grow(t, src, p, his); err != nil {
		return nil, err
	}
	if p.Blunders, err = askedOf(env, his, players, "evaluation", "blunder", prepareBlunder); err != nil {
		return nil, err
	}
	if p.Short, err = askedOf(env, his, players, "clock", "clock", prepareShort); err != nil || c.Repertoire == "" {
		return p, err
	}
	p.Met, err = c.meet(t, his)
	return p, err
}

// askedOf asks which of the games have what a term with a player looks for.
func askedOf(env *environment, his *model.Database, players map[model.EntityID]bool, has, term string, n int) (g preparedGames, err error) {
	count := func(query string) (list []any, err error) {
		condition, err := search.Parse(query)
		if err != nil {
			return nil, err
		}
		met, err := search.Select(his, condition)
		if err != nil {
			return nil, err
		}
		for rec, err := range met.Records(env.ctx, 1, model.WantAll) {
			if err != nil {
				return nil, err
			}
			list = append(list, env.labelJSON(rec.ID))
		}
		return list, nil
	}
	all, err := count("has:" + has)
	if g.Of = len(all); err != nil || g.Of == 0 {
		return g, err
	}
	var terms []string
	for _, id := range slices.Sorted(maps.Keys(players)) {
		terms = append(terms, fmt.Sprintf(`%s:"#%d/%d"`, term, id, n))
	}
	g.IDs, err = count(strings.Join(terms, " or "))
	return g, err
}

// grow lists the moves of the tree of the games, each before those that follow it.
func (c *prepareCmd) grow(t *transfer, src *input, p *preparation, his *model.Database) error {
	forest := lines.NewForest(lines.Options{MaxPly: int(c.MaxPly), MinGames: c.least(len(his.List)), Ends: lines.AtEndNothing})
	for i := range his.List {
		switch err := forest.Add(&his.List[i], &his.Tables); {
		case err == nil || his.List[i].Game.MovesErr != nil: // which was told
		case errors.As(err, new(*model.RecordError)):
			t.env.unread(messageSkipped, fmt.Errorf("%s: %w", src.name, err))
		default:
			return err
		}
	}
	for _, tree := range forest.Trees() {
		c.list(p, tree, tree.Game(), model.NoNode, 0)
	}
	return nil
}

// list lists what is played behind a node, at a depth of branches. Moves of which all games
// go on with the same one are one row with it.
func (c *prepareCmd) list(p *preparation, tree *lines.Tree, g *model.Game, node, depth int) {
	from, err := board.After(g.Start, &g.Moves, node)
	if err != nil {
		return // no game can be played there
	}
	all := max(tree.Figures(node).Games, 1)
	for child := range g.Moves.Children(node) {
		f, moves := tree.Figures(child), []model.Move{g.Moves.Move(child)}
		for next := g.Moves.Main(child); next != model.NoNode && tree.Figures(next).Games == f.Games; next = g.Moves.Main(child) {
			child, moves = next, append(moves, g.Moves.Move(next))
		}
		p.Moves = append(p.Moves, preparedMove{
			Depth: depth, Moves: stats.FormatLine(from, moves), FEN: from.FEN(), Share: 100 * float64(f.Games) / float64(all), Score: c.score(f),
		})
		c.list(p, tree, g, child, depth+1)
	}
}

// least returns how many of so many games have to be alike to be shown.
func (c *prepareCmd) least(games int) int {
	if c.MinGames > 0 {
		return int(c.MinGames)
	}
	return min(max(games/50, 2), 1+games/10)
}

// score returns figures as the opponent's.
func (c *prepareCmd) score(f lines.Figures) stats.Tally {
	t := stats.Tally{Wins: f.Wins, Draws: f.Draws, Losses: f.Losses, Unfinished: f.Games - f.Wins - f.Draws - f.Losses}
	if c.side() == model.Black {
		t.Wins, t.Losses = t.Losses, t.Wins
	}
	return t
}

// meet compares the games with the lines of a repertoire.
func (c *prepareCmd) meet(t *transfer, his *model.Database) (*metLines, error) {
	mine, err := t.repertoire(c.Repertoire)
	if err != nil {
		return nil, err
	}
	met, side := &metLines{Left: []preparedMove{}}, c.side()
	left := map[string]*preparedMove{}
	for i := range his.List {
		g := his.List[i].Game
		node, leaves := mine.Leaves(g)
		if leaves && node == model.NoNode {
			continue // it begins elsewhere
		}
		if met.Games++; !leaves {
			met.Stayed++
			continue
		}
		p, err := board.After(g.Start, &g.Moves, g.Moves.Parent(node))
		if err != nil || p.Turn() != side {
			continue // another opponent left them
		}
		var line []model.Move
		for _, n := range g.Moves.Nodes()[:node+1] { // of the main line
			line = append(line, n.Move)
		}
		key := stats.FormatLine(board.Start(), line)
		if left[key] == nil {
			left[key] = &preparedMove{Moves: key, FEN: p.FEN()}
		}
		left[key].Score.Add(g.Result, side, g.WhiteElo, g.BlackElo)
	}
	for _, m := range left {
		m.Share = 100 * float64(m.Score.Games()) / float64(met.Games)
		met.Left = append(met.Left, *m)
	}
	slices.SortFunc(met.Left, func(a, b preparedMove) int {
		return cmp.Or(cmp.Compare(b.Score.Games(), a.Score.Games()), strings.Compare(a.Moves, b.Moves))
	})
	return met, nil
}

// print prints what is known.
func (c *prepareCmd) print(p *preparation, s *sheet) error {
	all := cmp.Or(c.tally(&p.Sides), &p.All)
	s.begin(p.title())
	s.heading(p.title(), 1)
	s.say(fmt.Sprintf("%s%s; score %s%%: +%d =%d -%d%s", plural(all.Games(), "game"), optional(", ", fromTo(p.FirstYear, p.LastYear)),
		percent(all), all.Wins, all.Draws, all.Losses, optional(", average rating ", orBlank(all.AverageElo()))))
	s.heading("What is played", 2)
	printPrepared(s, p.Moves)
	s.heading("Where the score is worst", 2)
	c.printWorst(s, p.Openings, all.Games())
	s.heading("Over the years, and by the rating of the opponents", 2)
	(&statsCmd{}).printGroups(s, p.ScoreBoard)
	if p.Blunders.Of+p.Short.Of > 0 {
		s.heading("Blunders and time trouble", 2)
		s.say(p.Blunders.say(fmt.Sprintf("a move that lost %.1f pawns or more", prepareBlunder/100.), "evaluations"))
		s.say(p.Short.say(fmt.Sprintf("%d seconds or fewer on the clock", prepareShort), "clocks"))
	}
	if m := p.Met; m != nil {
		s.heading("Against "+filepath.Base(c.Repertoire), 2)
		left := 0
		for i := range m.Left {
			left += m.Left[i].Score.Games()
		}
		s.say(fmt.Sprintf("In %d of %s the lines go on to their end, or to that of the game; in %d the opponent leaves them.", m.Stayed, plural(m.Games, "game"), left))
		printPrepared(s, m.Left)
	}
	s.heading("Last games", 2)
	printRecent(s, p.Recent)
	return s.end()
}

// say says in how many games it was, and in which of them.
func (g *preparedGames) say(what, of string) string {
	if g.Of == 0 {
		return "No game has " + of + "."
	}
	line := fmt.Sprintf("%s: in %d of %s with %s", what, len(g.IDs), plural(g.Of, "game"), of)
	for i, id := range g.IDs[:min(len(g.IDs), prepareRecent)] {
		line += map[bool]string{true: ": ", false: ", "}[i == 0] + fmt.Sprint(id)
	}
	if more := len(g.IDs) - prepareRecent; more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// printPrepared prints a table of moves.
func printPrepared(s *sheet, moves []preparedMove) {
	if len(moves) == 0 {
		return
	}
	rows := make([][]string, 0, len(moves))
	for i := range moves {
		m, t := &moves[i], &moves[i].Score
		rows = append(rows, []string{strings.Repeat("· ", m.Depth) + m.Moves, fmt.Sprint(t.Games()), fmt.Sprintf("%.0f", m.Share), fmt.Sprint(t.Wins), fmt.Sprint(t.Draws), fmt.Sprint(t.Losses), percent(t)})
	}
	s.table([]column{text("Moves", 60), number("Games"), number("Share"), number("+"), number("="), number("-"), number("%")}, rows)
}

// printWorst prints the openings with the worst scores, without those of few games.
func (c *prepareCmd) printWorst(s *sheet, all []stats.OpeningScore, games int) {
	score := func(o *stats.OpeningScore) *stats.Tally { return c.tally(&o.Sides) }
	list := slices.DeleteFunc(slices.Clone(all), func(o stats.OpeningScore) bool {
		t := score(&o)
		return t == nil || t.Games() < c.least(games) || percent(t) == ""
	})
	slices.SortStableFunc(list, func(a, b stats.OpeningScore) int {
		x, _ := score(&a).Percent()
		y, _ := score(&b).Percent()
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(score(&b).Games(), score(&a).Games()))
	})
	rows := [][]string{}
	for i := range list[:min(len(list), prepareWorst)] {
		rows = append(rows, tallyRow(strings.TrimSpace(list[i].ECO+" "+cmp.Or(list[i].Name, "no code")), score(&list[i])))
	}
	printTallies(s, text("Opening", 48), rows)
}
