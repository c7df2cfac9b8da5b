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
		dst = append(dst, t.Letter())
		dst = p.appendOrigin(dst, t, from, to)
		if p.board[to] != model.NoPiece {
			dst = append(dst, 'x')
		}
		dst = appendSquare(dst, to)
	}
	if p.GivesCheck(m) {
		next := *p
		next.Make(m)
		if next.HasLegalMove() {
			return append(dst, '+')
		}
		return append(dst, '#')
	}
	return dst
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

// appendOrigin appends what tells the piece on from apart from others of its
// kind that may go to the same square: the file if that is enough, else the
// rank, else both.
func (p *Position) appendOrigin(dst []byte, t model.PieceType, from, to model.Square) []byte {
	if t == model.King {
		return dst
	}
	rivals := p.candidates(t, to) &^ bit(from)
	if rivals == 0 {
		return dst
	}
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
