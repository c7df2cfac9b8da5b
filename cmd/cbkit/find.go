package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cbkit/archive"
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

	Player     []string `help:"A player of either side: Carlsen, \"Carl*\", \"Carlsen, M*\"." placeholder:"NAME" sep:"none"`
	White      []string `help:"The player with the white pieces." placeholder:"NAME" sep:"none"`
	Black      []string `help:"The player with the black pieces." placeholder:"NAME" sep:"none"`
	Tournament []string `help:"The title of the tournament." placeholder:"NAME" sep:"none"`
	Annotator  []string `help:"The annotator." placeholder:"NAME" sep:"none"`
	Source     []string `help:"The title of the source." placeholder:"NAME" sep:"none"`
	Team       []string `help:"The team of either side." placeholder:"NAME" sep:"none"`
	Title      []string `help:"The game title." placeholder:"NAME" sep:"none"`
	Year       []string `help:"A year, or a range such as 1990..1999." placeholder:"YEARS" sep:"none"`
	Date       []string `help:"A date, or a range such as 1997.05..1997.08.15." placeholder:"DATES" sep:"none"`
	ECO        []string `name:"eco" help:"An opening code, or a range such as C50..C59." placeholder:"CODES" sep:"none"`
	Result     []string `help:"1-0, 0-1, 1/2, 0-0 or *." placeholder:"RESULT" sep:"none"`
	Elo        []string `help:"The rating of either side, a range such as 2700.. or 2000..2200." placeholder:"N..N" sep:"none"`
	Moves      []string `help:"The number of moves, a range such as ..20." placeholder:"N..N" sep:"none"`
	Medal      []string `help:"A medal, such as novelty." placeholder:"MEDAL" sep:"none"`
	Has        []string `help:"A kind of annotation, or variations, setup, chess960." placeholder:"WHAT" sep:"none"`
	Material   []string `help:"Material that was on the board, such as KRPP-KRP." placeholder:"MATERIAL" sep:"none"`
	End        []string `help:"Material at the end of the game." placeholder:"MATERIAL" sep:"none"`
	FEN        []string `name:"fen" help:"A position that occurred." placeholder:"FEN" sep:"none"`
	Pawns      []string `help:"A pawn structure that occurred, as a FEN." placeholder:"FEN" sep:"none"`
	Piece      []string `help:"A piece on a square, such as Nd5, nd5 for Black." placeholder:"PIECE" sep:"none"`

	Format     string `help:"table, ids, pgn or jsonl." enum:"table,ids,pgn,jsonl" default:"table" placeholder:"FORMAT"`
	Terms      bool   `help:"List all terms that a query can have, and stop."`
	JSON       bool   `name:"json" help:"Print the ids found, how many records could not be read or decoded, and how the answer was found, as one JSON object."`
	Explain    bool   `help:"Say on standard error how the answer was found."`
	NoBoosters bool   `help:"Trust no search booster and no tree of names: read all."`
	pgnFlags
	Codepage codePage `help:"Code page of names and texts that are not UTF-8; recognised where none is given." default:"" placeholder:"PAGE"`
	Jobs     count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	Quiet    bool     `short:"q" help:"No progress bar."`
	passwordFlag
}

// Help shows examples below the flags.
func (findCmd) Help() string {
	return `All conditions must hold, those of a flag that is given twice too.
The exit status is 1 if games had to be looked at that cannot be read or decoded; what is found may lack them.

Examples:
  cbkit find Games.cbh --player "Carl*" --year 2013..2018
  cbkit find Games.cbh --player karpov --player kasparov --eco D3..E
  cbkit find Games.cbh --material "KRPP-KRP" --format pgn
  cbkit find Games.cbh 'white-player:tal and (eco:B or result:1-0)'`
}

