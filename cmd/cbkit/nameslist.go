package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	lib "cbkit"
	"cbkit/collect"
	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/stats"
	"cbkit/write"
)

// namesCmd is "cbkit names".
type namesCmd struct {
	DB      string `arg:"" zip:"reads" name:"db" help:"Database, PGN or JSON Lines file to change with --apply; any that can be read with --suggest."`
	Suggest bool   `help:"Print a list of players whose names may be spellings of one, as CSV, for --apply to take once it was looked through."`
	Apply   string `help:"Change names of players by a list: CSV with the columns old and new, and title, fideId and rating if it likes; Scid's spelling file; or FIDE's rating list (players_list.txt); - is standard input." placeholder:"LIST"`
	Rating  string `help:"With --apply and FIDE's list of all ratings: rapid or blitz in the place of standard." enum:",rapid,blitz" default:"" placeholder:"KIND"`
	Month   string `help:"With --apply and FIDE's list: give its ratings to games of this month, such as 2024.05; that of its head line unless given." placeholder:"YYYY.MM"`
	AnyDate bool   `help:"With --apply and FIDE's list: give its ratings to games of any date."`
	DryRun  bool   `help:"With --apply: list what would change, and change nothing."`

	Boosters bool `help:"With --apply: rebuild those search boosters that did not fit before; others are kept in step anyway."`
	waitFlag
	askFlags
}

// printsOutcome implements [outcomePrinter].
func (c *namesCmd) printsOutcome() bool { return c.JSON && c.Apply != "" }

// Run implements the verb.
func (c *namesCmd) Run(env *environment) error {
	switch {
	case c.Suggest == (c.Apply != ""):
		return usageError{errors.New("names: say --suggest, which prints a list, or --apply LIST")}
	case c.Suggest && (c.DryRun || c.Boosters || c.AnyDate || c.Month+c.Rating != ""):
		return usageError{errors.New("names: --suggest changes nothing; --dry-run, --boosters and the like go with --apply")}
	case c.AnyDate && c.Month != "":
		return usageError{errors.New("names: --month and --any-date exclude each other")}
	case c.Apply != "" && c.Where != "":
		return usageError{errors.New("names: --where goes with --suggest; --apply changes names wherever they are")}
	case c.Suggest:
		return env.ask("names", c.DB, c.askFlags, func(src model.Source, opt stats.Options) error {
			list, err := collect.NearNames(env.ctx, src, collect.Options{OnError: opt.OnError})
			if err != nil {
				return err
			}
			return c.print(env, list, src.Entities())
		})
	}
	if err := env.unzipped.refuseChange(); err != nil {
		return err
	}
	return c.apply(env)
}

// suggestionJSON is a suggestion as JSON.
type suggestionJSON struct {
	Old      string   `json:"old"`
	New      string   `json:"new"`
	Games    int      `json:"games"`
	NewGames int      `json:"newGames"`
	Why      []string `json:"why"`
}

// print prints the suggestions as a list that can be applied: a player is called by name
// if no other player has the name, and it can be read back, else by number.
func (c *namesCmd) print(env *environment, list []collect.NearName, e *model.Entities) error {
	bearers := map[string]int{}
	for _, n := range list {
		bearers[n.Old], bearers[n.New] = 0, 0
	}
	for _, p := range e.Players.Live() {
		if n, is := bearers[p.String()]; is {
			bearers[p.String()] = n + 1
		}
	}
	called := func(name string, id model.EntityID) string {
		_, number := namepattern.ParseNumber(name)
		if bearers[name] > 1 || number || csvValue(new(column), name) != name || model.ParsePlayer(name).String() != name {
			return fmt.Sprint("#", id)
		}
		return name
	}
	var rows [][]string
	for _, n := range list {
		s := suggestionJSON{called(n.Old, n.ID), called(n.New, n.Into), n.OldGames, n.NewGames, n.Why}
		if !c.JSON {
			rows = append(rows, []string{s.Old, s.New, strconv.Itoa(s.Games), strconv.Itoa(s.NewGames), strings.Join(s.Why, "; ")})
		} else if err := env.answer(s); err != nil {
			return err
		}
	}
	if !c.JSON {
		s := env.newSheet("", csvFlag{CSV: true}, htmlFlag{})
		s.table([]column{{title: "old"}, {title: "new"}, {title: "games"}, {title: "newGames", key: "newGames"}, {title: "why"}}, rows)
		if err := s.end(); err != nil {
			return err
		}
	}
	if !c.Quiet {
		says := fmt.Sprintf("%s that may be spellings of others; look at each before --apply takes the list", plural(len(list), "name"))
		if len(list) == 0 {
			says = "no names that may be spellings of others"
		}
		fmt.Fprintf(env.stderr, "%s: %s\n", c.DB, says)
	}
	return nil
}

