package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// decoder makes records of lines. Its memory is used again for the next one.
type decoder struct {
	entities *model.Entities
	want     model.Want
	s        jsontext.Scanner
	names    map[string]string // one copy of every name that was read
	line     line
	moves    moveDecoder
	order    []int32
	game     model.Game
	text     model.GuidingText
	sum      summer
}

func newDecoder(e *model.Entities) *decoder {
	d := &decoder{entities: e, names: map[string]string{}}
	d.moves.builder = new(model.TreeBuilder)
	return d
}

// decode reads a record. If that fails the record has no more than its id,
// and that only if it was found.
func (d *decoder) decode(text []byte, want model.Want) (model.Record, error) {
	d.s.Reset(text)
	d.s.Most = mostValues + len(text)/bytesPerValue
	d.want = want
	tags := d.line.header.Tags[:0]
	d.line = line{header: model.NewHeader(), annotations: d.line.annotations[:0], in: d}
	d.line.header.Tags = tags
	d.moves.reset(!d.wantsAnnotations())
	if len(text) > longLine { // room for its moves at once: lists that grow are there twice
		n := bytes.Count(text, []byte(`"uci"`))
		d.moves.moves = slices.Grow(d.moves.moves[:0], n)
		d.moves.builder.Reset()
		d.moves.builder.Grow(n)
	}
	recordShape.Parse(&d.s, &d.line)
	if err := d.s.End(); err != nil {
		return model.Record{ID: d.line.id}, err
	}
	rec := model.Record{ID: d.line.id, Deleted: d.line.deleted}
	var err error
	switch d.line.kind {
	case gameRecord, "":
		if d.line.textKey != "" {
			return model.Record{ID: d.line.id}, fmt.Errorf("key %q in a game", d.line.textKey)
		}
		rec.Game, err = d.makeGame()
	case textRecord:
		if d.line.gameKey != "" {
			return model.Record{ID: d.line.id}, fmt.Errorf("key %q in a text", d.line.gameKey)
		}
		l := &d.line
		if l.details.contentErr != nil && len(l.titles)+len(l.contents) > 0 {
			return model.Record{ID: l.id}, errors.New(`both a text and "undecodable" content`)
		}
		d.text = *model.NewGuidingText()
		t := &d.text
		t.Round, t.Subround, t.HTML = l.header.Round, l.header.Subround, l.html
		t.Titles, t.Contents, t.Media = l.titles, l.contents, l.media
		t.ContentErr = l.details.contentErr
		t.Leftovers = model.TextLeftovers{Header: l.details.header, Content: l.details.content}
		t.Tournament, t.Annotator, t.Source, t.GameTitle = d.referCommon()
		rec.Text = t
	default:
		err = fmt.Errorf(`unknown kind %.40q; there are "game" and "text"`, d.line.kind)
	}
	if err != nil {
		return model.Record{ID: d.line.id}, err
	}
	return rec, nil
}

// makeGame makes a game of the line. The entities come last, so that a line
// with an error adds none.
func (d *decoder) makeGame() (*model.Game, error) {
	l, g := &d.line, &d.game
	start, err := parseStart(l.fen, l.variant, l.details.start)
	if err != nil {
		return nil, err
	}
	*g = model.Game{
		Start: start, Moves: g.Moves, Annotations: g.Annotations[:0],
		MovesErr: l.details.movesErr, AnnotationsErr: l.details.annotationsErr,
		Leftovers: model.GameLeftovers{Header: l.details.header, Derived: l.details.derived,
			Moves: l.details.moves, Annotations: l.details.annotations},
	}
	if d.order, err = d.moves.play(start, &g.Moves); err != nil {
		return nil, err
	}
	if g.MovesErr != nil && (g.Moves.Len() > 0 || start != nil) {
		return nil, errors.New(`both moves and "undecodable" moves`)
	}
	for _, a := range l.details.elsewhere {
		// Only of a game whose moves could not be decoded the places are not known.
		if node := int(a.Node); node < model.NoNode || node >= g.Moves.Len() && g.MovesErr == nil {
			return nil, fmt.Errorf("elsewhere: an annotation at move %d of %d", node, g.Moves.Len())
		}
	}
	// The annotations of the game, of its moves and of places that are not there are one
	// sorted list.
	g.Annotations = append(g.Annotations, l.annotations...)
	for _, a := range d.moves.annotations {
		if d.order != nil {
			a.Node = d.order[a.Node]
		}
		g.Annotations = append(g.Annotations, a)
	}
	g.Annotations = append(g.Annotations, l.details.elsewhere...)
	byNode := func(a, b model.Annotation) int { return int(a.Node) - int(b.Node) }
	if !slices.IsSortedFunc(g.Annotations, byNode) {
		slices.SortStableFunc(g.Annotations, byNode)
	}
	if l.medals != 0 && !l.hasAnnotations && d.wantsAnnotations() && g.Medals() == 0 {
		first := 0
		for first < len(g.Annotations) && g.Annotations[first].Node <= model.NoNode {
			first++
		}
		g.Annotations = slices.Insert(g.Annotations, first, model.Annotation{Node: model.NoNode, Value: l.medals})
	}
	d.dropStale(g)
	g.Header, g.LineEvaluation = l.header, l.details.lineEvaluation
	if l.forfeit {
		g.Result = g.Result.Forfeit()
	}
	if len(g.Tags) == 0 {
		g.Tags = nil
	}
	d.referGame(&g.Header)
	return g, nil
}

// Decoder decodes single lines, such as those of an [Encoder]. A decoder may be
// used by one goroutine at a time.
type Decoder struct{ dec *decoder }

// NewDecoder returns a decoder that adds the entities of what it reads to the
// tables.
func NewDecoder(e *model.Entities) *Decoder { return &Decoder{newDecoder(e)} }

// Decode reads a line. The record is valid until the next call; without an id
// in the line its id is 0. An error adds no entities.
func (d *Decoder) Decode(line []byte, want model.Want) (model.Record, error) {
	if len(line) > maxLine {
		return model.Record{}, errLongLine
	}
	return d.dec.decode(line, want)
}
