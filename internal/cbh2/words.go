package cbh2

import (
	"slices"
	"sync"

	"cbkit/model"
)

// The words that are no moves of one piece.
const (
	firstCastling    = 0xb129 // White O-O-O, O-O, Black O-O-O, O-O
	firstCastling960 = 0xb12d // the same four for each Chess960 position
	firstPiece       = 0xc02d // pieces of a set-up
	endPieces        = 0xc30d
	wordNull         = 0xfffa
	wordStart        = 0xfffb // a start section follows
	wordTree         = 0xfffc // the moves follow
	wordMore         = 0xfffd // the move before has one more alternative
	wordEnd          = 0xffff // a line ends
)

// wordFree stands before a set-up under the rules of Chess960.
const wordFree = 1000

// A motion is the move of one piece as a word says it.
type motion struct {
	move      model.Move // the same as the model has it
	from, to  model.Square
	piece     model.Piece
	captured  model.PieceType
	becomes   model.PieceType
	enPassant bool
}

// pieceOrder is the order of pieces in words.
var pieceOrder = [5]model.PieceType{model.King, model.Queen, model.Knight, model.Bishop, model.Rook}

// stepOrder are the steps of the pieces (files, ranks), in the order of words.
var stepOrder = map[model.PieceType][][2]int{
	model.King:   {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}},
	model.Queen:  {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, 0}, {0, 1}},
	model.Knight: {{-2, -1}, {-2, 1}, {2, -1}, {2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}},
	model.Bishop: {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
	model.Rook:   {{-1, 0}, {0, -1}, {1, 0}, {0, 1}},
}

// captureOrder is the order of what is captured, promotionOrder that of what a pawn
// becomes.
var (
	captureOrder   = [5]model.PieceType{model.Queen, model.Knight, model.Bishop, model.Rook, model.Pawn}
	promotionOrder = [4]model.PieceType{model.Queen, model.Knight, model.Bishop, model.Rook}
)

// motionTable are the moves by their words, and where those of a piece on a square
// begin.
type motionTable struct {
	motions [firstCastling]motion
	first   [2][7][65]uint16 // by colour, kind of piece, stored square; those of the next begin where it ends
}

// table enumerates the moves on an empty board in the order of their words.
var table = sync.OnceValue(func() *motionTable {
	t := &motionTable{}
	word := uint16(1)
	add := func(m motion) {
		m.move = model.NewMove(m.from, m.to)
		if m.becomes != model.NoPieceType {
			m.move = model.NewPromotion(m.from, m.to, m.becomes)
		}
		t.motions[word] = m
		word++
	}
	for _, color := range [2]model.Color{model.White, model.Black} {
		for _, kind := range pieceOrder {
			for at := range 64 {
				t.first[color][kind][at] = word
				for _, step := range stepOrder[kind] {
					for file, rank := at/8+step[0], at%8+step[1]; file >= 0 && file < 8 && rank >= 0 && rank < 8; file, rank = file+step[0], rank+step[1] {
						m := motion{from: square(byte(at)), to: model.Square(8*rank + file), piece: model.NewPiece(color, kind)}
						add(m)
						for _, m.captured = range captureOrder {
							add(m)
						}
						if kind == model.King || kind == model.Knight {
							break
						}
					}
				}
			}
			t.first[color][kind][64] = word
		}
	}
	for _, color := range [2]model.Color{model.White, model.Black} {
		home, passing, last, up := 1, 4, 6, 1
		if color == model.Black {
			home, passing, last, up = 6, 3, 1, -1
		}
		for file := range 8 {
			t.first[color][model.Pawn][8*file] = word
			for rank := 1; rank <= 6; rank++ {
				t.first[color][model.Pawn][8*file+rank] = word
				m := motion{from: model.Square(8*rank + file), piece: model.NewPiece(color, model.Pawn)}
				to := func(file, up int) model.Square { return model.Square(8*(rank+up) + file) }
				if rank == home {
					m.to = to(file, 2*up)
					add(m)
				}
				m.to = to(file, up)
				if rank == last {
					for _, m.becomes = range promotionOrder {
						add(m)
					}
				} else {
					add(m)
				}
				for _, side := range [2]int{file - 1, file + 1} {
					if side < 0 || side > 7 {
						continue
					}
					m := motion{from: m.from, to: to(side, up), piece: m.piece}
					for _, m.captured = range captureOrder {
						switch {
						case rank != last:
							add(m)
						case m.captured != model.Pawn:
							for _, m.becomes = range promotionOrder {
								add(m)
							}
						}
					}
					if rank == passing {
						m.enPassant = true
						add(m)
					}
				}
			}
			t.first[color][model.Pawn][8*file+7] = word
		}
		t.first[color][model.Pawn][64] = word
	}
	return t
})

// wordOf returns the word of a move of one piece, 0 if there is none.
func (t *motionTable) wordOf(m motion) uint16 {
	at := storedSquare(m.from)
	starts := &t.first[m.piece.Color()][m.piece.Type()]
	for w := starts[at]; w < starts[at+1]; w++ {
		if t.motions[w] == m {
			return w
		}
	}
	return 0
}

// The words of pieces in a set-up: 64 for each kind of pieceOrder and colour, then
// 48 for the pawns of each, by files from the second rank to the seventh.
const firstSetUpPawn = firstPiece + 2*5*64

// setUpPiece returns the piece of a set-up that a word names.
func setUpPiece(w uint16) (p model.Piece, s model.Square, ok bool) {
	switch {
	case w < firstPiece || w >= endPieces:
		return 0, 0, false
	case w < firstSetUpPawn:
		n := w - firstPiece
		return model.NewPiece(model.Color(n/320), pieceOrder[n/64%5]), square(byte(n % 64)), true
	}
	n := w - firstSetUpPawn
	return model.NewPiece(model.Color(n/48), model.Pawn), model.Square(8*(n%6+1) + n%48/6), true
}

// setUpWord is the inverse of setUpPiece; 0 for what no word names.
func setUpWord(p model.Piece, s model.Square) uint16 {
	color := uint16(p.Color())
	if p.Type() == model.Pawn {
		if s < 8 || s >= 56 {
			return 0
		}
		return firstSetUpPawn + 48*color + 6*uint16(s%8) + uint16(s/8) - 1
	}
	i := slices.Index(pieceOrder[:], p.Type())
	if i < 0 {
		return 0
	}
	return firstPiece + 320*color + 64*uint16(i) + uint16(storedSquare(s))
}
