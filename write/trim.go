package write

import (
	"fmt"

	"cbkit/model"
	"cbkit/moveenc"
)

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
