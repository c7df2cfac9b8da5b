package board

import "cbkit/model"

// ParseUCI reads a move as the Universal Chess Interface writes it: "e2e4", "e7e8q",
// "0000". Castling may be the king taking its rook or the king's own move to the c- or
// g-file, in orthodox chess and in Chess960; a move that can be an ordinary king move is
// taken as that. It must be legal by [Position.LegalLoose]. The errors are those of
// [Position.ParseSAN].
func (p *Position) ParseUCI(text string) (model.Move, error) {
	if text == "0000" {
		return model.NullMove, nil
	}
	if len(text) != 4 && len(text) != 5 || !isFile(text[0]) || !isRank(text[1]) ||
		!isFile(text[2]) || !isRank(text[3]) {
		return model.NullMove, ErrNotation
	}
	n := notation{
		file: int8(text[0] - 'a'), rank: int8(text[1] - '1'),
		to: model.NewSquare(int(text[2]-'a'), int(text[3]-'1')),
	}
	if len(text) == 5 {
		piece := model.PieceOf(text[4])
		if piece < model.BlackKnight || piece > model.BlackQueen {
			return model.NullMove, ErrNotation
		}
		n.becomes = piece.Type()
	}
	return p.resolveSquares(n)
}

// resolveSquares finds the move between two squares, whatever piece makes it.
func (p *Position) resolveSquares(n notation) (model.Move, error) {
	from := model.NewSquare(int(n.file), int(n.rank))
	piece := p.board[from].Type()
	if n.piece != model.NoPieceType && n.piece != piece || n.capture && !p.captures(from, n.to) {
		return model.NullMove, ErrIllegal
	}
	m := model.NewPromotion(from, n.to, n.becomes)
	if m != model.NullMove && p.Legal(m) {
		return m, nil
	}
	if piece == model.King && n.becomes == model.NoPieceType {
		if m := p.castlingBySquares(from, n.to); m != model.NullMove {
			return m, nil
		}
	}
	if n.becomes == model.NoPieceType && piece == model.Pawn && p.Legal(model.NewPromotion(from, n.to, model.Queen)) {
		return model.NullMove, ErrPromotion
	}
	return model.NullMove, ErrIllegal
}

// castlingBySquares returns the possible castling that the king's move between
// two squares means: onto its own rook, or else to the c- or g-file. NullMove if
// it means none. A legal step of the king to those files goes before it.
func (p *Position) castlingBySquares(king, to model.Square) model.Move {
	if king&56 != to&56 {
		return model.NullMove
	}
	if p.board[to&63] == model.NewPiece(p.turn, model.Rook) {
		if m := model.NewCastling(king, to); p.canCastle(m) {
			return m
		}
		return model.NullMove
	}
	switch {
	case to == king:
		return model.NullMove
	case to&7 == model.G1:
		return p.castlingTowards(model.KingSide)
	case to&7 == model.C1:
		return p.castlingTowards(model.QueenSide)
	}
	return model.NullMove
}

// captures reports whether a move between the squares takes something.
func (p *Position) captures(from, to model.Square) bool {
	return p.board[to&63] != model.NoPiece ||
		p.board[from&63].Type() == model.Pawn && p.enPassantSet()&bit(to) != 0
}
