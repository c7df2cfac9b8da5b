package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	lib "cbkit"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
)

// statsCmd is "cbkit stats".
type statsCmd struct {
	DB     string   `arg:"" zip:"reads" name:"db" help:"Database, PGN or JSON Lines file; a folder is all that is in it; - is standard input."`
	Name   []string `arg:"" optional:"" help:"A player, as --player has it; quotes may be left out."`
	Player string   `help:"Count the games of this player: Carlsen, \"Magnus Carlsen\", \"Carlsen,M\", \"Carl*\", or the number in the list, #17." placeholder:"NAME"`
	Vs     string   `help:"Only games against this player." placeholder:"NAME"`
	By     string   `help:"Tables of the scores by what games have in common, with commas between them; elo is the opponent's in hundreds, opponent and color are for a player." placeholder:"WHAT" values:"opponent,elo,month,year,time-control,eco,color,event"`
	Sort   string   `help:"Order of the rows of --by: wins or percent, the least first." enum:",wins,percent" default:"" placeholder:"KEY"`
	Limit  count    `help:"How many openings or rows of --by to show; 0 shows all." default:"20" placeholder:"N"`
	csvFlag
	askFlags
}

// Run implements the verb.
func (c *statsCmd) Run(env *environment) error {
	if len(c.Name) > 0 && c.Player == "" {
		c.Player = strings.Join(c.Name, " ")
	} else if len(c.Name) > 0 {
		return usageError{fmt.Errorf("%s: one player is asked for, by --player or behind the database", strings.Join(c.Name, " "))}
	}
	if c.Vs != "" && c.Player == "" {
		return usageError{errors.New("--vs: name a --player too")}
	}
	by, err := c.groupings()
	if err != nil {
		return err
	}
	c.whereFlag.player = c.Player
	return env.ask("stats", c.DB, c.askFlags, func(src model.Source, opt stats.Options) error {
		texts, _ := lib.InFolder(c.DB, format.IsFile) // which are read once; of what is no folder there are none
		var again model.Source                        // without those who watch and count what is read
		if w, ok := src.(*watchedSource); ok && c.Where == "" && c.DB != "-" && !formatOf(c.DB).IsFile() && len(texts) == 0 {
			again = w.Source
		}
		var named *search.Selection
		if c.Player != "" {
			is, err := search.Term("player", c.Player)
			if err == nil {
				named, err = search.Select(src, is)
			}
			if err != nil {
				return err
			}
			src = named
		}
		board, err := stats.Scores(env.ctx, src, stats.ScoreOptions{
			Player: isCalled(c.Player), Versus: isCalled(c.Vs), Again: again, By: by, Options: opt,
		})
		if err == nil && c.Sort != "" {
			slices.SortStableFunc(board.Groups, func(x, y stats.GroupScore) int {
				a, _ := x.All.Percent()
				b, _ := y.All.Percent()
				if c.Sort == "wins" {
					a, b = float64(x.All.Wins), float64(y.All.Wins)
				}
				return cmp.Or(cmp.Compare(slices.Index(by, x.By), slices.Index(by, y.By)), cmp.Compare(a, b), cmp.Compare(y.All.Games(), x.All.Games()))
			})
		}
		switch {
		case err != nil:
			return err
		case board.All.Games() == 0 && c.Player != "":
			for _, name := range []string{c.Player, c.Vs} {
				if e := src.Entities(); name != "" && !isKnown(name, e) {
					return fmt.Errorf("%s: %w", c.DB, noSuchNameError("player", name, playersOf(e)))
				}
			}
			return fmt.Errorf("%s: no game of %s%s", c.DB, c.Player, optional(" against ", c.Vs))
		case c.JSON && named != nil:
			return env.answer(struct {
				*stats.ScoreBoard
				Also []search.Spelling `json:"also,omitempty"`
			}{board, named.Also()})
		case c.JSON:
			return env.answer(board)
		}
		err = c.print(env.newSheet("", c.csvFlag, htmlFlag{}), board)
		if err == nil && named != nil {
			env.reportAlso(named.Also(), c.Quiet)
		}
		return err
	})
}

