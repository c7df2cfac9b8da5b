package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	lib "cbkit"
	"cbkit/collect"
	"cbkit/lines"
	"cbkit/model"
	"cbkit/search"
)

// findCmd is "cbkit find".
type findCmd struct {
	DB    string   `arg:"" zip:"reads" optional:"" name:"db" help:"Database, PGN, JSON Lines or Parquet file to search; a folder is all that is in it; - is standard input."`
	Query []string `arg:"" optional:"" help:"Conditions such as 'eco:C50..C59 and not (result:1/2 or year:..1990)'; without a colon in it, the name of a player."`
	findFlags
	In     string `help:"Only games that stay in the lines of a repertoire: a file of games with variations." xor:"lines" placeholder:"REP.pgn"`
	Leaves string `help:"Only games that leave the lines of a repertoire, with the move that does." xor:"lines" placeholder:"REP.pgn"`

	Limit      count   `help:"Only the first so many." placeholder:"N"`
	Sort       string  `help:"Order: keys with commas between them: date, event, place, round, white, black, elo, white-elo, black-elo, eco, result, plies; a minus before a key turns its order." placeholder:"KEYS" values:"date,event,place,round,white,black,elo,white-elo,black-elo,eco,result,plies"`
	Count      bool    `help:"Only how many there are."`
	Out        outName `short:"o" name:"output" help:"Write what is found to a database or file: .cbh, .dci, .pgn, .jsonl or .epd." placeholder:"OUT"`
	CSV        bool    `name:"csv" help:"As --format csv: the table for spreadsheets."`
	Format     string  `help:"table, csv, ids, pgn, jsonl; fen or epd: the position that the query first asks for in each game, or the set-up; epd of games with training questions: these, with their solutions." enum:"table,csv,ids,pgn,jsonl,fen,epd" default:"table" placeholder:"FORMAT"`
	Terms      bool    `help:"List all terms that a query can have, with --json one object a line, and stop."`
	Explain    bool    `help:"Say on standard error how the answer was found."`
	NoBoosters bool    `help:"Trust no search booster and no tree of names: read all."`
	makeFlags
}

// printsOutcome implements [outcomePrinter].
func (c *findCmd) printsOutcome() bool { return c.JSON && c.Out != "" }

// Run implements the verb.
func (c *findCmd) Run(env *environment) error {
	if c.Terms {
		for _, t := range search.Terms() {
			if !c.JSON {
				fmt.Fprintf(env.stdout, "%-14s %-14s %s\n", t.Name, t.Value, wrappedAt(env.stdout, 30, t.Help))
			} else if err := env.answer(t); err != nil {
				return err
			}
		}
		return nil
	}
	if c.CSV {
		c.Format = "csv"
	}
	if c.DB == "" {
		return usageError{errors.New("find needs a database and a condition; see cbkit find --help")}
	}
	condition, err := c.condition(strings.Join(c.Query, " "), c.Limit > 0 || c.Sort != "" || c.Count || c.Out != "" || c.In+c.Leaves != "")
	if err != nil {
		return err
	}
	if !c.Deleted {
		condition = withoutDeleted(strings.Join(c.Query, " "), condition)
	}
	f := &finder{findCmd: c, env: env}
	if c.Sort != "" {
		if f.orders, err = collect.ParseOrders(sameKeys(c.Sort)); err != nil {
			return usageError{err}
		}
	}
	switch {
	case c.Out == "":
		err = c.pgnFlags.check(format(c.Format))
	case c.Format != "table" || c.Count:
		return usageError{errors.New("--output: the name says the format; --format and --count print")}
	default:
		f.to, err = parseTarget(string(c.Out), formatChessBase, formatSimple, formatScid, formatPGN, formatJSONL, formatEPD)
		if err == nil && c.DB != "-" {
			err = env.refuseSources(f.to, c.DB)
		}
	}
	if err != nil {
		return err
	}
	if condition, err = f.ask(condition); err != nil {
		return err
	}
	f.asked, f.transfer = condition, newTransfer(env, c.transferFlags, "find", f.to)
	if as := formatOf(c.DB); c.DB == "-" || as.IsText() || as == formatParquet || lib.IsFolder(c.DB) {
		return f.read(condition)
	}
	return f.search(condition)
}

// finder is one run of find: a search, and what is done with its answer.
type finder struct {
	*findCmd
	env      *environment
	transfer *transfer
	to       target // of --output; no path if there is none
	orders   []collect.Order
	asked    search.Condition

	lines  *lines.Repertoire // of --in and --leaves
	left   []leavingJSON     // what is answered of --leaves as JSON
	found  *search.Result    // of a database
	source string            // its name in messages
	page   string            // code page of what was searched
	shown  int               // how many records were printed
}

