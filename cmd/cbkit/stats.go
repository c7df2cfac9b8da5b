package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cbkit/eco"
	"cbkit/model"
	"cbkit/stats"
)

// statsCmd is "cbkit stats".
type statsCmd struct {
	DB     string   `arg:"" name:"db" help:"Database, PGN or JSON Lines file; - is standard input."`
	Name   []string `arg:"" optional:"" help:"A player, as --player has it; quotes may be left out."`
	Player string   `help:"Count the games of this player: Carlsen, \"Magnus Carlsen\", \"Carlsen,M\", \"Carl*\"." placeholder:"NAME"`
	Vs     string   `help:"Only games against this player." placeholder:"NAME"`
	Limit  count    `help:"How many openings to show; 0 shows all." default:"20" placeholder:"N"`
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
	return env.ask("stats", c.DB, c.askFlags, func(src model.Source, opt stats.Options) error {
		board, err := stats.Scores(env.ctx, src, stats.ScoreOptions{
			Player: isCalled(c.Player), Versus: isCalled(c.Vs), Options: opt,
		})
		switch {
		case err != nil:
			return err
		case board.All.Games() == 0 && c.Player != "":
			return fmt.Errorf("%s: %w", c.DB, c.noGame(src.Entities()))
		case c.JSON:
			return env.answer(scoresAsJSON(board, src.Entities()))
		}
		return c.print(env.text, board, src.Entities())
	})
}

// noGame says why there is nothing to count.
func (c *statsCmd) noGame(e *model.Entities) error {
	for _, name := range []string{c.Player, c.Vs} {
		if name != "" && !isKnown(name, e) {
			return nobodyOf("player", name, playersOf(e))
		}
	}
	return fmt.Errorf("no game of %s%s", c.Player, optional(" against ", c.Vs))
}

// scoresJSON is the answer as JSON.
type scoresJSON struct {
	Players   []string      `json:"players,omitempty"`
	Opponents []string      `json:"opponents,omitempty"`
	FirstYear int           `json:"firstYear,omitempty"`
	LastYear  int           `json:"lastYear,omitempty"`
	All       stats.Tally   `json:"all"`
	White     *stats.Tally  `json:"white,omitempty"`
	Black     *stats.Tally  `json:"black,omitempty"`
	Openings  []openingJSON `json:"openings"`
	Years     []yearJSON    `json:"years"`
}

type openingJSON struct {
	ECO   string       `json:"eco,omitempty"`
	Name  string       `json:"name,omitempty"`
	All   stats.Tally  `json:"all"`
	White *stats.Tally `json:"white,omitempty"`
	Black *stats.Tally `json:"black,omitempty"`
}

type yearJSON struct {
	Year int         `json:"year,omitempty"`
	All  stats.Tally `json:"all"`
}

// scoresAsJSON makes it. Without players there is White's score alone.
func scoresAsJSON(b *stats.ScoreBoard, e *model.Entities) scoresJSON {
	ofPlayer := len(b.Players) > 0
	colors := func(white, black *stats.Tally) (*stats.Tally, *stats.Tally) {
		if !ofPlayer {
			return nil, nil
		}
		return white, black
	}
	answer := scoresJSON{
		Players: playerNames(b.Players, e), Opponents: playerNames(b.Opponents, e),
		FirstYear: b.FirstYear, LastYear: b.LastYear, All: b.All,
		Openings: []openingJSON{}, Years: []yearJSON{},
	}
	answer.White, answer.Black = colors(&b.White, &b.Black)
	for i := range b.Openings {
		o := &b.Openings[i]
		row := openingJSON{ECO: o.ECO.String(), All: o.All()}
		if opening, ok := eco.Named(o.ECO); ok {
			row.Name = opening.Name
		}
		row.White, row.Black = colors(&o.White, &o.Black)
		answer.Openings = append(answer.Openings, row)
	}
	for _, y := range b.Years {
		answer.Years = append(answer.Years, yearJSON{y.Year, y.Tally})
	}
	return answer
}

func playerNames(ids []model.EntityID, e *model.Entities) (names []string) {
	for _, id := range ids {
		names = append(names, e.Players.Value(id).String())
	}
	return names
}

// print prints the answer for people.
func (c *statsCmd) print(w io.Writer, b *stats.ScoreBoard, e *model.Entities) error {
	fmt.Fprintf(w, "%s%s: %s%s\n", oneLine(whose(b.Players, e, "all games, White's score")), oneLine(optional(" against ", whose(b.Opponents, e, ""))),
		plural(b.All.Games(), "game"), optional(", ", fromTo(b.FirstYear, b.LastYear)))
	sides := [][]string{tallyRow("all", &b.All)}
	if c.Player != "" {
		sides = append(sides, tallyRow("White", &b.White), tallyRow("Black", &b.Black))
	}
	if err := printTallies(w, text("Color", 0), sides); err != nil {
		return err
	}
	openings := make([][]string, 0, len(b.Openings))
	for i := range b.Openings {
		if c.Limit > 0 && i == int(c.Limit) {
			break
		}
		all := b.Openings[i].All()
		openings = append(openings, tallyRow(openingName(b.Openings[i].ECO), &all))
	}
	if err := printTallies(w, text("Opening", 48), openings); err != nil {
		return err
	}
	if more := len(b.Openings) - len(openings); more > 0 {
		fmt.Fprintf(w, "and %s; --limit 0 shows all\n", plural(more, "more opening"))
	}
	years := make([][]string, 0, len(b.Years))
	for i := range b.Years {
		years = append(years, tallyRow(cmp.Or(orBlank(b.Years[i].Year), "no date"), &b.Years[i].Tally))
	}
	return printTallies(w, text("Year", 0), years)
}

// whose names players, a few of them.
func whose(ids []model.EntityID, e *model.Entities, nobody string) string {
	if len(ids) == 0 {
		return nobody
	}
	return fewNames(playerNames(ids, e), "players")
}

// printTallies prints a table of scores with a blank line before it.
func printTallies(w io.Writer, first column, rows [][]string) error {
	fmt.Fprintln(w)
	return printColumns(w, []column{
		first, number("Games"), number("+"), number("="), number("-"), number("*"), number("%"),
		number("Elo"), number("Opponents"), number("Performance"),
	}, rows)
}

// tallyRow is a row of such a table.
func tallyRow(name string, t *stats.Tally) []string {
	return []string{
		name, strconv.Itoa(t.Games()), strconv.Itoa(t.Wins), strconv.Itoa(t.Draws), strconv.Itoa(t.Losses), orBlank(t.Unfinished),
		percent(t), orBlank(t.AverageElo()), orBlank(t.AverageOpponent()), performance(t),
	}
}

// openingName names an opening in a table.
func openingName(code model.ECO) string {
	o, ok := eco.Named(code)
	if !ok {
		return "no code"
	}
	return o.Code.String() + " " + o.Name
}
