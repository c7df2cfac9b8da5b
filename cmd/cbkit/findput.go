package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	lib "cbkit"
	"cbkit/board"
	"cbkit/collect"
	"cbkit/internal/epd"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/search"
)

// put sorts and limits what was found, and prints or writes it. The total is -1 if
// it is not known beforehand.
func (f *finder) put(src model.Source, total int) error {
	origin := func(id model.RecordID) model.RecordID { return id }
	if f.orders != nil {
		sorted, err := collect.Sort(f.env.ctx, src, f.orders, collect.Options{OnError: f.unread, TempDir: f.transfer.temp})
		if err != nil {
			return err
		}
		defer func() { _ = sorted.Close() }() // temporary files: if their folder stays, that is reported
		src, total, origin = sorted, sorted.Count(), sorted.Origin
	}
	first := &watchedSource{Source: src, take: func(*model.Record, error) bool { return true }, limit: int(f.Limit)}
	if f.Limit > 0 {
		src = first
	}
	if f.to.path != "" {
		return f.write(src)
	}
	return f.print(src, origin, total, first)
}

// printer prints records in one format.
type printer struct {
	want model.Want
	put  func(rec model.Record, id model.RecordID) (printed bool, err error) // the id is that in what was searched
	end  func(err error) error                                               // prints what was held back, also before an error, which it returns
}

// print prints the records of a source in the format that was asked for; first is what a
// limit leaves of it. Origin returns the id that a record has in what was searched.
func (f *finder) print(src model.Source, origin func(model.RecordID) model.RecordID, total int, first *watchedSource) error {
	env, out := f.env, bufio.NewWriterSize(f.env.stdout, 1<<16)
	env.messages.losses.plain = !f.Lossless
	p, err := f.printer(out, src)
	if err != nil {
		return err
	}
	some := false
	for rec, failed := range src.Records(env.ctx, 1, p.want) {
		if failed != nil && rec.ID > 0 {
			if failed = f.unread(rec.ID, failed); failed == nil {
				continue
			}
		}
		if err = failed; err != nil {
			break
		}
		f.shown++
		id := origin(rec.ID)
		if f.found != nil && !f.found.Unread.Has(id) {
			env.judge(f.source, &rec)
		}
		printed, failed := p.put(rec, id)
		some = some || printed
		if err = failed; err != nil {
			break
		}
	}
	if err = p.end(cmp.Or(err, env.ctx.Err())); err != nil {
		_ = out.Flush() // it comes behind another error
		return err
	}
	switch {
	case f.shown == 0 && f.Format != "table":
		f.reportEmpty("nothing was found")
	case !some && (f.Format == "epd" || f.Format == "fen"):
		what := map[string]string{"fen": "no set-up position", "epd": "no training question"}[f.Format]
		f.reportEmpty(what + " in " + plural(f.shown, "record") + " that " + map[bool]string{true: "was", false: "were"}[f.shown == 1] +
			" found, and the query has no place, such as piece:, material:, fen: or move:")
	case f.Format == "table":
		counted := fmt.Sprintf("%d found", max(total, f.shown))
		switch {
		case total < 0 && first.more:
			counted += "; the rest was not searched"
		case total > f.shown && f.Limit > 0:
			counted += fmt.Sprintf(", %d shown", f.shown)
		}
		_, _ = out.WriteString(counted + "\n") // Flush returns the error
	}
	return out.Flush()
}

