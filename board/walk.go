package board

import (
	"fmt"
	"iter"

	"cbkit/model"
)

// MoveError is an illegal move in a game.
type MoveError struct {
	Node int // the move's index in the tree
	Move model.Move
	FEN  string // the position where it was played
}

// Error returns one line.
func (e *MoveError) Error() string {
	return fmt.Sprintf("move %v (node %d) is not legal in %s", e.Move, e.Node, e.FEN)
}

// Walk yields every move of a game, by its index in stored order, with the
// position it is played in. The start is the standard one if nil; if [New]
// refuses it, there is nothing to yield ([Validate] says why).
//
// The position is one and the same, moved along; copy it to keep it, do not
// change it. Moves are made whether they are legal or not. Only a game with
// variations takes memory, and no more than its longest line needs.
func Walk(start *model.Position, t *model.Tree) iter.Seq2[int, *Position] {
	return func(yield func(int, *Position) bool) {
		p, err := New(start)
		if err != nil {
			return
		}
		if t.HasVariations() {
			walkTree(&p, t.Nodes(), yield)
			return
		}
		walkLine(&p, t.Nodes(), yield)
	}
}

// Replay is [Walk] along the main line.
func Replay(start *model.Position, t *model.Tree) iter.Seq2[int, *Position] {
	return func(yield func(int, *Position) bool) {
		if p, err := New(start); err == nil {
			walkLine(&p, t.Nodes()[:t.MainLen()], yield)
		}
	}
}

func walkLine(p *Position, nodes []model.Node, yield func(int, *Position) bool) {
	for i := range nodes {
		if !yield(i, p) {
			return
		}
		p.Make(nodes[i].Move)
	}
}

// walkTree keeps the moves made since the start on a stack and takes them back
// to the parent of the next node, which in stored order is always among them.
func walkTree(p *Position, nodes []model.Node, yield func(int, *Position) bool) {
	type made struct {
		node int32
		undo Undo
	}
	line := make([]made, 0, 128) // few lines are longer
	for i := range nodes {
		for n := len(line) - 1; n >= 0 && line[n].node != nodes[i].Parent; n-- {
			p.Unmake(nodes[line[n].node].Move, line[n].undo)
			line = line[:n]
		}
		if !yield(i, p) {
			return
		}
		line = append(line, made{int32(i), p.Make(nodes[i].Move)})
	}
}

// After returns the position after a node of the game, after its start for
// model.NoNode. It fails if [New] refuses the start.
func After(start *model.Position, t *model.Tree, node int) (Position, error) {
	p, err := New(start)
	if err != nil {
		return p, err
	}
	var line []model.Move
	for ; node != model.NoNode; node = t.Parent(node) {
		line = append(line, t.Move(node))
	}
	for i := len(line) - 1; i >= 0; i-- {
		p.Make(line[i])
	}
	return p, nil
}

// Validate returns nil if all moves of the game are legal by
// [Position.LegalLoose], else a [*MoveError] for the first that is not. If the
// start is refused, it returns the error of [New].
func Validate(start *model.Position, t *model.Tree) error {
	if _, err := New(start); err != nil {
		return err
	}
	nodes := t.Nodes()
	for i, p := range Walk(start, t) {
		if !p.LegalLoose(nodes[i].Move) {
			return &MoveError{Node: i, Move: nodes[i].Move, FEN: p.FEN()}
		}
	}
	return nil
}
