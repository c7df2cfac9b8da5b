package main

import (
	"fmt"
	"strconv"
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
)

// listCmd is "cbkit list".
type listCmd struct {
	DB    string `arg:"" zip:"reads" name:"db" help:"Database, PGN or JSON Lines file; a folder is all that is in it; - is standard input."`
	Kind  string `arg:"" enum:"players,tournaments,annotators,sources,teams,titles" help:"players, tournaments, annotators, sources, teams or titles."`
	Name  string `help:"Only names like this: of players as you type them, Carlsen or \"Magnus Carlsen\"; others whole; \"Car*\" are all that begin so." placeholder:"NAME"`
	By    string `help:"Order: games, name, year or elo." enum:"games,name,year,elo" default:"games" placeholder:"ORDER"`
	Limit count  `help:"How many to list; 0 lists all." placeholder:"N"`
	csvFlag
	askFlags
}

// Run implements the verb.
func (c *listCmd) Run(env *environment) error {
	kind, err := stats.ParseKind(c.Kind)
	if err != nil {
		return usageError{err}
	}
	return env.ask("list", c.DB, c.askFlags, func(src model.Source, opt stats.Options) error {
		opt.MergeTournaments = env.origin != nil // of a folder
		list, err := stats.List(env.ctx, src, kind, opt)
		if err == nil {
			err = list.Sort(c.By)
		}
		if err != nil {
			return err
		}
		return c.print(env, list, kind)
	})
}

// print prints the entries that were asked for.
func (c *listCmd) print(env *environment, list *stats.Listing, kind stats.Kind) error {
	var rows [][]string
	shown, all := 0, 0
	asked := namepattern.ParseName(c.Name)
	title, year := namepattern.CutYear(c.Name)
	titled := namepattern.ParseName(title)
	for e := range list.All() {
		switch ofYear := year != 0 && e.FirstYear <= year && year <= e.LastYear; {
		case c.Name == "", kind == stats.Players && asked.IsPlayer(model.ParsePlayer(e.Name)), kind != stats.Players && asked.IsTitle(e.Name):
		case kind == stats.Tournaments && ofYear && !namepattern.IsPattern(c.Name) && titled.IsTitle(e.Name): // a year of its games
		default:
			continue
		}
		if all++; c.Limit > 0 && all > int(c.Limit) {
			continue
		}
		shown++
		if !c.JSON {
			rows = append(rows, listRow(kind, &e))
		} else if err := env.answer(e); err != nil {
			return err
		}
	}
	if all == 0 && c.Name != "" {
		similar := namepattern.NewSimilar(c.Name)
		for e := range list.All() {
			similar.Add(e.Name)
		}
		fmt.Fprintln(env.stderr, oneLine(noSuchName(one(kind), c.Name, similar.Names())))
	}
	if kind == stats.Players {
		defer func() {
			var also []search.Spelling
			all := func(yield func(model.Player, int) bool) {
				for e := range list.All() {
					if !yield(model.ParsePlayer(e.Name), e.Games) {
						return
					}
				}
			}
			for _, s := range asked.Asks(all).OtherSpellings(all) {
				also = append(also, search.Spelling(s))
			}
			env.reportAlso(also, c.Quiet)
		}()
	}
	if c.JSON {
		return nil
	}
	s := env.newSheet("", c.csvFlag, htmlFlag{})
	if shown > 0 || c.CSV {
		s.table(listColumns(kind), rows)
	}
	if shown < all {
		s.note(fmt.Sprintf("%s, %d shown", plural(all, one(kind)), shown))
	} else {
		s.say(plural(all, one(kind)))
	}
	return s.end()
}

// one is the word for one of a kind.
func one(kind stats.Kind) string { return strings.TrimSuffix(kind.String(), "s") }

// listColumns are the columns of a list.
func listColumns(kind stats.Kind) []column {
	name := text(map[stats.Kind]string{
		stats.Players: "Player", stats.Tournaments: "Tournament", stats.Annotators: "Annotator", stats.Sources: "Source",
		stats.Teams: "Team", stats.Titles: "Title",
	}[kind], 48)
	if kind == stats.Players || kind == stats.Annotators {
		name = person(name.title)
	}
	columns := []column{number("#").called("id"), name, number("Games")}
	switch kind {
	case stats.Players, stats.Teams:
		return append(columns, number("White").left(1), number("Black").left(1), text("Years", 0), text("Elo", 0))
	case stats.Tournaments:
		return append(columns, text("Years", 0), text("Elo", 0).left(1), number("Cat").left(2), text("Type", 0).left(3), text("Place", 24))
	}
	return append(columns, number("Texts"), text("Years", 0))
}

// listRow is the row of an entry.
func listRow(kind stats.Kind, e *stats.Entry) []string {
	row := []string{fmt.Sprint("#", e.ID), e.Name, strconv.Itoa(e.Games)}
	years, elos := fromTo(e.FirstYear, e.LastYear), fromTo(e.MinElo, e.MaxElo)
	switch kind {
	case stats.Players, stats.Teams:
		return append(row, strconv.Itoa(e.White), strconv.Itoa(e.Black), years, elos)
	case stats.Tournaments:
		return append(row, years, elos, orBlank(e.Category), e.Type, placeOf(e.Place, e.Nation))
	}
	return append(row, orBlank(e.Texts), years)
}

// placeOf returns a place with its nation, which is often in the place already.
func placeOf(place, nation string) string {
	if strings.HasSuffix(place, nation) {
		return place
	}
	return strings.TrimSpace(place + " " + nation)
}

// optional returns a text with something before it, "" if there is none.
func optional(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}
