package moveenc

import (
	"fmt"

	"cbkit/model"
)

// Cut is a move that a record cannot hold.
type Cut struct {
	// Node is the move among those of the game.
	Node int
	// After is how many moves come after it, on its line and on lines that
	// branch off from that. They are cut off with it.
	After int
	// Err wraps model.ErrCorrupt or model.ErrUnsupported, as in [Append].
	Err error
}

// Trimmed is a game as far as a record can hold it.
type Trimmed struct {
	// Moves are all moves but the cuts and what comes after them. Where the
	// main move of a position is cut, its first alternative takes its place.
	Moves model.Tree
	// Order says where each move of the game has gone, NoNode if it was cut.
	Order []int32
	Cuts  []Cut
}

// Trim removes from a game that [Append] refuses the moves that it refuses. The
// error wraps model.ErrUnsupported if the start position cannot be held.
func Trim(start *model.Position, moves *model.Tree) (Trimmed, error) {
	e := encoders.Get().(*encoder)
	defer e.release()
	e.mode = &modes[defaultMode(start != nil && start.Chess960)]
	if err := e.setUp(start); err != nil {
		return Trimmed{}, fmt.Errorf("start: %w", err)
	}
	nodes := moves.Nodes()
	t := Trimmed{Order: make([]int32, 0, len(nodes))}
	for i := 0; i < len(nodes); i++ {
		parent := model.NoNode
		if p := nodes[i].Parent; p != model.NoNode {
			parent = int(t.Order[p])
		}
		e.backTo(parent, &t.Moves)
		ch, err := e.check(i, nodes[i].Move, moves)
		if err != nil {
			cut := Cut{Node: i, Err: err}
			for t.Order = append(t.Order, model.NoNode); i+1 < len(nodes) && int(nodes[i+1].Parent) >= cut.Node; i++ {
				t.Order = append(t.Order, model.NoNode)
				cut.After++
			}
			t.Cuts = append(t.Cuts, cut)
			continue
		}
		node := t.Moves.AddStored(parent, nodes[i].Move)
		t.Order = append(t.Order, int32(node))
		e.playOn(nodes[i].Move, ch, node)
	}
	return t, nil
}
