package jsonl

import (
	"fmt"

	"cbkit/board"
	"cbkit/model"
)

// boardLevel is a line of moves that is being played: its present move and
// the position before it.
type boardLevel struct {
	position board.Position
	move     model.Move
	node     int32 // the index of the move among those that were read
	ply      int   // from 1
}

// play plays the moves that were read and makes a tree of them. It returns
// where each has gone, as [model.TreeBuilder.Build] does.
func (d *moveDecoder) play(start *model.Position, tree *model.Tree) (order []int32, err error) {
	d.builder.Reset()
	d.boards = d.boards[:0]
	for i := range d.moves {
		m := &d.moves[i]
		level, err := d.advance(int32(i), start)
		if err != nil {
			return nil, err
		}
		if level.move, err = level.position.ParseUCI(string(m.uci[:m.size])); err != nil {
			return nil, fmt.Errorf("moves: %q at ply %d: %w", m.uci[:m.size], level.ply, err)
		}
		d.builder.Add(int(m.parent), level.move)
	}
	return d.builder.Build(tree), nil
}

// advance brings the board of a move's line to the position before it. The
// moves come in the order in which they were read, so that the boards of the
// lines around this one stand where it branches off.
func (d *moveDecoder) advance(node int32, start *model.Position) (*boardLevel, error) {
	m := &d.moves[node]
	depth := int(m.depth)
	switch {
	case node == 0:
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
		around := d.boards[depth-1]
		d.boards = append(d.boards[:depth], around)
	}
	d.boards = d.boards[:depth+1]
	level := &d.boards[depth]
	level.node = node
	return level, nil
}
