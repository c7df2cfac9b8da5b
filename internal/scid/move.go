package scid

import (
	"fmt"

	"cbkit/board"
	"cbkit/model"
)

// maxMen is how many men a side may have: a number has four bits.
const maxMen = 16

// men are the numbers of the men of both sides. A man keeps his number; when one is
// taken, the man with the highest number of his side gets the number of the taken one.
type men struct {
	at [2][maxMen]model.Square
	n  [2]uint8
}

// standard are the files of the men of the usual start in the order of their numbers:
// king, then the others from a to h, then the pawns.
var standard = [8]model.Square{4, 0, 1, 2, 3, 5, 6, 7}

// set numbers the men of a position, nil for the usual start. Those of a position of its
// own are numbered in the order of its FEN, but for the kings, who change with the man
// numbered 0.
func (m *men) set(p *model.Position) {
	if p == nil {
		for i, file := range standard {
			m.at[model.White][i], m.at[model.Black][i] = file, 56+file
			m.at[model.White][8+i], m.at[model.Black][8+i] = model.Square(8+i), model.Square(48+i)
		}
		m.n = [2]uint8{maxMen, maxMen}
		return
	}
	m.n = [2]uint8{}
	for i := range model.Square(64) {
		at := i ^ 56 // rank 8 first
		piece := p.Board[at]
		if piece == model.NoPiece {
			continue
		}
		list, n := &m.at[piece.Color()], &m.n[piece.Color()]
		list[*n] = at
		if piece.Type() == model.King {
			list[0], list[*n] = at, list[0]
		}
		*n++
	}
}

// find returns the number of the man on a square.
func (m *men) find(color model.Color, at model.Square) (int, bool) {
	for i, s := range m.at[color][:m.n[color]] {
		if s == at {
			return i, true
		}
	}
	return 0, false
}

// play follows a move, before it is made on the board.
func (m *men) play(p *board.Position, move model.Move) {
	if move.IsNull() {
		return
	}
	color, from, to := p.Turn(), move.From(), move.To()
	if move.IsCastling() {
		king, _ := m.find(color, from)
		rook, _ := m.find(color, to)
		m.at[color][king], m.at[color][rook] = move.KingTarget(), move.RookTarget()
		return
	}
	taken := to
	if p.PieceAt(from).Type() == model.Pawn && from%8 != to%8 && p.PieceAt(to) == model.NoPiece {
		taken = from&^7 | to&7
	}
	other := color.Other()
	if i, is := m.find(other, taken); is {
		m.n[other]--
		m.at[other][i] = m.at[other][m.n[other]]
	}
	if i, is := m.find(color, from); is {
		m.at[color][i] = to
	}
}

// The steps of kings and knights, by code.
var (
	kingSteps   = [11]int{1: -9, 2: -8, 3: -7, 4: -1, 5: 1, 6: 7, 7: 8, 8: 9}
	knightSteps = [9]int{1: -17, 2: -15, 3: -10, 4: -6, 5: 6, 6: 10, 7: 15, 8: 17}
)

// Codes of kings that are no steps, of pawns, and what a queen's second byte begins at.
const (
	codeNull        = 0
	codeLong        = 9
	codeShort       = 10
	codeDouble      = 15
	queenDiagonal   = 64
	pawnStepsToLeft = 7
)

// becomes are what pawns become, by a third of their codes.
var becomes = [5]model.PieceType{model.NoPieceType, model.Queen, model.Rook, model.Bishop, model.Knight}

// rookOf returns the rook with which a king castles on a side.
func rookOf(p *board.Position, color model.Color, side model.Side) model.Square {
	if at := p.Rights()[color][side]; at != model.NoSquare {
		return at
	}
	return model.AllRights()[color][side]
}

