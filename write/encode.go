package write

import (
	"errors"
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/moveenc"
)

// encoder makes the stored form of games and texts. It knows nothing of where
// their bytes go. What it returns is valid until the next call.
type encoder struct {
	page    cbh.CodePage
	report  model.Report // for what the format cannot hold; may be nil
	scratch struct {
		moves, annotations []byte
		game               model.Game
		links              model.Game // with links as annotations
	}
}

// lost reports a header field that cannot be held.
func (e *encoder) lost(id model.RecordID, field, format string, args ...any) {
	e.report.Add(model.LostField, id, field, format, args...)
}

// storedGame is the stored form of a game, but for its headers.
type storedGame struct {
	moves       []byte // its record of the .cbg file
	annotations []byte // its record of the .cba file, empty without annotations
	// derived is what the headers say of both: what came along, as it was, else
	// what was computed.
	derived  cbh.Derived
	computed bool
}

// game returns the stored form of a game under an id. What cannot be held is
// left out and reported.
func (e *encoder) game(g *model.Game, id model.RecordID) (s storedGame, err error) {
	if s.moves, err = e.moves(g, id); err != nil {
		if g, s.moves, err = e.rest(g, id, err); err != nil {
			return s, err
		}
	}
	s.annotations = e.annotations(g, id)
	s.derived, s.computed, err = e.derived(g, s.annotations)
	return s, err
}

// moves returns the .cbg record of a game.
func (e *encoder) moves(g *model.Game, id model.RecordID) ([]byte, error) {
	leftover := g.Leftovers.Moves.From(cbh.Format)
	if g.MovesErr != nil {
		if head, err := moveenc.DecodeHead(leftover); err == nil && head.Size == len(leftover) {
			return leftover, nil
		}
		return nil, g.MovesErr
	}
	for _, l := range moveenc.Losses(g.Start) {
		e.report.Tell(model.Loss{Kind: l.Kind, Record: id, Field: l.Field, What: l.What})
	}
	if form, err := moveenc.DecodeForm(leftover); err == nil && !form.IsZero() {
		if record, err := moveenc.Append(e.scratch.moves[:0], g.Start, &g.Moves, &form); err == nil {
			e.scratch.moves = record
			return record, nil
		} // else the stored form is not theirs any more
	}
	record, err := moveenc.Append(e.scratch.moves[:0], g.Start, &g.Moves, nil)
	if err == nil {
		e.scratch.moves = record
	}
	return record, err
}

// annotations returns the .cba record of a game.
func (e *encoder) annotations(g *model.Game, id model.RecordID) []byte {
	ctx := cbh.AnnotationContext{Game: id, Page: e.page, Damage: g.AnnotationsErr, Ordered: true}
	if g.MovesErr == nil {
		ctx.Moves = &g.Moves
	}
	leftover := g.Leftovers.Annotations
	if g.AnnotationsErr != nil && !cbh.HasWholeAnnotations(leftover) {
		leftover = nil
	}
	e.scratch.annotations = cbh.AppendAnnotations(e.scratch.annotations[:0], g.Annotations, leftover, ctx, e.report)
	return e.scratch.annotations
}

// derived returns what follows from moves and annotations, whose record is
// given: the stored values if they came along, else computed ones.
func (e *encoder) derived(g *model.Game, annotations []byte) (d cbh.Derived, computed bool, err error) {
	if d, stored := cbh.DecodeDerived(g.Leftovers.Derived.From(cbh.Format)); stored {
		return d, false, nil
	}
	facts, err := derive.Game(g.Start, &g.Moves, cbh.FactsOf(annotations))
	return cbh.Derived{
		Flags: facts.Flags, Magnitude: facts.Magnitude, Medals: facts.Medals, MoveCount: facts.FullMoves,
		Material: [2]uint32{uint32(facts.Material[0]), uint32(facts.Material[1])},
	}, true, err
}