// search finds games in a database, with all that helps.
func (f *finder) search(condition search.Condition) error {
	var opt lib.Options
	if err := f.transfer.fill(&opt, formatOf(f.DB)); err != nil {
		return err
	}
	in, err := lib.Locate(f.DB, opt)
	if err != nil {
		return err
	}
	defer in.Close()
	if f.page = string(f.Codepage); f.page == "" {
		guess, _ := in.GuessCodePage() // what is wrong shows again when it is searched
		f.page = guess.Page
		f.env.reportPage(mainFile(in.Name), guess)
	}
	bar := newProgress(f.env.stderr, f.Quiet, -1, "find", "games")
	s, err := search.Open(in.Name, search.Options{
		FS:       in.Files,
		CodePage: f.page, Jobs: int(f.Jobs), NoBoosters: f.NoBoosters, Progress: bar.set,
		Warn: f.env.warn, Damage: f.env.damaged,
		Unread: func(_ model.RecordID, err error) { f.env.damaged(err) },
	})
	if err != nil {
		return err
	}
	defer s.Close()
	find := s.Find
	switch {
	case f.Count && !f.JSON && f.Out == "":
		find = s.Count
	case f.Limit > 0 && f.orders == nil:
		find = func(ctx context.Context, c search.Condition) (search.Result, error) {
			return s.First(ctx, c, int(f.Limit))
		}
	}
	found, err := find(f.env.ctx, condition)
	bar.done()
	if err != nil {
		return err
	}
	f.found, f.source = &found, mainFile(f.DB)
	f.env.messages.records += found.Unread.Len()
	if f.Explain {
		fmt.Fprintln(f.env.stderr, found.Plan)
	}
	return f.answer(s)
}

// answer does what was asked for with what was found in a database.
func (f *finder) answer(s *search.Searcher) error {
	ids := f.found.IDs
	if f.JSON && f.Out == "" {
		src, err := s.Source(search.Result{IDs: ids})
		if err != nil {
			return err
		}
		if f.Leaves != "" {
			for rec, err := range model.Readable(f.env.ctx, src, model.WantMoves, f.unread) {
				if err != nil {
					return err
				}
				f.addLeaving(&rec)
			}
		}
		return f.printJSON(f.found, f.found.Unread.Len())
	}
	defer func() { f.env.reportAlso(f.found.Also, f.Quiet) }()
	f.env.reportNone(f.found.Unknown, f.found.MainLinesOnly, variationsFlag)
	if f.Count {
		_, err := fmt.Fprintf(f.env.stdout, "%d found\n", len(ids))
		return err
	}
	total := len(ids)
	if f.found.More {
		total = -1
	}
	if f.Format == "ids" && f.orders == nil {
		if len(ids) == 0 {
			f.reportEmpty("nothing was found")
		}
		var lines []byte
		for _, id := range ids {
			lines = fmt.Appendln(lines, id)
		}
		_, err := f.env.stdout.Write(lines)
		return err
	}
	if f.to.path != "" && f.orders == nil {
		db, err := s.Database()
		if err != nil {
			return err
		}
		f.transfer.games = &idSet{found: ids}
		return f.write(db)
	}
	src, err := s.Source(search.Result{IDs: ids})
	if err != nil {
		return err
	}
	return f.put(src, total)
}

// read finds games in what can only be read from its beginning to its end.
func (f *finder) read(condition search.Condition) error {
	src, err := f.transfer.openInput(f.DB)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	f.source, f.page = src.name, src.page
	all := src.Source
	if f.to.path == "" { // what is written is watched there
		bar := newSourceProgress(f.env.stderr, f.Quiet, src, "find")
		defer bar.done()
		all = bar.judged(f.env, src)
	}
	selection, err := search.Select(all, condition)
	if err != nil {
		return err
	}
	if f.JSON && f.Out == "" || f.Count {
		err = f.countAll(selection)
	} else if err = f.put(selection, -1); err == nil && f.transfer.written+f.shown == 0 {
		f.env.reportNone(selection.Unknown(), selection.MainLinesOnly(), variationsFlag)
	}
	if err == nil && (!f.JSON || f.Out != "") && f.Limit == 0 {
		f.env.reportAlso(selection.Also(), f.Quiet)
	}
	if f.Explain {
		fmt.Fprintln(f.env.stderr, selection.Plan())
	}
	if err == nil {
		err = src.Entities().Err()
	}
	return err
}

