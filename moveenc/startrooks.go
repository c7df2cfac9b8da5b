package moveenc

import (
	"cbkit/board"
	"cbkit/model"
)

// parseRooks reads the Chess960 part of a start position. A few records hold
// no valid squares there; then the outermost rook beside the king is meant.
func parseRooks(b []byte, p *model.Position) (rooks [2][2]model.Square) {
	for c := range rooks {
		for side := range rooks[c] {
			s := model.NoSquare
			if n := b[2+2*c+side]; n < 64 {
				s = model.SquareFromFileMajor(n)
			}
			if !mayCastle(p, model.Color(c), model.Side(side), s) {
				s = outermostRook(p, model.Color(c), model.Side(side))
			}
			rooks[c][side] = s
		}
	}
	return rooks
}

// mayCastle reports whether a rook of the colour stands on the square, on the
// king's rank and that side of it.
func mayCastle(p *model.Position, c model.Color, side model.Side, s model.Square) bool {
	king := p.KingSquare(c)
	return s < model.NoSquare && king != model.NoSquare && king&56 == s&56 &&
		p.Board[s] == model.NewPiece(c, model.Rook) && (s > king) == (side == model.KingSide)
}

// outermostRook returns the rook farthest from the king that mayCastle, or
// NoSquare.
func outermostRook(p *model.Position, c model.Color, side model.Side) model.Square {
	king := p.KingSquare(c)
	for file := range model.Square(8) {
		if side == model.KingSide {
			file = 7 - file
		}
		if s := king&56 | file; mayCastle(p, c, side, s) {
			return s
		}
	}
	return model.NoSquare
}

// chooseRooks returns the rooks that a Chess960 start position is written
// with: those that have a right, else the outermost.
func chooseRooks(p *model.Position) (rooks [2][2]model.Square) {
	for c := range rooks {
		for side := range rooks[c] {
			s := p.Rights[c][side]
			if !mayCastle(p, model.Color(c), model.Side(side), s) {
				s = outermostRook(p, model.Color(c), model.Side(side))
			}
			rooks[c][side] = s
		}
	}
	return rooks
}

// append960 appends the Chess960 part of a start position. A king or a rook
// that is not there is written as 0, and so is the number of a position that
// has none.
func append960(dst []byte, p *model.Position, rooks [2][2]model.Square) []byte {
	squares := [6]model.Square{p.KingSquare(model.White), p.KingSquare(model.Black),
		rooks[0][0], rooks[0][1], rooks[1][0], rooks[1][1]}
	for _, s := range squares {
		if s == model.NoSquare {
			s = model.A1
		}
		dst = append(dst, s.FileMajor())
	}
	number, ok := board.Chess960Number(p)
	if !ok {
		number = 0
	}
	return append(dst, byte(number>>8), byte(number))
}
