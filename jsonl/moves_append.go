package jsonl

import (
	"cbkit/internal/jsontext"
	"cbkit/model"
)

// lineEncoder writes trees of moves without recursion. Each level is a line
// of moves that is being written; the next level is an alternative to the
// present move of the level before.
type lineEncoder struct {
	levels []lineLevel
}

// lineLevel is the state of one line.
type lineLevel struct {
	node int // the present move, NoNode at the end of the line
	// alternative is the one of the present move that is written next.
	alternative int
	open        bool // the object of the present move is open
	listed      bool // its array of alternatives is open
	moves       int  // written on this line
}

// appendMoves appends "moves" and returns how deep the variations are.
func (e *lineEncoder) appendMoves(o *jsontext.Object, g *model.Game) (depth int) {
	if g.Moves.Len() == 0 {
		return 0
	}
	o.Key("moves")
	e.levels = append(e.levels[:0], lineLevel{node: 0})
	o.Dst = append(o.Dst, '[')
	for len(e.levels) > 0 {
		depth = max(depth, len(e.levels)-1)
		o.Dst = e.step(o.Dst, g)
	}
	return depth
}

// step writes what comes next: the beginning of a move, the beginning of an
// alternative to it, its end, or the end of the line.
func (e *lineEncoder) step(dst []byte, g *model.Game) []byte {
	level := &e.levels[len(e.levels)-1]
	switch {
	case level.node == model.NoNode:
		e.levels = e.levels[:len(e.levels)-1]
		return append(dst, ']')
	case !level.open:
		if level.moves > 0 {
			dst = append(dst, ',')
		}
		level.open, level.listed, level.alternative = true, false, model.NoNode
		if g.Moves.IsMain(level.node) {
			level.alternative = g.Moves.NextAlternative(level.node)
		}
		level.moves++
		return appendMove(dst, g, level.node)
	case level.alternative != model.NoNode:
		if level.listed {
			dst = append(dst, ",["...)
		} else {
			dst = append(dst, `,"alternatives":[[`...)
		}
		first := level.alternative
		level.listed = true
		level.alternative = g.Moves.NextAlternative(first)
		e.levels = append(e.levels, lineLevel{node: first})
		return dst
	}
	if level.listed {
		dst = append(dst, ']')
	}
	level.open = false
	level.node = g.Moves.Main(level.node)
	return append(dst, '}')
}

// appendMove appends the object of a move without its end.
func appendMove(dst []byte, g *model.Game, node int) []byte {
	o := jsontext.Object{Dst: dst}
	o.Key("uci")
	o.Dst = append(appendUCI(append(o.Dst, '"'), g.Moves.Move(node), g.Start), '"')
	if list := g.AnnotationsAt(node); len(list) > 0 {
		appendNAGs(&o, list)
		appendComments(&o, "before", list, true)
		appendComments(&o, "after", list, false)
		appendAnnotations(&o, list)
	}
	return o.Dst
}

// appendUCI appends a move. Castling is the king's own move from e1 or e8 in
// orthodox chess, and the king taking its rook everywhere else.
func appendUCI(dst []byte, m model.Move, start *model.Position) []byte {
	if m.IsNull() {
		return append(dst, "0000"...)
	}
	from, to := m.From(), m.To()
	if orthodox := start == nil || !start.Chess960; orthodox && (from == model.E1 || from == model.E8) {
		to = m.KingTarget()
	}
	dst = append(dst, 'a'+byte(from.File()), '1'+byte(from.Rank()), 'a'+byte(to.File()), '1'+byte(to.Rank()))
	if p := m.Promotion(); p != model.NoPieceType {
		dst = append(dst, p.Letter()+'a'-'A')
	}
	return dst
}
