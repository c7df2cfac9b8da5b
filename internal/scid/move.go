package scid

import (
	"fmt"
	"slices"

	"cbkit/model"
)

// maxMen is how many men a side may have: a number has four bits.
const maxMen = 16

// men are the men of both sides and who is to move. A man keeps his number; when one is
// taken, the man with the highest number of his side gets the number of the taken one.
type men struct {
	at     [2][maxMen]model.Square
	kind   [2][maxMen]model.PieceType
	n      [2]uint8
	turn   model.Color
	rights model.CastlingRights
	number [64]uint8 // of the man who came last to a square
}

// standard are the men of the usual start, king, then the others from a to h, then the
// pawns.
var standard = func() (m men) {
	p := model.StartPosition()
	m.rights = p.Rights
	for color, rank := range [2]model.Square{0, 56} {
		for _, file := range [8]model.Square{4, 0, 1, 2, 3, 5, 6, 7} {
			m.add(model.Color(color), rank|file, p.Board[rank|file].Type())
		}
		for file := range model.Square(8) {
			m.add(model.Color(color), rank^8|file, model.Pawn)
		}
	}
	return m
}()

// set numbers the men of a position, nil for the usual start. Those of a position of its
// own are numbered in the order of its FEN, but for the kings, who change with the man
// numbered 0.
func (m *men) set(p *model.Position) {
	if p == nil {
		*m = standard
		return
	}
	*m = men{turn: p.Turn, rights: p.Rights}
	for i := range model.Square(64) {
		at := i ^ 56 // rank 8 first
		piece := p.Board[at]
		if piece == model.NoPiece {
			continue
		}
		color := piece.Color()
		if piece.Type() == model.King && m.n[color] > 0 {
			m.add(color, m.at[color][0], m.kind[color][0])
			m.put(color, 0, at, model.King)
			continue
		}
		m.add(color, at, piece.Type())
	}
}

// add gives the next number to a man.
func (m *men) add(color model.Color, at model.Square, kind model.PieceType) {
	m.put(color, m.n[color], at, kind)
	m.n[color]++
}

// put makes a man stand on a square.
func (m *men) put(color model.Color, number uint8, at model.Square, kind model.PieceType) {
	m.at[color&1][number&15], m.kind[color&1][number&15] = at, kind
	m.number[at&63] = number
}

// find returns the number of the man on a square.
func (m *men) find(color model.Color, at model.Square) (number uint8, is bool) {
	number = m.number[at&63]
	return number, number < m.n[color&1] && m.at[color&1][number&15] == at
}

// noRights are the rights when there are none left.
var noRights = model.CastlingRights{{model.NoSquare, model.NoSquare}, {model.NoSquare, model.NoSquare}}

// drop drops the rights that end with a move.
func (m *men) drop(color model.Color, kind model.PieceType, from, to model.Square) {
	for c := range m.rights {
		for side, rook := range m.rights[c] {
			if rook == from || rook == to || kind == model.King && model.Color(c) == color {
				m.rights[c][side] = model.NoSquare
			}
		}
	}
}

// play follows a legal move, and returns who was taken and where, NoPieceType if no man was
// was.
func (m *men) play(move model.Move) (taken model.PieceType, at model.Square) {
	color, from, to := m.turn&1, move.From(), move.To()
	m.turn = color.Other()
	number, is := m.find(color, from)
	if move.IsNull() || !is {
		return model.NoPieceType, to
	}
	kind, other := m.kind[color][number&15], m.turn&1
	if m.rights != noRights {
		m.drop(color, kind, from, to)
	}
	if move.IsCastling() {
		rook, _ := m.find(color, to)
		m.put(color, number, move.KingTarget(), model.King)
		m.put(color, rook, move.RookTarget(), model.Rook)
		return model.NoPieceType, to
	}
	victim, is := m.find(other, to)
	if at = to; !is && kind == model.Pawn && from%8 != to%8 {
		at = from&^7 | to&7
		victim, is = m.find(other, at)
	}
	if is {
		taken = m.kind[other][victim&15]
		m.n[other]--
		last := m.n[other] & 15
		m.put(other, victim, m.at[other][last], m.kind[other][last])
	}
	if becomes := move.Promotion(); becomes != model.NoPieceType {
		kind = becomes
	}
	m.put(color, number, to, kind)
	return taken, at
}

// The steps of kings and knights, by code.
var (
	kingSteps   = [...]int{1: -9, 2: -8, 3: -7, 4: -1, 5: 1, 6: 7, 7: 8, 8: 9}
	knightSteps = [...]int{1: -17, 2: -15, 3: -10, 4: -6, 5: 6, 6: 10, 7: 15, 8: 17}
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
func (m *men) rookOf(color model.Color, side model.Side) model.Square {
	if at := m.rights[color][side]; at != model.NoSquare {
		return at
	}
	return model.AllRights()[color][side]
}

// decode returns the move that bytes mean, legal or not, and how many they are.
func (m *men) decode(b []byte) (move model.Move, size int, err error) {
	color, number, code := m.turn&1, b[0]>>4, int(b[0]&15)
	if number >= m.n[color] {
		return 0, 1, fmt.Errorf("%02x is of man %d, of %d", b[0], number, m.n[color])
	}
	from := m.at[color][number]
	to, size := -1, 1
	promotion := model.NoPieceType
	switch m.kind[color][number] {
	case model.King:
		switch code {
		case codeNull:
			return model.NullMove, 1, nil
		case codeLong, codeShort:
			side := model.QueenSide
			if code == codeShort {
				side = model.KingSide
			}
			return model.NewCastling(from, m.rookOf(color, side)), 1, nil
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
	return move, size, nil
}

// append appends the bytes of a legal move.
func (m *men) append(dst []byte, move model.Move) ([]byte, error) {
	color, from, to := m.turn&1, move.From(), int(move.To())
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
	switch m.kind[color][number&15] {
	case model.King:
		code = slices.Index(kingSteps[:], step)
	case model.Knight:
		code = slices.Index(knightSteps[:], step)
	case model.Bishop:
		if code = to % 8; (step > 0) != (to%8 > int(from%8)) {
			code += 8
		}
	case model.Queen:
		if from%8 != move.To()%8 && from/8 != move.To()/8 {
			return append(dst, number<<4|byte(from%8), byte(queenDiagonal+to)), nil
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
	return append(dst, number<<4|byte(code)), nil
}
