package board

import "cbkit/model"

// BookKey returns a 64-bit key that all positions share which an opening book
// of ChessBase holds as one: a position and the same with colours exchanged
// and, where nobody may castle, the mirror images of both. Castling rights
// count with king and rook at home; en passant counts if it is legal, since
// such a book finds the others without it too.
func (p *Position) BookKey() uint64 {
	const flipRanks, mirrorFiles = 56, 7
	rights := p.homeRights()
	view, swap := model.Square(0), model.Piece(0)
	if p.turn == model.Black {
		view, swap = flipRanks, model.BlackPawn^model.WhitePawn
		rights[0], rights[1] = rights[1], rights[0]
	}
	king := p.KingSquare(p.turn)
	if rights == ([2][2]bool{}) && king != model.NoSquare && king.File() < 4 {
		view |= mirrorFiles
	}
	key := p.polyglotBoard(view, swap)
	for c := range rights {
		for side, may := range rights[c] {
			if may {
				key ^= polyglotRandom[polyglotCastling+2*c+side]
			}
		}
	}
	if p.enPassant >= 0 && p.EnPassantLegal() {
		file := (model.Square(p.enPassant) ^ view) & 7
		key ^= polyglotRandom[polyglotEnPassant+int(file)]
	}
	return key
}

// homeRights returns the castling rights whose king and rook stand where they
// stand in the standard starting position.
func (p *Position) homeRights() (rights [2][2]bool) {
	if !p.rights.Any() {
		return rights
	}
	for c, home := range model.AllRights {
		king, rook := model.NewPiece(model.Color(c), model.King), model.NewPiece(model.Color(c), model.Rook)
		if p.PieceAt(home[model.QueenSide]+4) != king {
			continue
		}
		for side, square := range home {
			rights[c][side] = p.rights[c][side] == square && p.PieceAt(square) == rook
		}
	}
	return rights
}
