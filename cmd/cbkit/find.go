package main

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/search"
)

// findCmd is "cbkit find". Every flag of the first group is a term of package
// search; the query says what flags cannot.
type findCmd struct {
	DB    string `arg:"" optional:"" name:"db" help:"Database to search."`
	Query string `arg:"" optional:"" help:"Conditions such as 'eco:C50..C59 and not (result:1/2 or year:..1990)'."`

	Player     string `help:"A player of either side: Carlsen, \"Carl*\", \"Carlsen, M*\"." placeholder:"NAME"`
	White      string `help:"The player with the white pieces." placeholder:"NAME"`
	Black      string `help:"The player with the black pieces." placeholder:"NAME"`
	Tournament string `help:"The title of the tournament." placeholder:"NAME"`
	Annotator  string `help:"The annotator." placeholder:"NAME"`
	Source     string `help:"The title of the source." placeholder:"NAME"`
	Team       string `help:"The team of either side." placeholder:"NAME"`
	Title      string `help:"The game title." placeholder:"NAME"`
	Year       string `help:"A year, or a range such as 1990..1999." placeholder:"YEARS"`
	Date       string `help:"A date, or a range such as 1997.05..1997.08.15." placeholder:"DATES"`
	ECO        string `name:"eco" help:"An opening code, or a range such as C50..C59." placeholder:"CODES"`
	Result     string `help:"1-0, 0-1, 1/2, 0-0 or *." placeholder:"RESULT"`
	Elo        string `help:"The rating of either side, a range such as 2700.. or 2000..2200." placeholder:"N..N"`
	Moves      string `help:"The number of moves, a range such as ..20." placeholder:"N..N"`
	Medal      string `help:"A medal, such as novelty." placeholder:"MEDAL"`
	Has        string `help:"A kind of annotation, or variations, setup, chess960." placeholder:"WHAT"`
	Material   string `help:"Material that was on the board, such as KRPP-KRP." placeholder:"MATERIAL"`
	End        string `help:"Material at the end of the game." placeholder:"MATERIAL"`
	FEN        string `name:"fen" help:"A position that occurred." placeholder:"FEN"`
	Pawns      string `help:"A pawn structure that occurred, as a FEN." placeholder:"FEN"`
	Piece      string `help:"A piece on a square, such as Nd5, nd5 for Black." placeholder:"PIECE"`

	Format     string   `help:"table, ids, pgn or jsonl." enum:"table,ids,pgn,jsonl" default:"table" placeholder:"FORMAT"`
	Terms      bool     `help:"List all terms that a query can have, and stop."`
	Explain    bool     `help:"Say on standard error how the answer was found."`
	NoBoosters bool     `help:"Trust no search booster and no tree of names: read all."`
	Codepage   codePage `help:"Code page of names and texts that are not UTF-8." default:"1252" placeholder:"PAGE"`
	Jobs       count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	Quiet      bool     `short:"q" help:"No progress bar."`
}

// Help shows examples below the flags.
func (findCmd) Help() string {
	return `All conditions must hold.

Examples:
  cbkit find Games.cbh --player "Carl*" --year 2013..2018
  cbkit find Games.cbh --material "KRPP-KRP" --format pgn
  cbkit find Games.cbh 'white-player:tal and (eco:B or result:1-0)'`
}

// condition joins the flags and the query.
func (c *findCmd) condition() (search.Condition, error) {
	var all []search.Condition
	for _, f := range []struct{ term, value string }{
		{"player", c.Player}, {"white-player", c.White}, {"black-player", c.Black},
		{"tournament", c.Tournament}, {"annotator", c.Annotator}, {"source", c.Source}, {"team", c.Team},
		{"title", c.Title}, {"year", c.Year}, {"date", c.Date}, {"eco", c.ECO}, {"result", c.Result},
		{"elo", c.Elo}, {"moves", c.Moves}, {"medal", c.Medal}, {"has", c.Has},
		{"material", c.Material}, {"end", c.End}, {"fen", c.FEN}, {"pawns", c.Pawns}, {"piece", c.Piece},
	} {
		if f.value == "" {
			continue
		}
		term, err := search.Term(f.term, f.value)
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, term)
	}
	if c.Query != "" {
		query, err := search.Parse(c.Query)
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, query)
	}
	if len(all) == 0 {
		return nil, usageError{errors.New("find needs a condition; see cbkit find --help, or --terms for all there are")}
	}
	return search.And(all...), nil
}

// Run implements the verb.
func (c *findCmd) Run(env *environment) error {
	if c.Terms {
		for _, t := range search.Terms() {
			fmt.Fprintf(env.stdout, "%-14s %-16s %s\n", t.Name, t.Value, t.Help)
		}
		return nil
	}
	if c.DB == "" {
		return usageError{errors.New("find needs a database and a condition; see cbkit find --help")}
	}
	condition, err := c.condition()
	if err != nil {
		return err
	}
	bar := newProgress(env.stderr, c.Quiet, -1, "find", "games")
	s, err := search.Open(c.DB, search.Options{
		CodePage: string(c.Codepage), Jobs: int(c.Jobs), NoBoosters: c.NoBoosters, Progress: bar.set, Warn: env.warn,
	})
	if err != nil {
		return err
	}
	defer s.Close()
	found, err := s.Find(env.ctx, condition)
	bar.done()
	if err != nil {
		return err
	}
	if c.Explain {
		fmt.Fprintln(env.stderr, found.Plan)
	}
	return c.print(env, s, found.IDs)
}

// print writes what was found.
func (c *findCmd) print(env *environment, s *search.Searcher, ids []model.RecordID) error {
	out := bufio.NewWriter(env.stdout)
	if c.Format == "ids" {
		for _, id := range ids {
			fmt.Fprintln(out, id)
		}
		return out.Flush()
	}
	db, err := s.Database()
	if err != nil {
		return err
	}
	want := model.WantHeaders
	if c.Format != "table" {
		want = model.WantAll
	}
	for _, id := range ids {
		rec, err := db.Record(env.ctx, id, want)
		if err != nil {
			return err
		}
		switch {
		case c.Format == "jsonl":
			_, err = out.Write(append(jsonl.AppendRecord(nil, rec, db.Entities()), '\n'))
		case c.Format == "table":
			_, err = out.WriteString(tableRow(rec, db.Entities()))
		case rec.Game != nil:
			_, err = out.Write(append(pgn.AppendGame(nil, rec.Game, db.Entities()), '\n'))
		}
		if err != nil {
			return err
		}
	}
	if c.Format == "table" {
		fmt.Fprintf(out, "%d found\n", len(ids))
	}
	return out.Flush()
}

// tableRow is one line about a record.
func tableRow(rec model.Record, e *model.Entities) string {
	if t := rec.Text; t != nil {
		return fmt.Sprintf("%8d  (text)  %s\n", rec.ID, e.Tournaments.Value(t.Tournament).Title)
	}
	g := rec.Game
	players := e.Players.Value(g.White).String() + " - " + e.Players.Value(g.Black).String()
	row := fmt.Sprintf("%8d  %-10s  %-50s %-7s %-3s  %s", rec.ID, g.Date, players, g.Result,
		strings.SplitN(g.ECO.String(), "/", 2)[0], e.Tournaments.Value(g.Tournament).Title)
	if g.Round != 0 {
		row += " (" + strconv.Itoa(int(g.Round)) + ")"
	}
	return row + "\n"
}
