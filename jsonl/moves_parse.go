package jsonl

import (
	"fmt"

	"cbkit/board"
	"cbkit/internal/jsontext"
	"cbkit/model"
)

// moveDecoder reads trees of moves, without recursion, in two passes: the
// text, in which the keys of a move may come in any order, and the moves on a
// board, which tells castling from other moves.
type moveDecoder struct {
	// moves in the order in which their objects begin: a move, its
	// alternatives, then what follows it.
	moves  []readMove
	levels []textLevel
	// annotations by place; the places are indices of moves.
	annotations []model.Annotation
	// skip says that annotations are not wanted.
	skip bool

	boards  []boardLevel
	builder *model.TreeBuilder
}

// readMove is a move of the text.
type readMove struct {
	parent int32 // NoNode for a first move
	depth  int32 // of the variation
	uci    [5]byte
	size   uint8 // of uci
}

// textLevel is the state of one line of moves that is being read; the next
// level is an alternative to its present move.
type textLevel struct {
	before       int32 // the move before the present one
	present      int32
	open         bool // the object of the present move is open
	alternatives bool // and its array of alternatives
	seen         moveKeys
	// copies are the texts of "nags", "before" and "after".
	nags, earlier, later []byte
}

// moveKeys are the keys of a move that were met.
type moveKeys uint8

const (
	uciKey moveKeys = 1 << iota
	annotationsKey
	alternativesKey
)

// reset forgets the moves of the last game.
func (d *moveDecoder) reset(skipAnnotations bool) {
	d.moves, d.annotations, d.skip = d.moves[:0], d.annotations[:0], skipAnnotations
}

// read reads the text of "moves".
func (d *moveDecoder) read(s *jsontext.Scanner) {
	d.reset(d.skip)
	d.levels = append(d.levels[:0], textLevel{before: model.NoNode})
	s.BeginArray()
	for len(d.levels) > 0 && s.Err() == nil {
		level := &d.levels[len(d.levels)-1]
		switch {
		case level.alternatives:
			if level.alternatives = s.NextElement(); !level.alternatives {
				break
			}
			if len(d.levels) > maxDepth {
				s.Failf("variations nested more than %d deep", maxDepth)
				break
			}
			s.BeginArray()
			d.levels = append(d.levels, textLevel{before: level.before})
		case level.open:
			if level.open = s.NextKey(); level.open {
				d.member(s, level)
				break
			}
			if level.seen&uciKey == 0 {
				s.Failf(`a move without "uci"`)
				break
			}
			if level.seen&annotationsKey == 0 && !d.skip {
				d.readCopies(s, level)
			}
			level.before = level.present
		case s.NextElement():
			s.BeginObject()
			*level = textLevel{before: level.before, present: int32(len(d.moves)), open: true}
			d.moves = append(d.moves, readMove{parent: level.before, depth: int32(len(d.levels) - 1)})
		default:
			d.levels = d.levels[:len(d.levels)-1]
		}
	}
}

// member reads a member of a move.
func (d *moveDecoder) member(s *jsontext.Scanner, level *textLevel) {
	switch string(s.Key()) {
	case "uci":
		level.see(s, uciKey)
		m := &d.moves[level.present]
		text := s.Bytes()
		if len(text) > len(m.uci) {
			s.Failf("%.40q is not a move", text)
			return
		}
		m.size = uint8(copy(m.uci[:], text))
	case "nags":
		level.nags = s.Skip()
	case "before":
		level.earlier = s.Skip()
	case "after":
		level.later = s.Skip()
	case "evaluation", "mate", "depth", "timeSpent": // the comment says so
		s.Skip()
	case "annotations":
		switch {
		case d.skip:
			s.Skip()
		case !s.Null():
			level.see(s, annotationsKey)
			d.annotations = parseAnnotations(s, d.annotations, level.present)
		}
	case "alternatives":
		if !s.Null() {
			level.see(s, alternativesKey)
			level.alternatives = s.BeginArray()
		}
	default:
		s.Unknown()
	}
}

// see notes a key that may occur only once.
func (l *textLevel) see(s *jsontext.Scanner, key moveKeys) {
	if l.seen&key != 0 {
		s.Failf("%q for the second time", s.Key())
	}
	l.seen |= key
}

// readCopies makes annotations of what stands beside the list that is absent.
func (d *moveDecoder) readCopies(s *jsontext.Scanner, level *textLevel) {
	add := func(v model.Value) {
		d.annotations = append(d.annotations, model.Annotation{Node: level.present, Value: v})
	}
	copied := func(text []byte, read func(*jsontext.Scanner)) {
		if text == nil {
			return
		}
		s.Within(text, func(c *jsontext.Scanner) {
			if !c.Null() {
				read(c)
			}
		})
	}
	copied(level.nags, func(c *jsontext.Scanner) {
		var symbols model.Symbols
		for _, n := range jsontext.Elements(c, c.Uint8) {
			symbols.Add(model.NAG(n))
		}
		if !symbols.Equal(model.Symbols{}) {
			add(symbols)
		}
	})
	copied(level.earlier, func(c *jsontext.Scanner) {
		for _, t := range jsontext.ParseObjects(c, localText) {
			add(model.Text{Language: t.Language, Before: true, Text: t.Text})
		}
	})
	copied(level.later, func(c *jsontext.Scanner) {
		for _, t := range jsontext.ParseObjects(c, localText) {
			add(model.Text{Language: t.Language, Text: t.Text})
		}
	})
}

// boardLevel is a line of moves that is being played: its present move and
// the position before it.
type boardLevel struct {
	position board.Position
	move     model.Move
	node     int32 // the index of the move among those that were read
	ply      int   // from 1
}

// play plays the moves that were read and makes a tree of them. It returns
// where each has gone, as [model.TreeBuilder.Build] does. The moves come in the
// order in which they were read, so that the boards of the lines around one stand
// where it branches off.
func (d *moveDecoder) play(start *model.Position, tree *model.Tree) (order []int32, err error) {
	d.builder.Reset()
	d.boards = d.boards[:0]
	for i := range d.moves {
		m := &d.moves[i]
		depth := int(m.depth)
		switch {
		case i == 0:
			first, err := board.New(start)
			if err != nil {
				return nil, fmt.Errorf("fen: the position cannot be played: %w", err)
			}
			d.boards = append(d.boards, boardLevel{position: first, ply: 1})
		case depth < len(d.boards) && m.parent == d.boards[depth].node:
			level := &d.boards[depth]
			level.position.Make(level.move)
			level.ply++
		default: // the first move of an alternative
			d.boards = append(d.boards[:depth], d.boards[depth-1])
		}
		d.boards = d.boards[:depth+1]
		level := &d.boards[depth]
		level.node = int32(i)
		if level.move, err = level.position.ParseUCI(string(m.uci[:m.size])); err != nil {
			return nil, fmt.Errorf("moves: %q at ply %d: %w", m.uci[:m.size], level.ply, err)
		}
		d.builder.Add(int(m.parent), level.move)
	}
	return d.builder.Build(tree), nil
}
