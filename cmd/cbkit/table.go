package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cbkit/internal/brief"
	"cbkit/model"
	"cbkit/stats"
)

// tableCmd is "cbkit table".
type tableCmd struct {
	DB     string   `arg:"" zip:"reads" name:"db" help:"Database, PGN or JSON Lines file; a folder is all that is in it; - is standard input."`
	Name   []string `arg:"" help:"The tournament: its title, or title and year, such as \"Linares 2001\", or its number in the list, #17. Quotes may be left out."`
	System string   `help:"round-robin, swiss, or auto: what the database says, else what the games look like." enum:"auto,round-robin,swiss" default:"auto" placeholder:"SYSTEM"`
	Teams  bool     `help:"The table of the teams, with match points and board points."`
	csvFlag
	htmlFlag
	askFlags
}

// Run implements the verb.
func (c *tableCmd) Run(env *environment) error {
	name := strings.Join(c.Name, " ")
	as, _ := model.ParseEventSystem(c.System) // auto is none of them
	return env.ask("table", c.DB, c.askFlags, func(src model.Source, opt stats.Options) error {
		list, err := stats.Editions(env.ctx, src, name, opt)
		switch {
		case errors.Is(err, stats.ErrTooMany):
			return fmt.Errorf("%s: %q fits too many tournaments; say more of the title, or the year", c.DB, name)
		case err != nil:
			return err
		case len(list) == 0:
			titles := namesIn(&src.Entities().Tournaments, func(t model.Tournament) string { return t.Title })
			return fmt.Errorf("%s: %w; cbkit list %[1]s tournaments shows all", c.DB, noSuchNameError("tournament", name, titles))
		case len(list) > 1:
			return c.several(env, name, list)
		}
		if c.Teams {
			return c.teams(env, &list[0], src.Entities())
		}
		table := stats.NewTable(&list[0], src.Entities(), as)
		if c.JSON {
			return env.answer(table)
		}
		return printTable(env.newSheet(list[0].String(), c.csvFlag, c.htmlFlag), list[0].String(), table)
	})
}

// several lists the tournaments that a name fits.
func (c *tableCmd) several(env *environment, name string, list []stats.Edition) error {
	rows := make([][]string, 0, len(list))
	for i := range list {
		event := list[i].Event()
		if !c.JSON {
			rows = append(rows, []string{fmt.Sprint("#", list[i].Tournament), list[i].String(), strconv.Itoa(event.Games), event.Dates(), event.Place})
		} else if err := env.answer(event); err != nil {
			return err
		}
	}
	if !c.JSON {
		if err := printColumns(env.text, []column{number("#"), text("Tournament", 60), number("Games"), text("Dates", 0), text("Place", 30).left(1)}, rows); err != nil {
			return err
		}
	}
	return fmt.Errorf("%q: %d tournaments fit; name one of them, or its number, \"#%d\"", name, len(list), list[0].Tournament)
}

// printTable prints a table for people.
func printTable(s *sheet, name string, t *stats.Table) error {
	s.say(joinKnown([]string{
		name, placeOf(t.Place, t.Nation), t.Dates(), optional("category ", orBlank(t.Category)), optional("average ", orBlank(t.AverageElo)),
		plural(len(t.Standings), "player"), plural(t.Games, "game"),
	}, ", "))
	s.gap()
	columns := []column{number("").called("rank"), person("Player"), number("Elo").left(2)}
	form := swissTable
	if t.System == model.RoundRobin {
		form = crossTable
	}
	columns, rows, fits := form(t, columns)
	columns, rows, fits = s.fitted(columns, rows, fits)
	s.table(columns, rows)
	l := layOut(columns, needed(columns, rows), widthOf(s.out))
	var left []string
	for i, c := range columns {
		if l.widths[i] == noColumn {
			left = append(left, c.title)
		}
	}
	if len(left) > 0 && s.as == asText {
		s.note(fmt.Sprintf("too wide for %s; --csv has all columns", brief.List(left, " and ")))
	}
	if !fits {
		s.note("without the games, which have too many columns for it; --json lists them")
	}
	if t.System != model.RoundRobin && fits {
		s.note("48w1: against number 48, with White, 1 point")
	}
	if n := len(t.MissingRounds); n > 0 {
		var rounds []string
		for _, round := range t.MissingRounds {
			rounds = append(rounds, strconv.Itoa(round))
		}
		s.note(fmt.Sprintf("points are partial: there is no game of %s %s", inNumber(n, "round"), brief.List(rounds, " and ")))
	}
	if t.Absent > 0 {
		s.note(fmt.Sprintf("points are partial: %d of %s lack games of some rounds", t.Absent, plural(len(t.Standings), "player")))
	}
	if t.Nameless > 0 {
		s.note(fmt.Sprintf("not counted: %s without two players", plural(t.Nameless, "game")))
	}
	return s.end()
}