// decode returns the move that bytes mean in a position, and how many they are.
func (m *men) decode(p *board.Position, b []byte) (move model.Move, size int, err error) {
	color, number, code := p.Turn(), int(b[0]>>4), int(b[0]&15)
	if number >= int(m.n[color]) {
		return 0, 1, fmt.Errorf("%02x is of man %d, of %d", b[0], number, m.n[color])
	}
	from := m.at[color][number]
	to, size := -1, 1
	kind := p.PieceAt(from).Type()
	promotion := model.NoPieceType
	switch kind {
	case model.King:
		switch code {
		case codeNull:
			return model.NullMove, 1, nil
		case codeLong, codeShort:
			side := model.QueenSide
			if code == codeShort {
				side = model.KingSide
			}
			if move = model.NewCastling(from, rookOf(p, color, side)); !p.LegalLoose(move) {
				return 0, 1, fmt.Errorf("castling (%02x) is not legal", b[0])
			}
			return move, 1, nil
		}
		if code < len(kingSteps) {
			to = int(from) + kingSteps[code]
		}
	case model.Knight:
		if code > 0 && code < len(knightSteps) {
			to = int(from) + knightSteps[code]
		}
	case model.Bishop:
		if d := code&7 - int(from%8); code < 8 {
			to = int(from) + 9*d
		} else {
			to = int(from) - 7*d
		}
	case model.Queen:
		if code == int(from%8) {
			if len(b) < 2 || b[1] < queenDiagonal || b[1] >= queenDiagonal+64 {
				return 0, 1, fmt.Errorf("%02x has no square behind it", b[0])
			}
			to, size = int(b[1])-queenDiagonal, 2
			break
		}
		fallthrough
	case model.Rook:
		if to = int(from&^7) + code; code >= 8 {
			to = (code-8)*8 + int(from%8)
		}
	case model.Pawn:
		step := pawnStepsToLeft + code%3
		if code == codeDouble {
			step = 16
		} else {
			promotion = becomes[code/3]
		}
		if to = int(from) + step; color == model.Black {
			to = int(from) - step
		}
	}
	if to < 0 || to > 63 {
		return 0, size, fmt.Errorf("%02x leaves the board", b[0])
	}
	move = model.NewMove(from, model.Square(to))
	if promotion != model.NoPieceType {
		move = model.NewPromotion(from, model.Square(to), promotion)
	}
	if !p.LegalLoose(move) {
		return 0, size, fmt.Errorf("%v (%02x) is not legal", move, b[0])
	}
	return move, size, nil
}

// append appends the bytes of a legal move.
func (m *men) append(dst []byte, p *board.Position, move model.Move) ([]byte, error) {
	color, from, to := p.Turn(), move.From(), int(move.To())
	switch {
	case move.IsNull():
		return append(dst, codeNull), nil
	case move.IsCastling() && move.IsShortCastling():
		return append(dst, codeShort), nil
	case move.IsCastling():
		return append(dst, codeLong), nil
	}
	number, is := m.find(color, from)
	if !is {
		return nil, fmt.Errorf("%v: there is no man to move: %w", move, model.ErrCorrupt)
	}
	code, step := -1, to-int(from)
	switch p.PieceAt(from).Type() {
	case model.King:
		for i, s := range kingSteps {
			if s == step {
				code = i
			}
		}
	case model.Knight:
		for i, s := range knightSteps {
			if s == step {
				code = i
			}
		}
	case model.Bishop:
		if code = to % 8; (step > 0) != (to%8 > int(from%8)) {
			code += 8
		}
	case model.Queen:
		if from%8 != move.To()%8 && from/8 != move.To()/8 {
			return append(dst, byte(number<<4)|byte(from%8), byte(queenDiagonal+to)), nil
		}
		fallthrough
	case model.Rook:
		if code = to % 8; from/8 != move.To()/8 {
			code = 8 + to/8
		}
	case model.Pawn:
		if color == model.Black {
			step = -step
		}
		if code = step - pawnStepsToLeft; step == 16 {
			code = codeDouble
		}
		for i, kind := range becomes {
			if i > 0 && kind == move.Promotion() {
				code += 3 * i
			}
		}
	}
	if code < 0 || code > 15 {
		return nil, fmt.Errorf("%v: no code says it: %w", move, model.ErrUnsupported)
	}
	return append(dst, byte(number<<4|code)), nil
}
