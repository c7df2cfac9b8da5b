package moveenc

import (
	"fmt"

	"cbkit/board"
	"cbkit/internal/wire"
	"cbkit/model"
)

// The start position of a record (docs/formats/cbg.md 4):
//
//	+0    1   always 1
//	+1    1   bits 0-3 en passant file, 1 for a, 0 for none; bit 4 Black to move
//	+2    1   castling rights: bit 0 White's O-O-O, 1 White's O-O, 2 Black's
//	          O-O-O, 3 Black's O-O
//	+3    1   number of the next full move; 0 means 1
//	+4   24   the board: see wire.ParseBoard
//	+28   1   square of White's king         \
//	+29   1   square of Black's king         |
//	+30   2   White's rooks for O-O, O-O-O   | Chess960 only
//	+32   2   Black's rooks for O-O, O-O-O   |
//	+34   2   number of the start position   /
const (
	startSize     = 28
	startSize960  = 36
	boardOffset   = 4
	startMarker   = 1
	blackToMove   = 1 << 4
	maxMoveNumber = 255
)

// rightBits are the castling rights by colour and side.
var rightBits = [2][2]byte{{1 << 1, 1 << 0}, {1 << 3, 1 << 2}}

// orthodoxRooks are the rooks that castle in regular chess.
var orthodoxRooks = [2][2]model.Square(model.AllRights())

// startBlock is what a start position in a record says.
type startBlock struct {
	position model.Position
	// rooks are the rooks that castle, right or not, by colour and side;
	// NoSquare if there is none.
	rooks [2][2]model.Square
}

// startLen returns the size of a start position in bytes.
func startLen(chess960 bool) int {
	if chess960 {
		return startSize960
	}
	return startSize
}

// parseStart reads a start position of the length that startLen says.
//
// Values that mean nothing (an en passant file above 8, reserved bits, the
// unused end of the board) count as zero.
func parseStart(b []byte, chess960 bool) (startBlock, error) {
	s := startBlock{rooks: orthodoxRooks}
	p := &s.position
	*p = model.Position{
		Rights: model.NoRights(), EnPassant: int8(b[1]&15) - 1,
		FullMove: max(uint16(b[3]), 1), Chess960: chess960,
	}
	if p.EnPassant > 7 {
		p.EnPassant = model.NoFile
	}
	if b[1]&blackToMove != 0 {
		p.Turn = model.Black
	}
	if err := wire.ParseBoard(b[boardOffset:startSize], &p.Board); err != nil {
		return s, err
	}
	if chess960 {
		s.rooks = parseRooks(b[startSize:], p)
	}
	for c, sides := range rightBits {
		for side, bit := range sides {
			if b[2]&bit != 0 {
				p.Rights[c][side] = s.rooks[c][side]
			}
		}
	}
	return s, nil
}

// appendStart appends a start position, in the length of its kind of chess.
// What does not fit is left out (see [Losses]). The board must be one that
// board.New accepts.
func appendStart(dst []byte, p *model.Position) []byte {
	flags := byte(p.EnPassant + 1)
	if p.Turn == model.Black {
		flags |= blackToMove
	}
	rooks := orthodoxRooks
	if p.Chess960 {
		rooks = chooseRooks(p, p.Rights)
	}
	var rights byte
	for c, sides := range rightBits {
		for side, bit := range sides {
			if s := p.Rights[c][side]; s != model.NoSquare && s == rooks[c][side] {
				rights |= bit
			}
		}
	}
	dst = append(dst, startMarker, flags, rights, byte(min(max(p.FullMove, 1), maxMoveNumber)))
	dst, _ = wire.AppendBoard(dst, &p.Board) // it has room for all that are accepted
	if p.Chess960 {
		dst = append960(dst, p, rooks)
	}
	return dst
}

// openStart is parseStart, and the position to play on.
func openStart(b []byte, chess960 bool) (startBlock, board.Position, error) {
	s, err := parseStart(b, chess960)
	if err != nil {
		return s, board.Position{}, fmt.Errorf("%w: %w", err, model.ErrCorrupt)
	}
	p, err := board.New(&s.position)
	if err != nil {
		return s, p, fmt.Errorf("%w: %w", err, model.ErrUnsupported)
	}
	return s, p, nil
}

// parseRooks reads the Chess960 part of a start position. A few records hold
// no valid squares there; then the outermost rook beside the king is meant.
func parseRooks(b []byte, p *model.Position) [2][2]model.Square {
	rooks := model.NoRights()
	for i, n := range b[2:6] {
		if n < 64 {
			rooks[i/2][i%2] = model.SquareFromFileMajor(n)
		}
	}
	return chooseRooks(p, rooks)
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

// chooseRooks returns the rooks of a Chess960 start position: those that are named, as
// it is written those that have a right, else the outermost.
func chooseRooks(p *model.Position, rooks [2][2]model.Square) [2][2]model.Square {
	for c := range rooks {
		for side, s := range rooks[c] {
			if !mayCastle(p, model.Color(c), model.Side(side), s) {
				rooks[c][side] = outermostRook(p, model.Color(c), model.Side(side))
			}
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

// Losses returns the parts of a start position that a record cannot hold: the half-move
// clock, a move number above 255, castling rights of rooks that could not castle. Nil,
// the standard position, loses nothing. The losses name no record.
func Losses(start *model.Position) []model.Loss {
	if start == nil {
		return nil
	}
	var losses []model.Loss
	report := model.Report(func(l model.Loss) { losses = append(losses, l) })
	if start.HalfMoves != 0 {
		report.Add(model.LostField, 0, "start", "half-move clock %d", start.HalfMoves)
	}
	if start.FullMove > maxMoveNumber {
		report.Add(model.LostField, 0, "start", "move number %d, written as %d", start.FullMove, maxMoveNumber)
	}
	rooks := orthodoxRooks
	if start.Chess960 {
		rooks = chooseRooks(start, start.Rights)
	}
	for c, sides := range start.Rights {
		for side, s := range sides {
			if s != model.NoSquare && s != rooks[c][side] {
				report.Add(model.LostField, 0, "start", "right of %v to castle with %v", model.Color(c), s)
			}
		}
	}
	return losses
}