// apply changes names by a list, in one transaction.
func (c *namesCmd) apply(env *environment) error {
	in, name := env.stdin, standardInput
	if c.Apply != "-" {
		f, err := os.Open(c.Apply)
		if err != nil {
			return plainError(err)
		}
		defer f.Close() // it is only read
		in, name = f, c.Apply
	}
	list, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	opt := lib.RatingOptions{Kind: c.Rating, AnyDate: c.AnyDate}
	if c.Month != "" {
		month, err := time.Parse("2006.01", c.Month)
		if err != nil {
			return usageError{fmt.Errorf("--month %s: is no month; write it like 2024.05", c.Month)}
		}
		opt.Month = model.Date{Year: uint16(month.Year()), Month: uint8(month.Month())}
	}
	t := newTransfer(env, transferFlags{readFlags: c.readFlags}, "names", target{})
	var changes *lib.NameChanges
	done, err := t.edit(c.DB, lib.EditOptions{Wait: c.duration(), Boosters: c.Boosters, DryRun: c.DryRun}, func(ed *lib.Editor) (err error) {
		changes, err = ed.Correct(env.ctx, bytes.NewReader(list), name, opt)
		return err
	})
	if err != nil {
		return err
	}
	for _, line := range changes.Refused {
		env.unread(messageSkipped, errors.New(line))
	}
	return c.printResult(env, changes, done)
}

// printResult says what was done, and which names of the list there are not.
func (c *namesCmd) printResult(env *environment, did *lib.NameChanges, done editDone) error {
	if !c.DryRun {
		env.made(madeTarget{Path: done.name, Format: done.as, Records: new(done.records)})
	}
	result := struct {
		write.EditResult
		*lib.NameChanges
	}{done.EditResult, did}
	if env.setResult(result, c.DryRun) || c.Quiet {
		return nil
	}
	verb := "edited"
	if c.DryRun {
		verb = "would change"
		for _, one := range did.Changes {
			into := ""
			if one.Into != nil {
				into = fmt.Sprintf(", which is there (#%d)", *one.Into)
			}
			fmt.Fprintln(env.text, oneLine(fmt.Sprintf("%s (#%d) -> %s%s", one.Old, one.ID, one.New, into)))
		}
	}
	fmt.Fprintf(env.stderr, "%s: %s: %s\n", done.name, verb, describeEdit(done.EditResult))
	if n := len(did.Unknown); n > 0 {
		fmt.Fprintln(env.stderr, oneLine(fmt.Sprintf("not there, so that nothing was changed for %s: %s",
			map[bool]string{true: "it", false: "them"}[n == 1], fewNames(did.Unknown, "names"))))
	}
	if did.Identified > 0 && !done.as.IsText() {
		fmt.Fprintf(env.stderr, "titles and FIDE ids of %s have no place in such a database\n", plural(did.Identified, "player"))
	}
	if len(did.Several) > 0 {
		fmt.Fprintln(env.stderr, oneLine("left, since several players of the list may be meant: "+fewNames(did.Several, "names")))
	}
	reportDropped(env, done.DroppedBoosters, done.MadeBoosters)
	env.messages.printLosses()
	return nil
}
