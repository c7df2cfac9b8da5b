package jsonl

import (
	"fmt"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// encoder makes lines of the records of one source.
type encoder struct {
	entities *model.Entities
	database *model.Leftover // still to be written with the first record
	codePage string          // likewise
	seen     mentions
	line     lineEncoder
	depth    int  // of the variations of the last record
	alone    bool // every line says all by itself; leftovers of entities are left out
	sum      summer
	details  details // of the present record
}

// checkSize asks whether a reader would take the line just made.
func (e *encoder) checkSize(size int) error {
	switch {
	case e.depth > MaxDepth:
		return fmt.Errorf("variations nested %d deep, more than %d: %w", e.depth, MaxDepth, model.ErrTooLarge)
	case size > MaxLine:
		return fmt.Errorf("a line of %d MB, more than %d: %w", size>>20, MaxLine>>20, model.ErrTooLarge)
	}
	return nil
}

func newEncoder(e *model.Entities, database *model.Leftover) encoder {
	return encoder{entities: e, database: database}
}

// appendRecord appends the object of a record. The order of the keys is part
// of the format.
func (e *encoder) appendRecord(dst []byte, rec model.Record) []byte {
	o := jsontext.Object{Dst: dst}
	o.Int("id", int64(rec.ID))
	e.depth = 0
	if rec.Game != nil {
		o.Text("kind", "game")
		o.True("deleted", rec.Deleted)
		e.appendGame(&o, rec.Game)
	} else if rec.Text != nil {
		o.Text("kind", "text")
		o.True("deleted", rec.Deleted)
		e.appendText(&o, rec.Text)
	}
	return o.End()
}

func (e *encoder) appendGame(o *jsontext.Object, g *model.Game) {
	r := e.resolve(roles{white: g.White, black: g.Black, tournament: g.Tournament, annotator: g.Annotator,
		source: g.Source, whiteTeam: g.WhiteTeam, blackTeam: g.BlackTeam, gameTitle: g.GameTitle})
	appendHeader(o, g, &r)
	if g.MovesErr == nil { // else the record is among the leftovers
		appendStart(o, g.Start)
	}
	appendAnnotations(o, g.AnnotationsAt(model.NoNode))
	if g.MovesErr == nil {
		e.depth = e.line.appendMoves(o, g)
	}
	e.details = e.gameDetails(g, &r)
	e.appendDetails(o)
}

func (e *encoder) appendText(o *jsontext.Object, t *model.GuidingText) {
	r := e.resolve(roles{white: model.NoEntity, black: model.NoEntity, whiteTeam: model.NoEntity, blackTeam: model.NoEntity,
		tournament: t.Tournament, annotator: t.Annotator, source: t.Source, gameTitle: t.GameTitle})
	o.Text("event", r.tournament.Title)
	o.Text("site", r.tournament.Place)
	appendRound(o, t.Round, t.Subround)
	o.Text("annotator", r.annotator.Name)
	o.Text("source", r.source.Title)
	o.Text("gameTitle", titleName(r.gameTitle))
	o.True("html", t.HTML)
	jsontext.AppendObjects(o, "title", t.Titles, localText)
	jsontext.AppendObjects(o, "content", t.Contents, localText)
	appendStrings(o, "media", t.Media)
	e.details = e.textDetails(t, &r)
	e.appendDetails(o)
}

func (e *encoder) appendDetails(o *jsontext.Object) {
	o.Object("cbh", func(o *jsontext.Object) { detailsShape.Append(o, &e.details) })
}

func appendStrings(o *jsontext.Object, key string, strings []string) {
	list := o.List(key)
	for _, s := range strings {
		list.Next()
		o.Dst = jsontext.AppendText(o.Dst, s)
	}
	list.End()
}

// resultWord returns PGN's word, and "#9" for what is no result.
func resultWord(r model.Result) string {
	if r <= model.BothLose {
		return r.String()
	}
	return numberWord(int(r))
}
