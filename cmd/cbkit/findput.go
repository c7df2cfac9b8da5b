package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"cbkit/collect"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
)

// firstOf are the first records of a source.
type firstOf struct {
	model.Source
	limit int
	more  bool // there may be more than were read
}

// Progress implements [model.Measured] as the source does.
func (s *firstOf) Progress() (done, total int64) { return model.ProgressOf(s.Source) }

// Records implements [model.Source].
func (s *firstOf) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		n := 0
		for rec, err := range s.Source.Records(ctx, from, want) {
			if !yield(rec, err) {
				return
			}
			if err == nil {
				n++
			}
			if n == s.limit {
				s.more = true
				return
			}
		}
	}
}

// put sorts and limits what was found, and prints or writes it. The total is -1 if
// it is not known beforehand.
func (f *finding) put(src model.Source, total int) error {
	p := &findPrinter{finding: f, origin: func(id model.RecordID) model.RecordID { return id }}
	if f.orders != nil {
		sorted, err := collect.Sort(f.env.ctx, src, f.orders, collect.Options{OnError: f.unread, TempDir: f.transfer.temp})
		if err != nil {
			return err
		}
		defer func() { _ = sorted.Close() }() // temporary files: their folder is told if it stays
		src, total, p.origin = sorted, sorted.Count(), sorted.Origin
	}
	first := &firstOf{Source: src, limit: int(f.Limit)}
	if f.Limit > 0 {
		src = first
	}
	if f.to.path != "" {
		return f.write(src)
	}
	if err := p.print(src); err != nil {
		_, _ = p.out.Write(p.table.appendHeld(nil))
		_ = p.out.Flush() // what was found so far, and then the error
		return err
	}
	f.shown = p.n
	return p.end(total, first.more)
}

// write makes a target of what was found, and none of nothing. Deleted games stay what they are where
// the target has such a thing.
func (f *finding) write(src model.Source) error {
	from := &input{Source: src, name: f.source, as: formatOf(f.DB), close: nothing, page: f.page}
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

// unread tells of a record that cannot be read, unless the search has told.
func (f *finding) unread(id model.RecordID, err error) error {
	if ctxErr := f.env.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if f.found == nil || !f.found.Unread.Has(id) {
		f.env.unread(messageSkipped, err)
	}
	return nil
}

// findPrinter prints records in the format that was asked for.
type findPrinter struct {
	*finding
	origin func(model.RecordID) model.RecordID // the id that a record has in what was searched
	out    *bufio.Writer
	n      int

	table *gameTable
	csv   *sheet
	games *pgn.Writer
	buf   []byte
}

// print prints all records of a source.
func (p *findPrinter) print(src model.Source) error {
	p.out = bufio.NewWriter(p.env.stdout)
	p.env.messages.losses.plain = !p.Lossless
	var more []column
	if p.Leaves != "" {
		more = leavingColumns
	}
	p.table = newGameTable(p.env.stdout, more...)
	if p.csv = p.env.newSheet("", csvFlag{CSV: true}, htmlFlag{}); p.Format == "csv" {
		p.csv.to(p.out)
		if err := p.csv.table(p.csvColumns(), nil); err != nil {
			return err
		}
	}
	p.games = pgn.NewWriter(p.out, pgn.WriterOptions{Plain: !p.Lossless, Deleted: true, Report: p.env.messages.lost})
	if err := p.games.Begin(src); err != nil {
		return err
	}
	want := model.WantHeaders
	switch {
	case p.Format != "table" && p.Format != "csv" && p.Format != "ids":
		want = model.WantAll
	case p.Leaves != "" || strings.Contains(strings.Join(p.Query, " "), "kind:"):
		want |= model.WantMoves // of texts, what they say: their titles
	}
	for rec, err := range src.Records(p.env.ctx, 1, want) {
		switch {
		case err == nil:
			err = p.record(rec, src.Entities())
		case rec.ID > 0:
			err = p.finding.unread(rec.ID, err)
		}
		if err != nil {
			return err
		}
	}
	return p.env.ctx.Err()
}

// record prints a record.
func (p *findPrinter) record(rec model.Record, e *model.Entities) error {
	p.n++
	id := p.origin(rec.ID)
	if p.found != nil && !p.found.Unread.Has(id) {
		p.env.judge(p.source, &rec)
	}
	if p.Format == "pgn" {
		return p.games.Put(rec)
	}
	rec.ID = id
	p.buf = p.buf[:0]
	switch p.Format {
	case "ids":
		return printIDs(p.out, []model.RecordID{id})
	case "jsonl":
		p.buf = append(jsonl.AppendRecord(p.buf, rec, e), '\n')
	case "csv":
		row := append(gameCells(&rec, e), p.leaves(&rec)...)
		if rec.Deleted {
			row = append(row, "yes")
		} else {
			row = append(row, "")
		}
		return p.csv.table(p.csvColumns(), [][]string{row})
	case "epd":
		p.buf = appendEPD(p.buf, &rec, e)
	default:
		if p.n == 1 {
			p.buf = p.table.appendTitles(p.buf)
		}
		p.buf = p.table.appendRow(p.buf, &rec, e, p.leaves(&rec)...)
	}
	_, err := p.out.Write(p.buf)
	return err
}

// csvColumns are those of the table, and whether a game is deleted.
func (p *findPrinter) csvColumns() []column {
	return append(slices.Clone(p.table.columns), column{title: "deleted"})
}

// end prints what stands behind the records.
func (p *findPrinter) end(total int, more bool) error {
	if p.games.Written() > 0 {
		if err := p.games.Commit(); err != nil {
			return err
		}
		if !p.Quiet {
			p.env.messages.printLosses()
		}
	}
	if p.Format == "table" {
		if _, err := p.out.Write(p.table.appendHeld(nil)); err != nil {
			return err
		}
		if err := p.count(total, more); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

// count prints the line that says how many records were found.
func (p *findPrinter) count(total int, more bool) error {
	line := counted(max(total, p.n)) + "\n"
	switch {
	case total < 0 && more:
		line = counted(p.n) + "; the rest was not searched\n"
	case total > p.n && p.Limit > 0:
		line = counted(total) + ", " + shownOf(p.n) + "\n"
	}
	_, err := io.WriteString(p.out, line)
	return err
}
