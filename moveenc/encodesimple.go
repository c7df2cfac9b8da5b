package moveenc

import (
	"fmt"

	"cbkit/model"
)

// simple writes the moves with the simple encoder (docs/formats/cbg.md 7).
func (e *encoder) simple(moves *model.Tree) error {
	nodes := moves.Nodes()
	branches := 0
	for i := range nodes {
		if parent := int(nodes[i].Parent); parent != i-1 {
			e.backTo(parent, moves)
			branches--
		}
		m := nodes[i].Move
		ch, err := e.check(i, m, moves)
		if err != nil {
			return err
		}
		w := e.word(m) | e.nullBits(i, m)
		if e.mode.reverse {
			w = swapSquares(w)
		}
		if nodes[i].Next != model.NoNode {
			w |= wordBranch
			branches++
		}
		last := i+1 == len(nodes)
		if !last && int(nodes[i+1].Parent) != i || last && !e.form.NoEnd {
			w |= wordEnds
		}
		e.putWord(w, i)
		if branches > 0 {
			e.playOn(m, ch, i)
		} else {
			e.play(m, ch)
		}
	}
	if len(nodes) == 0 && (e.form.NoEnd || len(e.form.Trailer) > 0) {
		return fmt.Errorf("%w: %w", errOtherForm, model.ErrCorrupt)
	}
	return nil
}
