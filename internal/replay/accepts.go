package replay

import "cbkit/model"

// Accepted are all moves that pieces can make, whether or not the own king is
// in check afterwards: a game in which a check was overlooked is better read
// than not. InCheck tells. Castling must be legal
// but for the right, and nothing takes a king.

// Accept says what a move changes, and whether the side to move can make it.
func (b *Board) Accept(m model.Move) (ch Change, ok bool) {
	from, to := m.From(), m.To()
	ch = Change{moved: b.At[from], captured: b.At[to], capturedAt: to, enPassant: b.enPassant}
	if m.IsNull() {
		ch.moved, ch.captured = Nobody, Nobody
		return ch, true
	}
	if m.IsCastling() {
		ch.captured = Nobody
		return ch, m.Promotion() == model.NoPieceType && b.castles(m)
	}
	piece := ch.moved.Piece()
	switch {
	case piece == model.NoPiece || ch.moved.side() != Side(b.Turn) || !b.takes(ch):
		return ch, false
	case piece.Type() == model.Pawn:
		return b.acceptPawn(m, ch)
	}
	return ch, m.Promotion() == model.NoPieceType && b.reaches(piece, from, to)
}

// takes reports whether a man may go to a square as far as who stands there is
// concerned.
func (b *Board) takes(ch Change) bool {
	return ch.captured == Nobody || ch.captured.side() != ch.moved.side() && ch.captured.Slot() != KingSlot
}

// acceptPawn is Accept for a pawn of the side to move.
func (b *Board) acceptPawn(m model.Move, ch Change) (Change, bool) {
	from, to, turn := m.From(), m.To(), b.Turn&1
	becomes, last := m.Promotion(), to>>3 == lastRanks[turn]
	if becomes == model.Pawn || becomes > model.Queen || last != (becomes != model.NoPieceType) {
		return ch, false
	}
	switch {
	case from&7 != to&7:
		if reach[ch.moved.Piece()&15][from&squareSet]&set(to) == 0 {
			return ch, false
		}
		return b.acceptCapture(from, to, ch)
	case to-from == forward[turn]:
		return ch, ch.captured == Nobody
	}
	return ch, to-from == 2*forward[turn] && from>>3 == firstRanks[turn] &&
		ch.captured == Nobody && b.At[(from+forward[turn])&squareSet] == Nobody
}

// acceptCapture is Accept for a pawn that goes to a square which it attacks.
func (b *Board) acceptCapture(from, to model.Square, ch Change) (Change, bool) {
	if ch.captured != Nobody {
		return ch, true
	}
	ch.capturedAt = from&56 | to&7
	ch.captured = b.At[ch.capturedAt]
	return ch, b.enPassant == int8(to&7) && from>>3 == enPassantRanks[b.Turn&1] &&
		ch.captured.Kind() == model.Pawn && ch.captured.side() != ch.moved.side()
}

// What pawns go by, by colour.
var (
	forward        = [2]model.Square{8, 256 - 8}
	firstRanks     = [2]model.Square{1, 6}
	enPassantRanks = [2]model.Square{4, 3}
	lastRanks      = [2]model.Square{7, 0}
)

// AcceptStep is Accept for a man of the side to move that goes to a square.
func (b *Board) AcceptStep(mover Man, piece model.Piece, from, to model.Square) (m model.Move, ch Change, ok bool) {
	to &= squareSet
	m = model.NewMove(from, to)
	ch = Change{moved: mover, captured: b.At[to&squareSet], capturedAt: to, enPassant: b.enPassant}
	if !b.takes(ch) {
		return m, ch, false
	}
	if piece.Type() == model.Pawn {
		ch, ok = b.acceptPawn(m, ch)
		return m, ch, ok
	}
	return m, ch, b.reaches(piece, from, to)
}

// reaches reports whether a piece other than a pawn attacks a square.
func (b *Board) reaches(piece model.Piece, from, to model.Square) bool {
	between := path[from&squareSet][to&squareSet] & slides[piece&15] & b.occupied()
	return reach[piece&15][from&squareSet]&set(to) != 0 && between == 0
}

// castles reports whether the side to move may castle so, as far as the board
// goes: everything but the right. In regular chess the king castles from the
// e-file with a rook of the a- or h-file.
func (b *Board) castles(m model.Move) bool {
	king, rook, us := m.From(), m.To(), Side(b.Turn)
	if b.At[king] != us|KingSlot || b.At[rook].side() != us || b.At[rook].Kind() != model.Rook ||
		king>>3 != lastRanks[b.Turn&1^1] || rook>>3 != king>>3 {
		return false
	}
	if !b.Chess960 && (king.File() != model.E1.File() || rook.File()%7 != 0) {
		return false
	}
	kingTo, rookTo := m.KingTarget(), m.RookTarget()
	others := b.occupied() &^ (set(king) | set(rook))
	crossed := path[king][kingTo&squareSet] | set(kingTo)
	if (crossed|path[rook][rookTo&squareSet]|set(rookTo))&others != 0 {
		return false
	}
	// With the rook lifted, an attack from behind it counts too: its new place
	// never shields the king's.
	return !b.attacked(crossed|set(king), b.Turn^1, others)
}

// Move makes a move if the rules allow it, but for castling without the right and null
// moves in check, and returns its sign if that is wanted. A board on which a move was not
// legal is of no more use.
func (b *Board) Move(m model.Move, signed bool) (s model.Sign, legal bool) {
	ch, ok := b.Accept(m)
	if !ok {
		return 0, false
	}
	return b.judge(m, ch, signed)
}

// MoveKnown is Move for less: the piece on From goes so on an empty board, and takes the kind
// of piece that stands on To, or none, but not en passant.
func (b *Board) MoveKnown(m model.Move, signed bool) (s model.Sign, legal bool) {
	from, to := m.From(), m.To()
	ch := Change{moved: b.At[from], captured: b.At[to], capturedAt: to, enPassant: b.enPassant}
	if ch.moved.side() != Side(b.Turn) || !b.takes(ch) || path[from][to]&b.occupied() != 0 {
		return 0, false
	}
	return b.judge(m, ch, signed)
}

// judge makes an accepted move and says whether it is legal.
func (b *Board) judge(m model.Move, ch Change, signed bool) (s model.Sign, legal bool) {
	if signed {
		s = b.Unchecked(m, ch)
	}
	b.Play(m, ch)
	if m.IsNull() {
		return s, true
	}
	if !signed {
		return 0, !b.InCheck(b.Turn ^ 1)
	}
	exposed, check := b.AttackedKings()
	if check {
		s |= b.CheckSign()
	}
	return s, !exposed
}
