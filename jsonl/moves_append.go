package jsonl

import (
	"strconv"

	"cbkit/internal/jsontext"
	"cbkit/internal/marks"
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
	player      model.Color // who made it
	open        bool        // its object is open
	listed      bool        // its array of alternatives is open
	moves       int         // written on this line
}

// appendMoves appends "moves" and returns how deep the variations are.
func (e *lineEncoder) appendMoves(o *jsontext.Object, g *model.Game) (depth int) {
	if g.Moves.Len() == 0 {
		return 0
	}
	o.Key("moves")
	e.levels = append(e.levels[:0], lineLevel{node: 0, player: g.StartPosition().Turn})
	o.Dst = append(o.Dst, '[')
	for len(e.levels) > 0 {
		depth = max(depth, len(e.levels)-1)
		level := &e.levels[len(e.levels)-1]
		switch {
		case level.node == model.NoNode: // the line ends
			e.levels = e.levels[:len(e.levels)-1]
			o.Dst = append(o.Dst, ']')
		case !level.open: // a move begins
			if level.moves > 0 {
				o.Dst = append(o.Dst, ',')
			}
			level.open, level.listed, level.alternative = true, false, model.NoNode
			if g.Moves.IsMain(level.node) {
				level.alternative = g.Moves.NextAlternative(level.node)
			}
			level.moves++
			o.Dst = appendMove(o.Dst, g, level.node, level.player)
		case level.alternative != model.NoNode: // an alternative to it begins
			if level.listed {
				o.Dst = append(o.Dst, ",["...)
			} else {
				o.Dst = append(o.Dst, `,"alternatives":[[`...)
			}
			first := level.alternative
			level.listed = true
			level.alternative = g.Moves.NextAlternative(first)
			e.levels = append(e.levels, lineLevel{node: first, player: level.player})
		default: // it ends
			if level.listed {
				o.Dst = append(o.Dst, ']')
			}
			level.open = false
			level.node, level.player = g.Moves.Main(level.node), level.player.Other()
			o.Dst = append(o.Dst, '}')
		}
	}
	return depth
}

// appendMove appends the object of a move without its end. Castling is the king's
// own move from e1 or e8 in orthodox chess, and the king taking its rook everywhere
// else.
func appendMove(dst []byte, g *model.Game, node int, player model.Color) []byte {
	o := jsontext.Object{Dst: dst}
	o.Key("uci")
	o.Dst = append(o.Dst, '"')
	if m := g.Moves.Move(node); m.IsNull() {
		o.Dst = append(o.Dst, "0000"...)
	} else {
		from, to := m.From(), m.To()
		if orthodox := g.Start == nil || !g.Start.Chess960; orthodox && (from == model.E1 || from == model.E8) {
			to = m.KingTarget()
		}
		o.Dst = append(o.Dst, 'a'+byte(from.File()), '1'+byte(from.Rank()), 'a'+byte(to.File()), '1'+byte(to.Rank()))
		if p := m.Promotion(); p != model.NoPieceType {
			o.Dst = append(o.Dst, p.Letter()+'a'-'A')
		}
	}
	o.Dst = append(o.Dst, '"')
	if list := g.AnnotationsAt(node); len(list) > 0 {
		nags := o.List("nags")
		for i := range list {
			if symbols, ok := list[i].Value.(model.Symbols); ok {
				for _, n := range symbols.NAGs() {
					nags.Next()
					o.Dst = strconv.AppendUint(o.Dst, uint64(n), 10)
				}
			}
		}
		nags.End()
		appendComments(&o, "before", list, true)
		appendComments(&o, "after", list, false)
		appendRemark(&o, list, player)
		appendAnnotations(&o, list)
	}
	return o.Dst
}

// appendRemark appends what an engine says of its move in a comment, from White's view.
func appendRemark(o *jsontext.Object, list []model.Annotation, player model.Color) {
	for i := range list {
		text, ok := list[i].Value.(model.Text)
		if !ok || text.Before {
			continue
		}
		verdict, spent := marks.Remark(text.Text, player)
		if verdict.Kind == "" {
			continue
		}
		value := "evaluation"
		if verdict.Mate {
			value = "mate"
		}
		o.Key(value)
		o.Dst = strconv.AppendInt(o.Dst, int64(verdict.Value), 10)
		o.Int("depth", int64(verdict.Depth))
		if spent.Kind != "" {
			o.Key("timeSpent")
			o.Dst = strconv.AppendInt(o.Dst, int64(spent.Value), 10)
		}
		return
	}
}
