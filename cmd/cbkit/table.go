package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cbkit/model"
	"cbkit/stats"
)

// tableCmd is "cbkit table".
type tableCmd struct {
	DB     string   `arg:"" name:"db" help:"Database, PGN or JSON Lines file; - is standard input."`
	Name   []string `arg:"" help:"The tournament: its title, or title and year, such as \"Linares 2001\". Quotes may be left out."`
	System string   `help:"round-robin, swiss, or auto: what the database says, else what the games look like." enum:"auto,round-robin,swiss" default:"auto" placeholder:"SYSTEM"`
	askFlags
}

// Run implements the verb.
func (c *tableCmd) Run(env *environment) error {
	name := strings.Join(c.Name, " ")
	return env.ask("table", c.DB, c.askFlags, func(src model.Source, opt stats.Options) error {
		list, err := stats.Editions(env.ctx, src, name, opt)
		switch {
		case errors.Is(err, stats.ErrTooMany):
			return fmt.Errorf("%s: %q fits too many tournaments; say more of the title, or the year", c.DB, name)
		case err != nil:
			return err
		case len(list) == 0:
			titles := namesIn(&src.Entities().Tournaments, func(t model.Tournament) string { return t.Title })
			return fmt.Errorf("%s: %w; cbkit list %[1]s tournaments shows all", c.DB, nobodyOf("tournament", name, titles))
		case len(list) > 1:
			return c.several(env, name, list)
		}
		as := stats.AutoSystem
		switch c.System {
		case stats.RoundRobin.String():
			as = stats.RoundRobin
		case stats.Swiss.String():
			as = stats.Swiss
		}
		table := stats.NewTable(&list[0], src.Entities(), as)
		if c.JSON {
			return env.answer(tableAsJSON(&list[0], table, src.Entities()))
		}
		return printTable(env.text, &list[0], table, src.Entities())
	})
}

// several lists the tournaments that a name fits.
func (c *tableCmd) several(env *environment, name string, list []stats.Edition) error {
	if c.JSON {
		for i := range list {
			e := &list[i]
			if err := env.answer(editionJSON{e.Title, e.Place, dateText(e.First), dateText(e.Last), len(e.Games)}); err != nil {
				return err
			}
		}
	} else {
		rows := make([][]string, 0, len(list))
		for i := range list {
			e := &list[i]
			rows = append(rows, []string{e.String(), strconv.Itoa(len(e.Games)), dates(e.First, e.Last), e.Place})
		}
		if err := printColumns(env.text, []column{text("Tournament", 60), number("Games"), text("Dates", 0), text("Place", 30)}, rows); err != nil {
			return err
		}
	}
	return fmt.Errorf("%q: %d tournaments fit; name one of them", name, len(list))
}

// editionJSON is a tournament that fits a name.
type editionJSON struct {
	Title string `json:"title"`
	Place string `json:"place,omitempty"`
	First string `json:"firstDate,omitempty"`
	Last  string `json:"lastDate,omitempty"`
	Games int    `json:"games"`
}