// teams prints the table of the teams.
func (c *tableCmd) teams(env *environment, edition *stats.Edition, e *model.Entities) error {
	t := stats.NewTeamTable(edition, e)
	switch {
	case len(t.Standings) == 0:
		return fmt.Errorf("%s: the games of %q name no teams", c.DB, edition.String())
	case c.JSON:
		return env.answer(t)
	}
	s := env.newSheet(edition.String(), c.csvFlag, c.htmlFlag)
	s.say(joinKnown([]string{edition.String(), t.Place, t.Dates(), plural(len(t.Standings), "team"), plural(t.Games, "game")}, ", "))
	s.gap()
	columns := []column{number("").called("rank"), text("Team", 40)}
	cross := s.as != asText || len(t.Standings) <= mostCrossTeams
	if cross {
		for i := range t.Standings {
			columns = append(columns, gamesColumn(strconv.Itoa(i+1)))
		}
	}
	columns = append(columns, number("MP").called("matchPoints"), number("BP").called("boardPoints"), number("Matches").left(3),
		number("+").called("won").left(2), number("=").called("drawn").left(2), number("-").called("lost").left(2))
	var rows [][]string
	for i := range t.Standings {
		team := &t.Standings[i]
		row := []string{strconv.Itoa(i + 1), team.Name}
		if cross {
			cells := make([]string, len(t.Standings))
			cells[i] = "x"
			for _, m := range team.Matches {
				cells[m.Opponent-1] = joinKnown([]string{cells[m.Opponent-1], strings.TrimSpace(points(m.For))}, " ")
			}
			row = append(row, cells...)
		}
		rows = append(rows, append(row, strconv.Itoa(team.MatchPoints), points(team.BoardPoints), strconv.Itoa(len(team.Matches)),
			strconv.Itoa(team.Won), strconv.Itoa(team.Drawn), strconv.Itoa(team.Lost)))
	}
	columns, rows, _ = s.fitted(columns, rows, cross)
	s.table(columns, rows)
	if t.Teamless > 0 {
		s.note(fmt.Sprintf("not counted: %s without two teams", plural(t.Teamless, "game")))
	}
	return s.end()
}

// mostCrossTeams is how many teams have columns for each other on a screen, which leaves
// them out if it is too narrow.
const mostCrossTeams = 40

// gamesRank is the rank of the columns with the games.
const gamesRank = 1

// gamesColumn is one of them.
func gamesColumn(title string) column {
	return column{title: title, rank: gamesRank, tight: true}
}

// fitted returns a table without the columns that have the games, if it has them and is too
// wide for a terminal, and whether nothing is left out.
func (s *sheet) fitted(columns []column, rows [][]string, hasGames bool) (few []column, short [][]string, all bool) {
	if l := layOut(columns, needed(columns, rows), widthOf(s.out)); s.as != asText || !hasGames || l.has(gamesRank) {
		return columns, rows, hasGames
	}
	short = make([][]string, len(rows))
	for i, c := range columns {
		if c.rank == gamesRank {
			continue
		}
		few = append(few, c)
		for j, row := range rows {
			short[j] = append(short[j], row[i])
		}
	}
	return few, short, len(few) == len(columns)
}

// joinKnown joins the texts that are not empty.
func joinKnown(parts []string, between string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" }), between)
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
			columns = append(columns, gamesColumn(strconv.Itoa(i+1)))
		}
	}
	columns = append(columns, number("Points"), number("Games").left(3), number("SB").left(4), number("Wins").left(5), number("Perf").called("performance").left(6))
	for i := range t.Standings {
		s := &t.Standings[i]
		row := []string{strconv.Itoa(i + 1), s.Name, orBlank(s.Elo)}
		if fits {
			marks := make([]string, len(t.Standings))
			marks[i] = "x"
			for j := range s.Meetings {
				if m := &s.Meetings[j]; m.Opponent >= 0 {
					marks[m.Opponent] += m.Mark()
				}
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
		columns = append(columns, gamesColumn(strconv.Itoa(round)))
	}
	columns = append(columns, number("Points"), number("Buch-1").left(3), number("Buch").left(4), number("SB").left(5), number("Wins").left(6), number("Perf").called("performance").left(7))
	for i := range t.Standings {
		s := &t.Standings[i]
		cells := make([]string, len(rounds))
		for j := 0; j < len(s.Meetings) && fits; j++ {
			m := &s.Meetings[j]
			at := slices.Index(rounds, int(m.Game.Round))
			if rounds[0] == 0 {
				at = j
			}
			if cells[at] = m.Mark(); m.Opponent >= 0 {
				cells[at] = fmt.Sprintf("%d%c%s", m.Opponent+1, m.Color.String()[0], m.Mark())
			}
		}
		row := append([]string{strconv.Itoa(i + 1), s.Name, orBlank(s.Elo)}, cells...)
		rows = append(rows, append(row, points(s.Points), points(s.BuchholzCut1), points(s.Buchholz), points(s.SonnebornBerger),
			strconv.Itoa(s.Tally.Wins), performance(&s.Tally)))
	}
	return columns, rows, fits
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
