package jsonl

import (
	"cmp"
	"errors"
	"fmt"

	"cbkit/board"
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
	record   line // the present one
}

// check asks whether a reader would take the line just made.
func (e *encoder) check(line []byte) error {
	switch size := len(line); {
	case e.depth > maxDepth:
		return fmt.Errorf("variations nested %d deep, more than %d: %w", e.depth, maxDepth, model.ErrTooLarge)
	case size > maxLine:
		return fmt.Errorf("a line of %d MB, more than %d: %w", size>>20, maxLine>>20, model.ErrTooLarge)
	case size > longLine:
		// It may have too many values, which nothing but reading it tells.
		if _, err := newDecoder(&model.Entities{}).decode(line, model.WantAll); errors.Is(err, model.ErrTooLarge) {
			return err
		}
	}
	return nil
}

// appendRecord appends the object of a record.
func (e *encoder) appendRecord(dst []byte, rec model.Record) []byte {
	e.depth = 0
	e.record = line{id: rec.ID, out: e}
	if rec.Game != nil {
		e.setGame(rec.Game)
	} else if rec.Text != nil {
		e.setText(rec.Text)
	}
	e.record.deleted = rec.Deleted && e.record.kind != ""
	o := jsontext.Object{Dst: dst}
	recordShape.Append(&o, &e.record)
	return o.End()
}

func (e *encoder) setGame(g *model.Game) {
	r := e.resolve(&g.Header)
	l := &e.record
	l.kind, l.header, l.forfeit, l.medals = gameRecord, g.Header, g.Result.IsForfeit(), g.Medals()
	l.white, l.black = r.white.String(), r.black.String()
	l.whiteTeam, l.blackTeam = r.whiteTeam.Title, r.blackTeam.Title
	l.setCommon(&r)
	l.annotations = g.AnnotationsAt(model.NoNode)
	if g.MovesErr == nil { // else the record is among the leftovers
		l.moves = g
		if g.Start != nil {
			l.fen = board.FormatFEN(g.Start)
			if g.Start.Chess960 {
				l.variant = chess960
			}
		}
	}

	// What the neutral keys do not say.
	l.details = e.commonDetails(&r)
	d, left := &l.details, &g.Leftovers
	d.white, d.black = inexactPlayer(r.white), inexactPlayer(r.black)
	if g.Start != nil && g.MovesErr == nil {
		// A FEN cannot say, for instance, that there is no move number.
		if p, err := parseFEN(board.FormatFEN(g.Start), g.Start.Chess960); err != nil || p != *g.Start {
			d.start = g.Start
		}
	}
	d.whiteTeam, d.blackTeam = r.whiteTeam, r.blackTeam
	d.lineEvaluation = g.LineEvaluation
	for from := 0; from < len(g.Annotations); { // those of places that the game does not have
		node := g.Annotations[from].Node
		here := g.AnnotationsAt(int(node))
		from += max(len(here), 1)
		if node < model.NoNode || node > model.NoNode && (g.MovesErr != nil || int(node) >= g.Moves.Len()) {
			d.elsewhere = append(d.elsewhere, here...)
		}
	}
	d.movesErr, d.annotationsErr = g.MovesErr, g.AnnotationsErr
	d.header, d.derived, d.moves, d.annotations = left.Header, left.Derived, left.Moves, left.Annotations
	if d.derived != nil || d.moves != nil {
		d.sums.moves = e.sum.moves(g)
	}
	if d.derived != nil {
		d.sums.annotations = e.sum.annotations(g)
	}
}

func (e *encoder) setText(t *model.GuidingText) {
	h := model.NewHeader()
	h.Tournament, h.Annotator, h.Source, h.GameTitle = t.Tournament, t.Annotator, t.Source, t.GameTitle
	r := e.resolve(&h)
	l := &e.record
	l.kind, l.html, l.titles, l.contents, l.media = textRecord, t.HTML, t.Titles, t.Contents, t.Media
	l.header.Round, l.header.Subround = t.Round, t.Subround
	l.setCommon(&r)
	l.details = e.commonDetails(&r)
	l.details.contentErr, l.details.header, l.details.content = t.ContentErr, t.Leftovers.Header, t.Leftovers.Content
}

// setCommon sets the names that games and texts have.
func (l *line) setCommon(r *resolved) {
	l.event, l.site, l.annotator, l.source = r.tournament.Title, r.tournament.Place, r.annotator.Name, r.source.Title
	l.gameTitle = cmp.Or(r.gameTitle.Titles[:]...) // the first that there is
}

func appendStrings(o *jsontext.Object, key string, strings []string) {
	jsontext.AppendList(o, key, strings, jsontext.AppendText)
}

// resultWord returns PGN's word, and "#9" for what is no result.
func resultWord(r model.Result) string {
	if r <= model.BothLose {
		return r.String()
	}
	return numberWord(int(r))
}

// Encoder encodes single records as JSON lines, for callers that store them
// elsewhere than in a file of JSON Lines. Each line is complete by itself;
// leftovers of entities and of the database, which belong to no single record,
// are in none of them. An encoder may be used by one goroutine at a time.
type Encoder struct{ enc encoder }

// NewEncoder returns an encoder of records that refer to the entities, whose
// tables may grow meanwhile.
func NewEncoder(e *model.Entities) *Encoder {
	return &Encoder{encoder{entities: e, alone: true}}
}

// Append appends a record as a JSON object without a line break. An id of 0 is
// left out. Records that no reader would take, because variations are nested
// deeper than 1000 or the line is longer than 64 MB, are refused with
// [model.ErrTooLarge] and append nothing. Annotations of types that the model
// does not have are left out; [model.Game.WithKnownValues] reports them.
func (e *Encoder) Append(dst []byte, rec model.Record) ([]byte, error) {
	if rec.Game != nil {
		rec.Game = rec.Game.WithKnownValues(rec.ID, nil)
	}
	line := e.enc.appendRecord(dst, rec)
	if err := e.enc.check(line[len(dst):]); err != nil {
		return dst, fmt.Errorf("jsonl: record %d: %w", rec.ID, err)
	}
	return line, nil
}