// countAll reads a source to its end for the number of records alone, or their
// ids.
func (f *finder) countAll(selection *search.Selection) error {
	var answer search.Result
	n, unread := 0, 0
	for rec, err := range selection.Records(f.env.ctx, 1, 0) {
		if err != nil {
			if rec.ID == 0 {
				return err
			}
			unread++
			if err = f.transfer.onError(rec.ID, err); err != nil {
				return err
			}
			continue
		}
		if n++; f.JSON {
			answer.IDs = append(answer.IDs, rec.ID)
			f.addLeaving(&rec)
		}
	}
	if err := f.env.ctx.Err(); err != nil {
		return err
	}
	if n == 0 {
		answer.Unknown, answer.MainLinesOnly = selection.Unknown(), selection.MainLinesOnly()
	}
	if f.JSON {
		answer.Plan, answer.Also = selection.Plan(), selection.Also()
		return f.printJSON(&answer, unread)
	}
	f.env.reportNone(answer.Unknown, answer.MainLinesOnly, variationsFlag)
	_, err := fmt.Fprintf(f.env.stdout, "%d found\n", n)
	return err
}

// printJSON prints the answer of --json.
func (f *finder) printJSON(found *search.Result, unread int) error {
	ids := make([]any, 0, len(found.IDs))
	for _, id := range limited(found.IDs, f.Limit) {
		ids = append(ids, f.env.labelJSON(id))
	}
	return f.env.answer(struct {
		IDs    []any    `json:"ids"` // numbers or, of a folder, strings
		Unread int      `json:"unread"`
		Broken []string `json:"broken,omitempty"` // why databases of a folder could not be read
		search.Plan
		Leaves  []leavingJSON     `json:"leaves,omitempty"`
		Unknown []search.Unknown  `json:"unknown,omitempty"`
		Also    []search.Spelling `json:"also,omitempty"`
		// MainLinesOnly says that nothing was found, and variations were not searched.
		MainLinesOnly bool `json:"mainLinesOnly,omitempty"`
	}{ids, unread, f.transfer.told, found.Plan, limited(f.left, f.Limit), found.Unknown, found.Also, found.MainLinesOnly})
}

// leavingJSON is the move with which a game leaves a repertoire.
type leavingJSON struct {
	ID   any    `json:"id"` // a number or, of a folder, a string
	Ply  int    `json:"ply"`
	Move string `json:"move"`
}

// repertoire reads all lines of a source that have moves.
func (t *transfer) repertoire(path string) (*lines.Repertoire, error) {
	src, err := t.openInput(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = src.close() }() // it was only read
	all, err := t.linesOf(src)
	if err == nil && all.Len() < 2 {
		err = fmt.Errorf("%s: has no moves to stay in", path)
	}
	return all, err
}

// linesOf reads all lines of a source.
func (t *transfer) linesOf(src *input) (*lines.Repertoire, error) {
	all := lines.NewRepertoire()
	for rec, err := range model.Readable(t.env.ctx, src.Source, model.WantMoves, t.onError) {
		if err != nil {
			return nil, err
		}
		if t.judge(src.name, &rec); rec.Game != nil && !rec.Deleted {
			all.Add(rec.Game)
		}
	}
	return all, nil
}

// ask adds to a condition what is asked of a repertoire.
func (f *finder) ask(condition search.Condition) (search.Condition, error) {
	path := f.In + f.Leaves
	switch {
	case path == "":
		return condition, nil
	case path == "-" && f.DB == "-":
		return nil, usageError{errors.New("find: the games and the repertoire cannot both be standard input; name a file")}
	}
	var err error
	if f.lines, err = newTransfer(f.env, f.transferFlags, "find", target{}).repertoire(path); err != nil {
		return nil, err
	}
	flag, asked := "--leaves ", func(node int, leaves bool) bool { return leaves && node != model.NoNode }
	if f.In != "" {
		flag, asked = "--in ", func(_ int, leaves bool) bool { return !leaves }
	}
	return search.And(condition, search.Func(flag+path, func(g *model.Game) bool { return asked(f.lines.Leaves(g)) })), nil
}

// leave returns the move with which a game leaves the repertoire, if that was asked for.
func (f *finder) leave(rec *model.Record) (l leavingJSON, ok bool) {
	if f.Leaves == "" || rec.Game == nil {
		return l, false
	}
	node, _ := f.lines.Leaves(rec.Game)
	return leavingJSON{f.env.labelJSON(rec.ID), node + 1, moveAt(rec.Game, node)}, true
}

// addLeaving notes the move for the answer.
func (f *finder) addLeaving(rec *model.Record) {
	if l, ok := f.leave(rec); ok {
		f.left = append(f.left, l)
	}
}

// leaves returns the cell of the move.
func (f *finder) leaves(rec *model.Record) []string {
	if l, ok := f.leave(rec); ok {
		return []string{l.Move}
	}
	return nil
}