// printer returns what prints in the format that was asked for.
func (f *finder) printer(out *bufio.Writer, src model.Source) (printer, error) {
	e := src.Entities()
	places, err := search.NewPlaces(e, f.asked)
	if err != nil {
		return printer{}, err
	}
	var lineOf func(line []byte, rec *model.Record) []byte
	want := model.WantAll
	switch f.Format {
	case "pgn":
		return f.pgnPrinter(out, src)
	case "csv":
		return f.csvPrinter(out, e, places)
	case "table":
		return f.tablePrinter(out, e), nil
	case "ids":
		want = model.WantHeaders
		lineOf = func(line []byte, rec *model.Record) []byte { return fmt.Appendln(line, f.env.label(rec.ID)) }
	case "jsonl":
		lineOf = func(line []byte, rec *model.Record) []byte { return append(jsonl.AppendRecord(line, *rec, e), '\n') }
	case "fen":
		lineOf = func(line []byte, rec *model.Record) []byte {
			if _, _, p, ok := placeIn(places, rec); ok {
				line = append(line, p.FEN()+"\n"...)
			}
			return line
		}
	case "epd":
		lineOf = func(line []byte, rec *model.Record) []byte {
			if line = append(line, plainText(string(epd.AppendGame(nil, rec, e)))...); len(line) == 0 {
				line = appendPlace(line, places, rec, e)
			}
			return line
		}
	}
	var line []byte
	return printer{want: want, put: func(rec model.Record, id model.RecordID) (bool, error) {
		rec.ID = id
		line = lineOf(line[:0], &rec)
		_, err := out.Write(line)
		return len(line) > 0, err
	}, end: func(err error) error { return err }}, nil
}

// pgnPrinter prints PGN, and at the end what is lost in it.
func (f *finder) pgnPrinter(out *bufio.Writer, src model.Source) (printer, error) {
	games := pgn.NewWriter(out, pgn.WriterOptions{Plain: !f.Lossless, Deleted: true, Report: f.env.messages.lost})
	return printer{want: model.WantAll, put: func(rec model.Record, _ model.RecordID) (bool, error) {
		return true, games.Put(rec)
	}, end: func(err error) error {
		if err != nil || games.Written() == 0 {
			return err
		}
		err = games.Commit()
		if err == nil && !f.Quiet {
			f.env.messages.printLosses()
		}
		return err
	}}, games.Begin(src)
}

// moreColumns are those of a table of games that the query brings.
func (f *finder) moreColumns() []column {
	if f.Leaves != "" {
		return []column{text("leaves", 0)}
	}
	return nil
}

// wantOf returns what of the records columns are about.
func (f *finder) wantOf() model.Want {
	if f.Leaves != "" || strings.Contains(strings.Join(f.Query, " "), "kind:") && !slices.Contains(gamesAlone, formatOf(f.DB)) {
		return model.WantHeaders | model.WantMoves // of texts, what they say: their titles
	}
	return model.WantHeaders
}

// csvPrinter prints CSV.
func (f *finder) csvPrinter(out *bufio.Writer, e *model.Entities, places *search.Places) (printer, error) {
	sheet := f.env.newSheet("", csvFlag{CSV: true}, htmlFlag{})
	sheet.to(out)
	columns := slices.Concat(gameColumns, f.moreColumns(), []column{{title: "deleted"}, {title: "ply"}, {title: "fen"}, {title: "move"}})
	rows := make([][]string, 0, heldLines)
	held := func(err error) error {
		if len(rows) > 0 {
			sheet.table(columns, rows)
		}
		rows = rows[:0]
		return cmp.Or(err, sheet.err)
	}
	sheet.table(columns, nil)
	want := f.wantOf()
	if places != nil {
		want = model.WantAll
	}
	return printer{want: want, end: held, put: func(rec model.Record, id model.RecordID) (bool, error) {
		rec.ID = id
		row := append(append(gameCells(&rec, e), f.leaves(&rec)...), map[bool]string{true: "yes"}[rec.Deleted], "", "", "")
		row[0] = f.env.label(id)
		if at, ply, p, ok := placeIn(places, &rec); ok && places != nil {
			row[len(row)-3], row[len(row)-2] = strconv.Itoa(ply), p.FEN()
			if at.Move != model.NoNode {
				row[len(row)-1] = p.SAN(rec.Game.Moves.Move(at.Move))
			}
		}
		if rows = append(rows, row); len(rows) < cap(rows) {
			return true, nil
		}
		return true, held(nil)
	}}, sheet.err
}