// condition joins the flags and the query.
func (c *findCmd) condition() (search.Condition, error) {
	var all []search.Condition
	for _, f := range []struct {
		term   string
		values []string
	}{
		{"player", c.Player}, {"white-player", c.White}, {"black-player", c.Black},
		{"tournament", c.Tournament}, {"annotator", c.Annotator}, {"source", c.Source}, {"team", c.Team},
		{"title", c.Title}, {"year", c.Year}, {"date", c.Date}, {"eco", c.ECO}, {"result", c.Result},
		{"elo", c.Elo}, {"moves", c.Moves}, {"medal", c.Medal}, {"has", c.Has},
		{"material", c.Material}, {"end", c.End}, {"fen", c.FEN}, {"pawns", c.Pawns}, {"piece", c.Piece},
	} {
		for _, value := range f.values {
			term, err := search.Term(f.term, value)
			if err != nil {
				return nil, usageError{err}
			}
			all = append(all, term)
		}
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
	if err := c.pgnFlags.check(format(c.Format)); err != nil {
		return err
	}
	if c.DB == "" {
		return usageError{errors.New("find needs a database and a condition; see cbkit find --help")}
	}
	condition, err := c.condition()
	if err != nil {
		return err
	}
	in, err := env.locate(c.DB, c.passwordFlag, archive.Options{CodePage: string(c.Codepage), Jobs: int(c.Jobs)})
	if err != nil {
		return err
	}
	defer in.close()
	bar := newProgress(env.stderr, c.Quiet, -1, "find", "games")
	s, err := search.Open(in.name, search.Options{
		FS:       in.files(),
		CodePage: env.recognise(in, c.Codepage).Page, Jobs: int(c.Jobs), NoBoosters: c.NoBoosters, Progress: bar.set,
		Warn: env.warn, Damage: env.damaged,
		Unread: func(_ model.RecordID, err error) { env.damaged(err) },
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
	env.messages.records += found.Unread.Len()
	if c.Explain {
		fmt.Fprintln(env.stderr, found.Plan)
	}
	if err := c.print(env, s, &found); err != nil {
		return err
	}
	if n := env.messages.records; n > 0 {
		fmt.Fprintf(env.stderr, "cbkit: %s: %d records could not be read or decoded, in whole or in part\n", mainFile(c.DB), n)
	}
	return nil
}

// findAnswer is what is printed with --json.
type findAnswer struct {
	IDs      []model.RecordID `json:"ids"`
	Unread   int              `json:"unread"`
	Records  int              `json:"records"`
	Headers  int              `json:"headers"`
	Played   int              `json:"played"`
	Boosters []string         `json:"boosters,omitempty"`
	Notes    []string         `json:"notes,omitempty"`
}

// print writes what was found. What cannot be read is told, once for each
// record.
func (c *findCmd) print(env *environment, s *search.Searcher, found *search.Result) error {
	if c.JSON {
		p := &found.Plan
		answer := findAnswer{found.IDs, found.Unread.Len(), p.Records, p.Headers, p.Played, p.Boosters, p.Notes}
		if answer.IDs == nil {
			answer.IDs = []model.RecordID{}
		}
		return json.NewEncoder(env.stdout).Encode(answer)
	}
	out := bufio.NewWriter(env.stdout)
	if c.Format == "ids" {
		for _, id := range found.IDs {
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
	var losses lossBook
	losses.report, losses.plain = &env.messages, !c.Lossless
	games := pgn.NewWriter(out, pgn.WriterOptions{Plain: !c.Lossless, Deleted: true, Report: losses.add})
	if err := games.Begin(db); err != nil {
		return err
	}
	for _, id := range found.IDs {
		rec, err := db.Record(env.ctx, id, want)
		switch {
		case err == nil:
		case env.ctx.Err() != nil:
			return err
		default:
			if !found.Unread.Has(id) {
				env.unread(messageSkipped, err)
			}
			continue
		}
		if !found.Unread.Has(id) {
			env.judge(mainFile(c.DB), &rec)
		}
		if c.Format == "pgn" {
			err = games.Put(rec)
		} else {
			_, err = out.Write(c.appendRecord(nil, rec, db.Entities()))
		}
		if err != nil {
			return err
		}
	}
	if games.Written() > 0 {
		if err := games.Commit(); err != nil {
			return err
		}
	}
	if !c.Quiet {
		losses.print(env.stderr)
	}
	if c.Format == "table" {
		fmt.Fprintf(out, "%d found\n", len(found.IDs))
	}
	return out.Flush()
}

// appendRecord appends a record as a line.
func (c *findCmd) appendRecord(dst []byte, rec model.Record, e *model.Entities) []byte {
	if c.Format == "jsonl" {
		return append(jsonl.AppendRecord(dst, rec, e), '\n')
	}
	return append(append(dst, plainText(oneLine(tableRow(rec, e)))...), '\n')
}

// tableRow is one line about a record.
func tableRow(rec model.Record, e *model.Entities) string {
	if t := rec.Text; t != nil {
		return fmt.Sprintf("%8d  (text)  %s", rec.ID, e.Tournaments.Value(t.Tournament).Title)
	}
	g := rec.Game
	players := e.Players.Value(g.White).String() + " - " + e.Players.Value(g.Black).String()
	row := fmt.Sprintf("%8d  %-10s  %-50s %-7s %-3s  %s", rec.ID, g.Date, players, g.Result,
		strings.SplitN(g.ECO.String(), "/", 2)[0], e.Tournaments.Value(g.Tournament).Title)
	if g.Round != 0 {
		row += " (" + strconv.Itoa(int(g.Round)) + ")"
	}
	return row
}
