package moveenc

import "cbkit/model"

// Accepted are all moves that pieces can make, whether or not the own king is
// in check afterwards. All moves of all real records are legal; asking the whole
// question would make decoding half as slow again, and a game in which a check
// was overlooked is better read than not. Who needs to know asks board.Validate.
// Castling must be legal but for the right, and nothing takes a king.

// Sets of squares: bit n is square n.
var (
	// reach are the squares that a piece attacks on an empty board, by kind of
	// piece and square; those of pawns are in pawnReach.
	reach [8][64]uint64
	// pawnReach are the squares that a pawn captures on, by colour and square.
	pawnReach [2][64]uint64
	// path are the squares between two on a rank, a file or a diagonal.
	path [64][64]uint64
)

// direction is a step without the modulo.
type direction struct{ file, rank int }

func init() {
	straight := []direction{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	oblique := []direction{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
	jumps := []direction{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}}
	for s := range model.Square(64) {
		reach[model.Rook][s] = walk(s, straight, 7)
		reach[model.Bishop][s] = walk(s, oblique, 7)
		reach[model.Queen][s] = reach[model.Rook][s] | reach[model.Bishop][s]
		reach[model.King][s] = walk(s, straight, 1) | walk(s, oblique, 1)
		reach[model.Knight][s] = walk(s, jumps, 1)
		pawnReach[model.White][s] = walk(s, oblique[:2], 1)
		pawnReach[model.Black][s] = walk(s, oblique[2:], 1)
	}
}

// walk returns the squares up to n steps from s in each direction, and fills
// path on its way.
func walk(s model.Square, directions []direction, n int) uint64 {
	var all uint64
	for _, d := range directions {
		var passed uint64
		for k := 1; k <= n; k++ {
			file, rank := s.File()+k*d.file, s.Rank()+k*d.rank
			if file|rank < 0 || file|rank > 7 {
				break
			}
			to := model.NewSquare(file, rank)
			path[s][to] = passed
			passed |= set(to)
		}
		all |= passed
	}
	return all
}

func set(s model.Square) uint64 { return 1 << (s & 63) }

// accepts reports whether the side to move can make a move; see the beginning
// of this file.
func (s *state) accepts(m model.Move) bool {
	if m.IsNull() {
		return true
	}
	p, from, to := &s.position, m.From(), m.To()
	piece := p.PieceAt(from)
	switch {
	case m.IsCastling():
		return p.LegalLoose(m)
	case piece == model.NoPiece || piece.Color() != p.Turn():
		return false
	case p.Colored(p.Turn())&set(to) != 0 || p.PieceAt(to).Type() == model.King:
		return false
	case piece.Type() == model.Pawn:
		return s.acceptsPawn(m)
	}
	return m.Promotion() == model.NoPieceType &&
		reach[piece.Type()&7][from]&set(to) != 0 && path[from][to]&p.Occupied() == 0
}

// acceptsPawn is accepts for a pawn of the side to move and a square that it
// could go to as far as the piece there is concerned.
func (s *state) acceptsPawn(m model.Move) bool {
	p, from, to, turn := &s.position, m.From(), m.To(), s.position.Turn()&1
	becomes := m.Promotion()
	if becomes == model.Pawn || becomes > model.Queen ||
		(becomes != model.NoPieceType) != (to.Rank() == pawnRanks[turn].last) {
		return false
	}
	switch {
	case pawnReach[turn][from]&set(to) != 0:
		return p.PieceAt(to) != model.NoPiece || s.isEnPassant(to)
	case from.File() != to.File() || p.PieceAt(to) != model.NoPiece:
		return false
	}
	switch (to.Rank() - from.Rank()) * pawnRanks[turn].forward {
	case 1:
		return true
	case 2:
		return from.Rank() == pawnRanks[turn].first && path[from][to]&p.Occupied() == 0
	}
	return false
}

// pawnRanks are, by colour, the ranks where pawns start and promote, and their
// direction.
var pawnRanks = [2]struct{ first, last, forward int }{{1, 7, 1}, {6, 0, -1}}

// isEnPassant reports whether a pawn that has just advanced two squares can be
// captured on an empty square.
func (s *state) isEnPassant(to model.Square) bool {
	turn := s.position.Turn() & 1
	behind := pawnRanks[turn^1].first + pawnRanks[turn^1].forward
	return int(s.position.EnPassant()) == to.File() && to.Rank() == behind &&
		s.position.PieceAt(model.NewSquare(to.File(), behind+pawnRanks[turn^1].forward)) ==
			model.NewPiece(turn^1, model.Pawn)
}