// tablePrinter prints a table, of which the widths come from the first records.
func (f *finder) tablePrinter(out *bufio.Writer, e *model.Entities) printer {
	table := newGameTable(f.env.stdout, append(f.moreColumns(), openingColumn)...)
	table.label = f.env.label
	var line []byte
	return printer{want: f.wantOf(), end: func(err error) error {
		_, failed := out.Write(table.appendHeld(nil))
		return cmp.Or(err, failed)
	}, put: func(rec model.Record, id model.RecordID) (bool, error) {
		rec.ID = id
		line = line[:0]
		if f.shown == 1 {
			line = table.appendTitles(line)
		}
		opening := ""
		if rec.Game != nil {
			opening = openingName(rec.Game.ECO)
		}
		line = table.appendRow(line, &rec, e, append(f.leaves(&rec), opening)...)
		_, err := out.Write(line)
		return len(line) > 0, err
	}}
}

// gamesAlone are formats that have no guiding texts.
var gamesAlone = []format{formatSimple, formatScid, lib.Scid3, lib.Scid5, formatPGN}

// reportEmpty says why nothing is printed.
func (f *finder) reportEmpty(why string) {
	if !f.Quiet {
		fmt.Fprintf(f.env.stderr, "%s: %s\n", f.source, why)
	}
}

// write makes a target of what was found, and none of nothing. Deleted games stay what they are where
// the target has such a thing.
func (f *finder) write(src model.Source) error {
	from := &input{Source: src, name: f.source, as: formatOf(f.DB), page: f.page}
	err := f.transfer.run(from, f.to, outputOptions{
		deleted: true, plain: f.to.as == formatPGN && !f.Lossless, pgnFlags: f.pgnFlags, target: f.targetFlags,
	})
	if errors.Is(err, errNothingFound) {
		f.env.making = ""
		if !f.Quiet {
			fmt.Fprintf(f.env.stderr, "%s: %v\n", f.to.path, errNothingFound)
		}
		return nil
	}
	return err
}

// unread reports a record that cannot be read, unless the search has.
func (f *finder) unread(id model.RecordID, err error) error {
	if ctxErr := f.env.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if f.found == nil || !f.found.Unread.Has(id) {
		f.env.unread(messageSkipped, err)
	}
	return nil
}

// placeIn returns the place of the query in a record or, if the query has none, the set-up, with
// the number of plies before it.
func placeIn(places *search.Places, rec *model.Record) (at search.Spot, ply int, p board.Position, ok bool) {
	g := rec.Game
	if places != nil {
		at, ok = places.In(rec)
	} else {
		at, ok = search.Spot{At: model.NoNode, Move: model.NoNode}, g != nil && g.IsPlayable() && g.Start != nil
	}
	if !ok {
		return at, 0, p, false
	}
	p, err := board.After(g.Start, &g.Moves, at.At)
	for node := at.At; node != model.NoNode; node = g.Moves.Parent(node) {
		ply++
	}
	return at, ply, p, err == nil
}

// bestMove is how comments name a better move.
var bestMove = regexp.MustCompile(`(?i)(\S+) (?:was|is|would be|would have been) (?:the )?(?:best|better)|\b(?:best|better)(?: move)?(?: was| is|:)? (?:\d+\.+ ?)?(\S+)`)

// appendPlace appends the place of a query as EPD. Where a move made it worse, the best moves
// are those of its variations or, without any, that of its comments.
func appendPlace(dst []byte, places *search.Places, rec *model.Record, e *model.Entities) []byte {
	at, _, p, ok := placeIn(places, rec)
	if !ok {
		return dst
	}
	var best []string
	g := rec.Game
	if at.Term == "blunder" {
		for n := g.Moves.NextAlternative(at.Move); n != model.NoNode; n = g.Moves.NextAlternative(n) {
			best = append(best, p.SAN(g.Moves.Move(n)))
		}
		for _, a := range g.Annotations {
			if v, is := a.Value.(model.Text); is && int(a.Node) == at.Move && best == nil {
				for _, words := range bestMove.FindAllStringSubmatch(v.Text, -1) {
					if m, err := p.ParseSAN(strings.Trim(words[1]+words[2], ".,;:()")); err == nil && best == nil {
						best = append(best, p.SAN(m))
					}
				}
			}
		}
	}
	dst = append(dst, strings.Join(strings.Fields(p.FEN())[:4], " ")...)
	if best != nil {
		dst = append(dst, " bm "+strings.Join(best, " ")+";"...)
	}
	return append(epd.AppendOrigin(dst, rec, e), '\n')
}
