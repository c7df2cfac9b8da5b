package board

import "cbkit/model"

// SAN returns the move in standard algebraic notation. See
// [Position.AppendSAN].
func (p *Position) SAN(m model.Move) string {
	var buf [12]byte
	return string(p.AppendSAN(buf[:0], m))
}

// AppendSAN appends the move in standard algebraic notation: "Nbd7", "exd6",
// "e8=Q+", "O-O-O#", "--" for the null move. A piece's file, rank or square is
// added only where another piece of its kind could legally go to the same
// square.
//
// The move should be legal in p; for one that is not, the text means nothing.
func (p *Position) AppendSAN(dst []byte, m model.Move) []byte {
	from, to := m.From(), m.To()
	t := p.board[from].Type()
	switch {
	case m.IsNull():
		return append(dst, "--"...)
	case m.IsShortCastling():
		dst = append(dst, "O-O"...)
	case m.IsCastling():
		dst = append(dst, "O-O-O"...)
	case t == model.Pawn:
		dst = appendPawnSAN(dst, m)
	default:
		dst = p.appendPieceSAN(dst, m, p.rivals(t, from, to))
	}
	return p.appendCheck(dst, m)
}

// AppendLegalSAN is [Position.AppendSAN] for a move that may not be legal by
// [Position.LegalLoose]; then nothing is appended, and ok is false. It costs
// less than asking first.
func (p *Position) AppendLegalSAN(dst []byte, m model.Move) (_ []byte, ok bool) {
	from, to := m.From(), m.To()
	piece := p.board[from]
	t := piece.Type()
	if m.IsNull() || m>>12 != 0 || t < model.Knight || t > model.Queen {
		if !p.LegalLoose(m) {
			return dst, false
		}
		return p.AppendSAN(dst, m), true
	}
	// A queen, rook, bishop or knight.
	if piece.Color() != p.turn || (p.colors[p.turn&1]|p.types[model.King])&bit(to) != 0 {
		return dst, false
	}
	set := p.candidates(t, to)
	if set&bit(from) == 0 || !p.safe(from, to) {
		return dst, false
	}
	return p.appendCheck(p.appendPieceSAN(dst, m, set&^bit(from)), m), true
}

// appendPieceSAN appends the move of a piece other than a pawn, of whose kind
// others, the rivals, attack the same square.
func (p *Position) appendPieceSAN(dst []byte, m model.Move, rivals uint64) []byte {
	dst = append(dst, p.board[m.From()].Type().Letter())
	if rivals != 0 {
		dst = p.appendOrigin(dst, rivals, m.From(), m.To())
	}
	if p.board[m.To()] != model.NoPiece {
		dst = append(dst, 'x')
	}
	return appendSquare(dst, m.To())
}

// appendCheck appends the sign of check or mate.
func (p *Position) appendCheck(dst []byte, m model.Move) []byte {
	if !p.GivesCheck(m) {
		return dst
	}
	next := *p
	next.Make(m)
	if next.HasLegalMove() {
		return append(dst, '+')
	}
	return append(dst, '#')
}

func appendPawnSAN(dst []byte, m model.Move) []byte {
	if m.From()&7 != m.To()&7 {
		dst = append(dst, 'a'+byte(m.From()&7), 'x')
	}
	dst = appendSquare(dst, m.To())
	if becomes := m.Promotion(); becomes != model.NoPieceType {
		dst = append(dst, '=', becomes.Letter())
	}
	return dst
}

func appendSquare(dst []byte, s model.Square) []byte {
	return append(dst, 'a'+byte(s&7), '1'+byte(s>>3&7))
}

// rivals returns the pieces of one kind besides the one on from with which the
// side to move attacks a square; there is one king.
func (p *Position) rivals(t model.PieceType, from, to model.Square) uint64 {
	if t == model.King {
		return 0
	}
	return p.candidates(t, to) &^ bit(from)
}

// appendOrigin appends what tells the piece on from apart from its rivals that
// may go to the same square: the file if that is enough, else the rank, else
// both.
func (p *Position) appendOrigin(dst []byte, rivals uint64, from, to model.Square) []byte {
	for set := rivals; set != 0; set &= set - 1 {
		if s := first(set); !p.safe(s, to) {
			rivals &^= bit(s)
		}
	}
	switch {
	case rivals == 0:
		return dst
	case rivals&(fileA<<(from&7)) == 0:
		return append(dst, 'a'+byte(from&7))
	case rivals&(firstRank<<(from&56)) == 0:
		return append(dst, '1'+byte(from>>3))
	}
	return appendSquare(dst, from)
}

// candidates returns the pieces of one kind, not pawns, with which the side to
// move attacks a square.
func (p *Position) candidates(t model.PieceType, to model.Square) uint64 {
	set := p.Pieces(p.turn, t) & rays(t, to)
	occupied := p.Occupied()
	row := &between[to&63]
	for rest := set; rest != 0; rest &= rest - 1 {
		if s := first(rest); row[s&63]&occupied != 0 {
			set &^= bit(s)
		}
	}
	return set
}

// GivesCheck reports whether the opponent is in check after the move, which
// should be legal. It is false for the null move.
func (p *Position) GivesCheck(m model.Move) bool {
	king := p.KingSquare(p.turn.Other())
	if king == model.NoSquare || m.IsNull() {
		return false
	}
	from, to := m.From(), m.To()
	t := p.board[from].Type()
	if m.IsCastling() || t == model.Pawn && from&7 != to&7 && p.board[to] == model.NoPiece {
		next := *p
		next.Make(m)
		return next.InCheck()
	}
	if becomes := m.Promotion(); becomes != model.NoPieceType {
		t = becomes
	}
	occupied := p.Occupied()&^bit(from) | bit(to)
	if t == model.Pawn {
		if pawnAttacks[p.turn&1][to]&bit(king) != 0 {
			return true
		}
	} else if rays(t, to)&bit(king) != 0 && between[king&63][to]&occupied == 0 {
		return true
	}
	us := p.turn & 1
	return p.attackedBy(king, p.colors[us]&^bit(from), us, occupied)
}

// pawnOrigins returns the pawns of the side to move that could go to the
// square: straight ahead, or diagonally if capture is set.
func (p *Position) pawnOrigins(to model.Square, capture bool) uint64 {
	pawns := p.Pieces(p.turn, model.Pawn)
	if capture {
		return pawns & pawnAttacks[p.turn&1^1][to&63]
	}
	behind := pawnStep(bit(to), p.turn.Other())
	if behind&p.Occupied() == 0 {
		behind = pawnStep(behind&doubleStepRank(p.turn), p.turn.Other())
	}
	return behind & pawns
}
