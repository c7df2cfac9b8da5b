package moveenc

import "cbkit/model"

// Accepted are all moves that pieces can make, whether or not the own king is
// in check afterwards: a game in which a check was overlooked is better read
// than not. Who needs to know sets [Game.CheckKings]. Castling must be legal
// but for the right, and nothing takes a king.

// accept says what a move changes, and whether the side to move can make it.
func (b *men) accept(m model.Move) (ch change, ok bool) {
	from, to := m.From(), m.To()
	ch = change{moved: b.at[from], captured: b.at[to], capturedAt: to, enPassant: b.enPassant}
	if m.IsNull() {
		ch.moved, ch.captured = nobody, nobody
		return ch, true
	}
	if m.IsCastling() {
		ch.captured = nobody
		return ch, m.Promotion() == model.NoPieceType && b.castles(m)
	}
	piece := ch.moved.piece()
	switch {
	case piece == model.NoPiece || ch.moved.side() != side(b.turn) || !b.takes(ch):
		return ch, false
	case piece.Type() == model.Pawn:
		return b.acceptPawn(m, ch)
	}
	return ch, m.Promotion() == model.NoPieceType && b.reaches(piece, from, to)
}

// takes reports whether a man may go to a square as far as who stands there is
// concerned.
func (b *men) takes(ch change) bool {
	return ch.captured == nobody || ch.captured.side() != ch.moved.side() && ch.captured.slot() != kingSlot
}

// acceptPawn is accept for a pawn of the side to move.
func (b *men) acceptPawn(m model.Move, ch change) (change, bool) {
	from, to, turn := m.From(), m.To(), b.turn&1
	becomes, last := m.Promotion(), to>>3 == lastRanks[turn]
	if becomes == model.Pawn || becomes > model.Queen || last != (becomes != model.NoPieceType) {
		return ch, false
	}
	switch {
	case from&7 != to&7:
		if reach[ch.moved.piece()&15][from&squareSet]&set(to) == 0 {
			return ch, false
		}
		return b.acceptCapture(from, to, ch)
	case to-from == forward[turn]:
		return ch, ch.captured == nobody
	}
	return ch, to-from == 2*forward[turn] && from>>3 == firstRanks[turn] &&
		ch.captured == nobody && b.at[(from+forward[turn])&squareSet] == nobody
}

// acceptCapture is accept for a pawn that goes to a square which it attacks.
func (b *men) acceptCapture(from, to model.Square, ch change) (change, bool) {
	if ch.captured != nobody {
		return ch, true
	}
	ch.capturedAt = from&56 | to&7
	ch.captured = b.at[ch.capturedAt]
	return ch, b.enPassant == int8(to&7) && from>>3 == enPassantRanks[b.turn&1] &&
		ch.captured.kind() == model.Pawn && ch.captured.side() != ch.moved.side()
}

// What pawns go by, by colour.
var (
	forward        = [2]model.Square{8, 256 - 8}
	firstRanks     = [2]model.Square{1, 6}
	enPassantRanks = [2]model.Square{4, 3}
	lastRanks      = [2]model.Square{7, 0}
)

// acceptStep is accept for a numbered piece and its step. A code is a step
// modulo 8, which can lead off the board on one side and back on the other.
func (b *men) acceptStep(op *opcode) (m model.Move, ch change, ok bool) {
	mover := side(b.turn) | man(op.slot)
	from := b.square[mover&menSet]
	if from >= model.NoSquare {
		return 0, ch, false
	}
	to := op.step[b.turn&1].from(from) & squareSet
	m = model.NewMove(from, to)
	ch = change{moved: mover, captured: b.at[to], capturedAt: to, enPassant: b.enPassant}
	if !b.takes(ch) {
		return m, ch, false
	}
	if op.piece == model.Pawn {
		ch, ok = b.acceptPawn(m, ch)
		return m, ch, ok
	}
	return m, ch, b.reaches(model.Piece(op.piece), from, to)
}

// reaches reports whether a piece other than a pawn attacks a square.
func (b *men) reaches(piece model.Piece, from, to model.Square) bool {
	between := path[from&squareSet][to&squareSet] & slides[piece&15] & b.occupied()
	return reach[piece&15][from&squareSet]&set(to) != 0 && between == 0
}

// castles reports whether the side to move may castle so, as far as the board
// goes: everything but the right. In regular chess the king castles from the
// e-file with a rook of the a- or h-file.
func (b *men) castles(m model.Move) bool {
	king, rook, us := m.From(), m.To(), side(b.turn)
	if b.at[king] != us|kingSlot || b.at[rook].side() != us || b.at[rook].kind() != model.Rook ||
		king>>3 != lastRanks[b.turn&1^1] || rook>>3 != king>>3 {
		return false
	}
	if !b.chess960 && (king.File() != model.E1.File() || rook.File()%7 != 0) {
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
	return !b.attacked(crossed|set(king), b.turn^1, others)
}