// dateText is a date, "" if it is not known.
func dateText(d model.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

// dates returns a range of dates.
func dates(first, last model.Date) string {
	if first == last {
		return dateText(first)
	}
	return dateText(first) + " - " + dateText(last)
}

// tableJSON is a table as JSON.
type tableJSON struct {
	editionJSON
	Nation     string         `json:"nation,omitempty"`
	System     string         `json:"system"`
	Rounds     int            `json:"rounds,omitempty"`
	AverageElo int            `json:"averageElo,omitempty"`
	Category   int            `json:"category,omitempty"`
	Nameless   int            `json:"nameless,omitempty"`
	Players    []standingJSON `json:"players"`
}

type standingJSON struct {
	Rank            int           `json:"rank"`
	Name            string        `json:"name"`
	Elo             int           `json:"elo,omitempty"`
	Points          float64       `json:"points"`
	Score           stats.Tally   `json:"score"`
	Buchholz        float64       `json:"buchholz"`
	BuchholzCut1    float64       `json:"buchholzCut1"`
	SonnebornBerger float64       `json:"sonnebornBerger"`
	Wins            int           `json:"wins"`
	Games           []meetingJSON `json:"games"`
}

type meetingJSON struct {
	ID       model.RecordID `json:"id"`
	Round    int            `json:"round,omitempty"`
	Date     string         `json:"date,omitempty"`
	Opponent int            `json:"opponent"`
	Color    string         `json:"color"`
	Mark     string         `json:"mark"`
}

// tableAsJSON makes the JSON form of a table.
func tableAsJSON(e *stats.Edition, t *stats.Table, entities *model.Entities) tableJSON {
	answer := tableJSON{
		editionJSON: editionJSON{e.Title, e.Place, dateText(e.First), dateText(e.Last), t.Games},
		Nation:      entities.Tournaments.Value(e.Tournament).Nation.Code(),
		System:      t.System.String(), Rounds: t.Rounds, AverageElo: t.AverageElo, Category: t.Category, Nameless: t.Nameless,
		Players: []standingJSON{},
	}
	for i := range t.Standings {
		s := &t.Standings[i]
		row := standingJSON{
			Rank: i + 1, Name: s.Name, Elo: s.Elo, Points: s.Points, Score: s.Tally, Buchholz: s.Buchholz,
			BuchholzCut1: s.BuchholzCut1, SonnebornBerger: s.SonnebornBerger, Wins: s.Tally.Wins,
		}
		for j := range s.Meetings {
			m := &s.Meetings[j]
			row.Games = append(row.Games, meetingJSON{
				m.Game.ID, int(m.Game.Round), dateText(m.Game.Date), m.Opponent + 1, colorNames[m.Color], m.Mark(),
			})
		}
		answer.Players = append(answer.Players, row)
	}
	return answer
}

var colorNames = [...]string{"white", "black"}

// printTable prints a table for people.
func printTable(w io.Writer, e *stats.Edition, t *stats.Table, entities *model.Entities) error {
	event := entities.Tournaments.Value(e.Tournament)
	parts := []string{e.String(), placeOf(e.Place, event.Nation.Code()), dates(e.First, e.Last)}
	if t.Category > 0 {
		parts = append(parts, fmt.Sprintf("category %d", t.Category))
	}
	if t.AverageElo > 0 {
		parts = append(parts, fmt.Sprintf("average %d", t.AverageElo))
	}
	parts = append(parts, plural(len(t.Standings), "player"), plural(t.Games, "game"))
	fmt.Fprintf(w, "%s\n\n", oneLine(joinKnown(parts, ", ")))
	columns := []column{number(""), text("Player", 40), number("Elo")}
	var rows [][]string
	fits := true
	if t.System == stats.RoundRobin {
		columns, rows, fits = crossTable(t, columns)
	} else {
		columns, rows, fits = swissTable(t, columns)
	}
	if err := printColumns(w, columns, rows); err != nil {
		return err
	}
	if !fits {
		fmt.Fprintln(w, "without the games, for which a table has too many columns; --json lists them")
	}
	if t.Nameless > 0 {
		fmt.Fprintf(w, "not counted: %s without two players\n", plural(t.Nameless, "game"))
	}
	return nil
}

// joinKnown joins the texts that are not empty.
func joinKnown(parts []string, between string) string {
	var known []string
	for _, s := range parts {
		if s != "" {
			known = append(known, s)
		}
	}
	return strings.Join(known, between)
}

// fitting reports whether a table of so many columns for every player is one that
// people can read, or one that has not many more cells than games: a table that
// costs no more than what is known.
func fitting(t *stats.Table, columns int) bool {
	const readable = 10_000 // cells
	return len(t.Standings)*columns <= readable+8*t.Games
}

// crossTable gives every player a column with the results against him, if that
// fits.
func crossTable(t *stats.Table, columns []column) (_ []column, rows [][]string, fits bool) {
	fits = fitting(t, len(t.Standings))
	if fits {
		for i := range t.Standings {
			columns = append(columns, text(strconv.Itoa(i+1), 0))
		}
	}
	columns = append(columns, number("Points"), number("Games"), number("SB"), number("Wins"), number("Perf"))
	for i := range t.Standings {
		s := &t.Standings[i]
		row := []string{strconv.Itoa(i + 1), s.Name, orBlank(s.Elo)}
		if fits {
			marks := make([]string, len(t.Standings))
			marks[i] = "x"
			for j := range s.Meetings {
				marks[s.Meetings[j].Opponent] += s.Meetings[j].Mark()
			}
			row = append(row, marks...)
		}
		rows = append(rows, append(row, points(s.Points), strconv.Itoa(s.Tally.Games()), points(s.SonnebornBerger),
			strconv.Itoa(s.Tally.Wins), performance(&s.Tally)))
	}
	return columns, rows, fits
}

// swissTable gives every round with games a column with opponent, colour and
// result, if that fits. Where rounds are not known, or a player has several games
// in one, the games stand in their order.
func swissTable(t *stats.Table, columns []column) (_ []column, rows [][]string, fits bool) {
	rounds := swissRounds(t)
	if fits = fitting(t, len(rounds)); !fits {
		rounds = nil
	}
	for i, round := range rounds {
		if round == 0 {
			round = i + 1
		}
		columns = append(columns, text(strconv.Itoa(round), 0))
	}
	columns = append(columns, number("Points"), number("Buch-1"), number("Buch"), number("SB"), number("Wins"), number("Perf"))
	for i := range t.Standings {
		s := &t.Standings[i]
		row := append([]string{strconv.Itoa(i + 1), s.Name, orBlank(s.Elo)}, swissCells(s, rounds)...)
		rows = append(rows, append(row, points(s.Points), points(s.BuchholzCut1), points(s.Buchholz), points(s.SonnebornBerger),
			strconv.Itoa(s.Tally.Wins), performance(&s.Tally)))
	}
	return columns, rows, fits
}

// swissCells are the games of a player, by rounds.
func swissCells(s *stats.Standing, rounds []int) []string {
	if len(rounds) == 0 {
		return nil
	}
	cells := make([]string, len(rounds))
	for j := range s.Meetings {
		m := &s.Meetings[j]
		at := slices.Index(rounds, int(m.Game.Round))
		if rounds[0] == 0 {
			at = j
		}
		cells[at] = fmt.Sprintf("%d%c%s", m.Opponent+1, colorNames[m.Color][0], m.Mark())
	}
	return cells
}

// swissRounds returns the rounds that have games, or a zero for each game of the
// player who has most, where games have no rounds that tell them apart.
func swissRounds(t *stats.Table) (rounds []int) {
	most, known := 0, true
	for i := range t.Standings {
		meetings := t.Standings[i].Meetings
		most = max(most, len(meetings))
		for j, m := range meetings {
			round := int(m.Game.Round)
			known = known && round != 0 && (j == 0 || meetings[j-1].Game.Round != m.Game.Round)
			if at, found := slices.BinarySearch(rounds, round); !found {
				rounds = slices.Insert(rounds, at, round)
			}
		}
	}
	if !known {
		return make([]int, most)
	}
	return rounds
}

// points prints points, which can have quarters in tie-breaks. Whole ones have a
// blank for the fraction, so that they stand below each other.
func points(p float64) string {
	whole := int(p)
	quarter := map[float64]string{0: " ", 0.25: "¼", 0.5: "½", 0.75: "¾"}[p-float64(whole)]
	if whole == 0 && quarter != " " {
		return quarter
	}
	return strconv.Itoa(whole) + quarter
}
