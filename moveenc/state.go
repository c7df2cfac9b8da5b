package moveenc

import (
	"fmt"

	"cbkit/board"
	"cbkit/model"
)

// state is what decoder and encoder follow alike: the position, the numbers of
// its pieces, and the line that leads back to the last branch.
type state struct {
	position board.Position
	numbers  numbering
	// rooks are the rooks that castle, by colour and side.
	rooks    [2][2]model.Square
	chess960 bool
	line     []played
}

// played is a move on the current line that may have to be taken back.
type played struct {
	undo    board.Undo
	numbers renumbering
	node    int32
}

// begin sets the standard starting position.
func (s *state) begin(reverse bool) {
	s.position, s.rooks, s.chess960 = board.Start(), orthodoxRooks, false
	s.numbers = standardNumbers[0]
	if reverse {
		s.numbers = standardNumbers[1]
	}
	s.line = s.line[:0]
}

// beginAt sets the position of a start block and returns that as data.
func (s *state) beginAt(block []byte, mode *traits) (model.Position, error) {
	start, p, err := openStart(block, mode.variant == chess960)
	if err != nil {
		return model.Position{}, err
	}
	s.position, s.rooks, s.chess960 = p, start.rooks, start.position.Chess960
	s.numbers.count(&s.position, mode.reverse)
	s.line = s.line[:0]
	return start.position, nil
}

// play makes a legal move for good: nothing will take it back.
func (s *state) play(m model.Move) {
	s.numbers.play(&s.position, m)
	s.position.Make(m)
}

// playOn makes a legal move that backTo can take back.
func (s *state) playOn(m model.Move, node int) {
	numbers := s.numbers.play(&s.position, m)
	s.line = append(s.line, played{s.position.Make(m), numbers, int32(node)})
}

// backTo takes back all moves of playOn after the given node, which is on the
// line or the last move before it.
func (s *state) backTo(node int, t *model.Tree) {
	for n := len(s.line) - 1; n >= 0 && int(s.line[n].node) > node; n-- {
		last := &s.line[n]
		m := t.Move(int(last.node))
		s.position.Unmake(m, last.undo)
		s.numbers.takeBack(s.position.Turn(), m, last.numbers)
		s.line = s.line[:n]
	}
}

// castling returns the castling move of the side to move towards a wing, which
// need not be legal; ok is false if there is no king or no rook.
func (s *state) castling(side model.Side) (m model.Move, ok bool) {
	turn := s.position.Turn() & 1
	king, rook := s.position.KingSquare(turn), s.rooks[turn][side]
	if king == model.NoSquare || rook == model.NoSquare {
		return 0, false
	}
	return model.NewCastling(king, rook), (rook > king) == (side == model.KingSide)
}

// describe returns errIllegal with the move and the position.
func (s *state) describe(m model.Move) error {
	return fmt.Errorf("%w %v in %s", errIllegal, m, s.position.FEN())
}
