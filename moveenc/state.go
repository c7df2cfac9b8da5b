package moveenc

import (
	"fmt"
	"slices"

	"cbkit/board"
	"cbkit/internal/replay"
	"cbkit/model"
)

// state is what decoder and encoder follow alike: the men on the board, and the
// line that leads back to the last branch.
type state struct {
	replay.Board
	// rooks are the rooks that castle, by colour and side.
	rooks [2][2]model.Square
	line  []played
	// first is the start position if isSetUp, else it is the standard one.
	first   model.Position
	isSetUp bool
}

// played is a move on the current line that may have to be taken back.
type played struct {
	change replay.Change
	node   int32
}

// begin sets the standard starting position.
func (s *state) begin(reverse bool) {
	s.rooks, s.isSetUp, s.line = orthodoxRooks, false, s.line[:0]
	s.Board = replay.Standard[0]
	if reverse {
		s.Board = replay.Standard[1]
	}
}

// beginAt sets the position of a start block and returns that as data.
func (s *state) beginAt(block []byte, mode *traits) (model.Position, error) {
	start, p, err := openStart(block, mode.variant == chess960)
	if err != nil {
		return model.Position{}, err
	}
	s.rooks, s.first, s.isSetUp, s.line = start.rooks, start.position, true, s.line[:0]
	s.Set(&p, mode.reverse)
	return start.position, nil
}

// playOn makes an accepted move that backTo can take back.
func (s *state) playOn(m model.Move, ch replay.Change, node int) {
	s.Play(m, ch)
	s.line = append(s.line, played{ch, int32(node)})
}

// backTo takes back all moves of playOn after the given node, which is on the
// line or the last move before it.
func (s *state) backTo(node int, t *model.Tree) {
	for n := len(s.line) - 1; n >= 0 && int(s.line[n].node) > node; n-- {
		last := &s.line[n]
		s.TakeBack(t.Move(int(last.node)), last.change)
		s.line = s.line[:n]
	}
}

// castling returns the castling move of the side to move towards a wing, which
// need not be legal; ok is false if there is no king or no rook.
func (s *state) castling(side model.Side) (m model.Move, ok bool) {
	king, rook := s.King(s.Turn), s.rooks[s.Turn&1][side]
	if king == model.NoSquare || rook == model.NoSquare {
		return 0, false
	}
	return model.NewCastling(king, rook), (rook > king) == (side == model.KingSide)
}

// describe returns errIllegal with a move and the position after the given
// node, which it plays from the start.
func (s *state) describe(m model.Move, t *model.Tree, after int) error {
	p := board.Start()
	if s.isSetUp {
		p, _ = board.New(&s.first) // it was accepted before
	}
	var line []model.Move
	for ; after != model.NoNode; after = t.Parent(after) {
		line = append(line, t.Move(after))
	}
	for _, played := range slices.Backward(line) {
		p.Make(played)
	}
	return fmt.Errorf("%w %v in %s", errIllegal, m, p.FEN())
}
