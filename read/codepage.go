package read

import (
	"context"
	"math/bits"

	"cbkit/internal/cbh"
	"cbkit/internal/codepage"
	"cbkit/model"
)

// How much of a database a guess looks at: names of each table and records, each
// spread over all of them, of records several in a row, since each place costs a
// disk or a browser far more than the records at it, texts of a record, bytes of a guiding text, and bytes of
// all texts of records, most of which say nothing in most databases.
const (
	guessNames   = 1 << 14
	guessBits    = 5
	guessRow     = 8
	guessRecords = guessRow << guessBits
	guessTexts   = 8
	guessText    = 1 << 13
	guessBytes   = 1 << 18
)

// GuessCodePage guesses the code page of the names and texts of a database that
// are not UTF-8, from a sample all over the database, or all of a small one. It
// takes no longer for a large database. [Open] does not guess: to follow a
// guess, set [Options].CodePage.
func GuessCodePage(ctx context.Context, set *FileSet) (model.PageGuess, error) {
	db, err := OpenFiles(set, Options{asBytes: true, Jobs: 1})
	if err != nil {
		return model.PageGuess{}, err
	}
	defer func() { _ = db.Close() }() // it was only read
	g := guesser{names: guessNames}
	if _, apart := db.(*ChessBase2); apart { // each name costs a disk a place, and few are no UTF-8
		g.names /= 16
	}
	e := db.Entities()
	guessTable(&g, &e.Players, func(p model.Player) []string { return []string{p.String()} })
	guessTable(&g, &e.Tournaments, func(t model.Tournament) []string { return []string{t.Title, t.Place} })
	guessTable(&g, &e.Annotators, func(a model.Annotator) []string { return []string{a.Name} })
	guessTable(&g, &e.Sources, func(p model.Publication) []string { return []string{p.Title, p.Publisher} })
	guessTable(&g, &e.Teams, func(t model.Team) []string { return []string{t.Title} })
	guessTable(&g, &e.GameTitles, func(t model.GameTitle) []string { return t.Titles[:] })
	count := max(db.Count(), 0)
	g.size = 0
	ids := func(yield func(model.RecordID) bool) {
		for i := range min(count, guessRecords) {
			// Rows in an order in which any beginning is spread over all of them.
			row := int(bits.Reverse16(uint16(i/guessRow)) >> (16 - guessBits))
			id := 1 + row*(count/(guessRecords/guessRow)) + i%guessRow
			if count <= guessRecords {
				id = 1 + i
			}
			if !yield(model.RecordID(id)) {
				return
			}
		}
	}
	for rec, err := range db.(model.Numbered).RecordsOf(ctx, ids, model.WantAnnotations) {
		if g.Enough() || g.size >= guessBytes {
			break
		}
		if ctx.Err() != nil {
			return model.PageGuess{}, ctx.Err()
		}
		if err == nil { // the reader of the record meets the error
			g.record(&rec)
		}
	}
	return g.Guess(), nil
}

// guessTable looks at the names of a table.
func guessTable[T comparable](g *guesser, table *model.Table[T], names func(T) []string) {
	count := table.Len()
	for i := 0; i < count && !g.Enough(); i += max(1, count/g.names) {
		for _, name := range names(table.Value(model.EntityID(i))) {
			g.add(name)
		}
	}
}

// guesser looks at names and texts that were decoded as bytes.
type guesser struct {
	codepage.Detector
	names int // to look at in each table
	bytes []byte
	size  int // of what was looked at
}

// record looks at the texts of a record.
func (g *guesser) record(rec *model.Record) {
	if t := rec.Text; t != nil {
		for _, title := range t.Titles {
			g.add(title.Text)
		}
		for _, content := range t.Contents {
			g.add(content.Text[:min(len(content.Text), guessText)])
		}
		return
	}
	before := g.Texts()
	for _, a := range rec.Game.Annotations {
		if g.Texts() == before+guessTexts {
			return
		}
		switch v := a.Value.(type) {
		case model.Text:
			g.add(v.Text)
		case model.Quotation:
			g.add(v.White)
			g.add(v.Event)
		}
	}
}

// add looks at a name or text.
func (g *guesser) add(s string) {
	g.size += len(s)
	var ok bool
	if g.bytes, ok = cbh.AppendBytes(g.bytes[:0], s); ok {
		g.Add(g.bytes)
	}
}