// print prints the answer for people: in CSV the totals first, else last, where a terminal has
// them in sight.
func (c *statsCmd) print(s *sheet, b *stats.ScoreBoard) error {
	s.say(fmt.Sprintf("%s%s: %s%s", cmp.Or(fewNames(b.Players, "players"), "all games, White's score"),
		optional(" against ", fewNames(b.Opponents, "players")), plural(b.All.Games(), "game"), optional(", ", fromTo(b.FirstYear, b.LastYear))))
	if c.By != "" {
		c.printGroups(s, b)
		return s.end()
	}
	sides := [][]string{tallyRow("all", &b.All)}
	if c.Player != "" {
		sides = append(sides, tallyRow("White", b.White), tallyRow("Black", b.Black))
	}
	if s.as == asCSV {
		printTallies(s, text("Color", 0), sides)
	}
	if c.Player == "" {
		c.printOpenings(s, "Opening", b.Openings, func(o *stats.OpeningScore) *stats.Tally { return &o.All })
	} else {
		c.printOpenings(s, "With White", b.Openings, func(o *stats.OpeningScore) *stats.Tally { return o.White })
		c.printOpenings(s, "With Black", b.Openings, func(o *stats.OpeningScore) *stats.Tally { return o.Black })
	}
	years := make([][]string, 0, len(b.Years))
	for i := range b.Years {
		years = append(years, tallyRow(cmp.Or(orBlank(b.Years[i].Year), "no date"), &b.Years[i].All))
	}
	if s.as == asCSV {
		printTallies(s, text("Year", 0), years)
		return s.end()
	}
	shown := years
	if most := int(c.Limit); most > 0 && len(years) > most {
		shown = years[len(years)-most:]
	}
	printTallies(s, text("Year", 0), shown)
	s.more(len(years)-len(shown), "year| before")
	printTallies(s, text("Color", 0), sides)
	return s.end()
}

// groupings reads --by.
func (c *statsCmd) groupings() (list []string, err error) {
	switch {
	case c.By == "" && c.Sort != "":
		return nil, usageError{errors.New("--sort: name a table with --by too")}
	case c.By == "":
		return nil, nil
	}
	for word := range strings.SplitSeq(c.By, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		switch {
		case !slices.Contains(stats.Groupings(), word):
			return nil, usageError{fmt.Errorf("--by %s: there are %s", word, strings.Join(stats.Groupings(), ", "))}
		case c.Player == "" && (word == "opponent" || word == "color"):
			return nil, usageError{fmt.Errorf("--by %s: name a --player too", word)}
		case !slices.Contains(list, word):
			list = append(list, word)
		}
	}
	return list, nil
}

// printGroups prints the tables of --by, each with its totals at the end. Of months, years and
// ratings the last ones are shown, of others the first.
func (c *statsCmd) printGroups(s *sheet, b *stats.ScoreBoard) {
	for groups := b.Groups; len(groups) > 0; {
		by, n := groups[0].By, 0
		for n < len(groups) && groups[n].By == by {
			n++
		}
		all := groups[:n]
		shown := all
		groups = groups[n:]
		if most := int(c.Limit); most > 0 && n > most && (s.as != asCSV || most != usualLimit) {
			if shown = all[:most]; c.Sort == "" && (by == "month" || by == "year" || by == "elo") {
				shown = all[n-most:]
			}
		}
		rows := make([][]string, 0, len(shown)+1)
		for i := range shown {
			rows = append(rows, tallyRow(shown[i].Name, &shown[i].All))
		}
		if s.as != asCSV {
			rows = append(rows, tallyRow("all", &b.All))
		}
		printTallies(s, text(strings.ToUpper(by[:1])+by[1:], 48), rows)
		s.more(n-len(shown), "row")
	}
}

// usualLimit is the default of --limit, which does not cut CSV.
const usualLimit = 20

// printOpenings prints the scores with openings, the most played first.
func (c *statsCmd) printOpenings(s *sheet, title string, all []stats.OpeningScore, of func(*stats.OpeningScore) *stats.Tally) {
	var played []*stats.OpeningScore
	for i := range all {
		if t := of(&all[i]); t != nil && t.Games() > 0 {
			played = append(played, &all[i])
		}
	}
	if len(played) == 0 {
		return
	}
	slices.SortStableFunc(played, func(a, b *stats.OpeningScore) int { return cmp.Compare(of(b).Games(), of(a).Games()) })
	shown := limited(played, c.Limit)
	rows := make([][]string, 0, len(shown))
	for _, o := range shown {
		name := "no code"
		if o.Name != "" {
			name = o.ECO + " " + o.Name
		}
		rows = append(rows, tallyRow(name, of(o)))
	}
	printTallies(s, text(title, 48), rows)
	s.more(len(played)-len(shown), "opening")
}

// printTallies prints a table of scores with a blank line before it. In CSV all are one
// table, of which the first column says what a row is about.
func printTallies(s *sheet, first column, rows [][]string) {
	columns := []column{
		first, number("Games"), number("+").called("wins"), number("=").called("draws"), number("-").called("losses"),
		number("*").called("unfinished").left(3), number("%").called("percent"),
		number("Elo").left(2), number("Opp").called("opponents").left(1), number("Perf").called("performance"),
	}
	if s.as == asCSV {
		columns[0] = column{title: "name"}
		columns = slices.Insert(columns, 0, column{title: "by"})
		for i, row := range rows {
			rows[i] = append([]string{strings.ToLower(first.title)}, row...)
		}
	}
	s.gap()
	s.table(columns, rows)
}

// tallyRow is a row of such a table.
func tallyRow(name string, t *stats.Tally) []string {
	return []string{
		name, strconv.Itoa(t.Games()), strconv.Itoa(t.Wins), strconv.Itoa(t.Draws), strconv.Itoa(t.Losses), orBlank(t.Unfinished),
		percent(t), orBlank(t.AverageElo()), orBlank(t.AverageOpponent()), performance(t),
	}
}
