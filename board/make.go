package board

import "cbkit/model"

// Undo is what [Position.Unmake] needs to take a move back.
type Undo struct {
	guard  uint64
	rights uint32 // see packRights
	clocks uint32
	pieces undoPieces
}

// undoPieces packs four bytes, from the lowest: the piece moved (NoPiece if
// only the turn passed), the piece captured, the square it stood on, and the
// en passant file before the move. So Undo stays in registers.
type undoPieces uint32

func (u undoPieces) moved() model.Piece       { return model.Piece(u) }
func (u undoPieces) captured() model.Piece    { return model.Piece(u >> 8) }
func (u undoPieces) capturedAt() model.Square { return model.Square(u >> 16) }
func (u undoPieces) enPassant() int8          { return int8(u >> 24) }

func withCaptured(piece model.Piece, s model.Square) undoPieces {
	return undoPieces(piece)<<8 | undoPieces(s)<<16
}

// clockMax is where the counters stop.
const clockMax = 1<<16 - 1

// Make plays a move, legal or not, and returns what takes it back.
//
// It trusts the move to be one that pieces can make: whatever stands on From
// goes to To; a pawn that moves diagonally onto an empty square takes the enemy
// pawn beside it; castling moves king and rook of one colour on one rank, with
// or without the right. A move without meaning on this board (from an empty
// square, castling without king and rook or onto occupied squares) passes the
// turn, as the null move does.
func (p *Position) Make(m model.Move) Undo {
	u := Undo{guard: p.guard, rights: packRights(&p.rights), clocks: p.clocks,
		pieces: undoPieces(uint8(p.enPassant)) << 24}
	p.enPassant = model.NoFile
	if p.clocks&clockMax < clockMax {
		p.clocks++
	}
	if p.turn == model.Black && p.clocks>>16 < clockMax {
		p.clocks += 1 << 16
	}
	p.turn ^= 1

	from, to := m.From(), m.To()
	piece := p.board[from]
	switch {
	case piece == model.NoPiece || from == to:
		return u
	case m.IsCastling():
		if !p.castlingFits(m) {
			return u
		}
		p.castle(m, piece)
	case piece.Type() == model.Pawn:
		u.pieces |= p.makePawn(m, piece)
	default:
		if captured := p.board[to]; captured != model.NoPiece {
			u.pieces |= withCaptured(captured, to)
			p.take(to, captured)
			p.clocks &^= clockMax
		}
		p.shift(from, to, piece)
	}
	u.pieces |= undoPieces(piece)
	if (bit(from)|bit(to))&p.guard != 0 {
		p.forfeit(from, to, piece)
	}
	return u
}

// makePawn makes a pawn's move: advance, capture, en passant or promotion. It
// returns what was captured.
func (p *Position) makePawn(m model.Move, pawn model.Piece) (capture undoPieces) {
	from, to := m.From(), m.To()
	p.clocks &^= clockMax
	at, captured := to, p.board[to]
	if beside := from&56 | to&7; captured == model.NoPiece && p.board[beside&63] == pawn^8 {
		at, captured = beside, pawn^8
	}
	if captured != model.NoPiece {
		capture = withCaptured(captured, at)
		p.take(at, captured)
	}
	if from^to == 16 {
		p.enPassant = int8(from & 7)
	}
	if becomes := m.Promotion(); becomes >= model.Knight && becomes <= model.Queen {
		p.take(from, pawn)
		p.put(to, pawn&8|model.Piece(becomes))
		return capture
	}
	p.shift(from, to, pawn)
	return capture
}

// shift moves a piece to an empty square.
func (p *Position) shift(from, to model.Square, piece model.Piece) {
	both := bit(from) | bit(to)
	p.board[from&63] = model.NoPiece
	p.board[to&63] = piece
	p.colors[piece>>3&1] ^= both
	p.types[piece&7] ^= both
	p.hash(from, piece)
	p.hash(to, piece)
}

// Unmake takes back the last move made, given what [Position.Make] returned.
// The position is then exactly what it was.
func (p *Position) Unmake(m model.Move, u Undo) {
	p.guard, p.clocks, p.enPassant = u.guard, u.clocks, u.pieces.enPassant()
	unpackRights(&p.rights, u.rights)
	p.turn ^= 1
	moved := u.pieces.moved() & 15
	if moved == model.NoPiece {
		return
	}
	from, to := m.From(), m.To()
	if m.IsCastling() {
		p.uncastle(m, moved)
		return
	}
	if now := p.board[to]; now == moved {
		p.shift(to, from, moved)
	} else {
		p.take(to, now)
		p.put(from, moved)
	}
	if captured := u.pieces.captured() & 15; captured != model.NoPiece {
		p.put(u.pieces.capturedAt(), captured)
	}
}