// text returns the .cbg record of a text. One that could not be decoded,
// and whose stored record does not fit its own size, is written empty, one that
// is too large without content; both are reported.
func (e *encoder) text(t *model.GuidingText, id model.RecordID) ([]byte, error) {
	guide := cbh.Guide{HTML: t.HTML, Titles: t.Titles, Contents: t.Contents, Leftover: t.Leftovers.Content}
	record, err := cbh.AppendGuide(e.scratch.moves[:0], guide, id, e.page, e.report)
	switch {
	case errors.Is(err, model.ErrTooLarge):
		e.lost(id, "content", "%v", err)
		guide = cbh.Guide{HTML: t.HTML, Titles: t.Titles}
		if record, err = cbh.AppendGuide(e.scratch.moves[:0], guide, id, e.page, nil); err != nil {
			record, err = cbh.AppendGuide(e.scratch.moves[:0], cbh.Guide{HTML: t.HTML}, id, e.page, nil)
		}
	case err != nil:
	case t.ContentErr != nil && !e.isStoredText(record):
		e.lost(id, "content", "%v", t.ContentErr)
		record, err = cbh.AppendGuide(e.scratch.moves[:0], cbh.Guide{}, id, e.page, nil)
	case t.ContentErr == nil && len(t.Titles)+len(t.Contents) == 0 && e.isDamaged(record): // stored before the reason was taken away
		record, err = cbh.AppendGuide(e.scratch.moves[:0], cbh.Guide{HTML: t.HTML}, id, e.page, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("record %d: %w", id, err)
	}
	e.scratch.moves = record
	return record, nil
}

// isStoredText reports whether a record is one that could not be decoded, and
// of the size it says.
func (e *encoder) isStoredText(record []byte) bool {
	head, err := moveenc.DecodeHead(record)
	return err == nil && head.Size == len(record) && e.isDamaged(record)
}

// isDamaged reports whether the record of a text cannot be decoded.
func (e *encoder) isDamaged(record []byte) bool {
	_, err := cbh.DecodeGuide(record, e.page)
	return err != nil
}

// rest returns what is left of a game that cannot be written as it is,
// and its record. What is lost is reported: moves that are impossible or have no
// form, with what comes after them; what stood behind damage; all moves where there
// is another reason why; and the starting position if the format cannot hold that.
func (e *encoder) rest(g *model.Game, id model.RecordID, why error) (*model.Game, []byte, error) {
	if g.MovesErr != nil && g.Moves.Len() > 0 {
		e.report.Add(model.LostMoves, id, "moves", "what stands behind the damage: %v", why)
		before := &model.Game{Header: g.Header, Start: g.Start, Moves: g.Moves, Annotations: g.Annotations, AnnotationsErr: g.AnnotationsErr}
		record, err := e.moves(before, id)
		if err != nil {
			return e.rest(before, id, err)
		}
		return before, record, nil
	}
	if g.MovesErr == nil {
		t, err := moveenc.Trim(g.Start, &g.Moves)
		if err == nil && len(t.Cuts) > 0 {
			record, err := moveenc.Append(e.scratch.moves[:0], g.Start, &t.Moves, nil)
			if err == nil {
				for _, cut := range t.Cuts {
					e.reportCut(g, id, t.Order, cut)
				}
				return e.trimmed(g, id, t), record, nil
			}
		}
	}
	e.report.Add(model.LostMoves, id, "moves", "%v", why)
	t := moveenc.Trimmed{Order: make([]int32, g.Moves.Len())}
	for i := range t.Order {
		t.Order[i] = model.NoNode
	}
	rest := e.trimmed(g, id, t)
	record, err := moveenc.Append(e.scratch.moves[:0], rest.Start, &rest.Moves, nil)
	if err != nil { // the start, of which why has told
		rest.Start = nil
		record, err = moveenc.Append(e.scratch.moves[:0], nil, &rest.Moves, nil)
	}
	return rest, record, err
}

// reportCut reports a move that is left out, and where.
func (e *encoder) reportCut(g *model.Game, id model.RecordID, order []int32, cut moveenc.Cut) {
	rest := ""
	if cut.After > 0 {
		rest = fmt.Sprintf(" with %d after it", cut.After)
	}
	if g.Moves.IsMain(cut.Node) {
		for alternative := range g.Moves.Alternatives(cut.Node) {
			if order[alternative] != model.NoNode {
				rest += fmt.Sprintf("; the alternative %v takes its place", g.Moves.Move(alternative))
				break
			}
		}
	}
	e.report.Add(model.LostMoves, id, "moves", "%v at ply %d is left out%s: %v",
		g.Moves.Move(cut.Node), g.Moves.Ply(cut.Node)+1, rest, cut.Err)
}

// trimmed returns a game with fewer moves and the annotations that still have a
// place; the others are reported.
func (e *encoder) trimmed(g *model.Game, id model.RecordID, t moveenc.Trimmed) *model.Game {
	rest := &model.Game{Header: g.Header, Start: g.Start, Moves: t.Moves, AnnotationsErr: g.AnnotationsErr}
	for _, a := range g.Annotations {
		if a.Node >= 0 {
			node := int32(model.NoNode)
			if int(a.Node) < len(t.Order) {
				node = t.Order[a.Node]
			}
			if a.Node = node; node == model.NoNode {
				e.report.Add(model.LostAnnotation, id, string(a.Value.Kind()), "its move is lost")
				continue
			}
		}
		rest.Annotations = append(rest.Annotations, a)
	}
	return rest
}
