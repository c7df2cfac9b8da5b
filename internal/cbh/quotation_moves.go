package cbh

import (
	"slices"

	"cbkit/model"
)

// The moves of a quoted game are words: bits 0-5 from, 6-11 to, 12-13 what a
// pawn becomes, bit 14 the end. Castling is the king's move. The end is a null
// move. Both bytes of word k, counted from 0, are enciphered: see quoteCipher.
const quotedEnd = 1 << 14

// quotedPromotions are the pieces of bits 12-13.
var quotedPromotions = [4]model.PieceType{model.Queen, model.Rook, model.Bishop, model.Knight}

// decodeQuotedMoves decodes all of b, false unless it ends with the end.
func decodeQuotedMoves(b []byte, start *model.Position) ([]model.Move, bool) {
	n := len(b)/2 - 1
	if len(b)%2 != 0 || n < 0 || quotedWord(b, n) != quotedEnd {
		return nil, false
	}
	board := newQuotedBoard(start)
	moves := make([]model.Move, n)
	for k := range moves {
		w := quotedWord(b, k)
		if w >= quotedEnd {
			return nil, false
		}
		from := model.SquareFromFileMajor(uint8(w))
		to := model.SquareFromFileMajor(uint8(w >> 6))
		moves[k] = board.move(from, to, quotedPromotions[w>>12])
	}
	return moves, true
}

// quotedWord deciphers word k.
func quotedWord(b []byte, k int) uint16 {
	high, low := quoteDecipher[b[2*k]-byte(k)], quoteDecipher[b[2*k+1]-byte(k)]
	return uint16(high)<<8 | uint16(low)
}

func appendQuotedMoves(dst []byte, moves []model.Move, start *model.Position) []byte {
	k := byte(0) // only the low byte of k counts
	add := func(w uint16) {
		dst = append(dst, quoteCipher[w>>8]+k, quoteCipher[w&0xFF]+k)
		k++
	}
	for _, m := range moves {
		w := uint16(m.From().FileMajor()) | uint16(m.KingTarget().FileMajor())<<6
		if piece := slices.Index(quotedPromotions[:], m.Promotion()); piece > 0 {
			w |= uint16(piece) << 12
		}
		add(w)
	}
	add(quotedEnd)
	return dst
}

// quotedBoard knows where kings and pawns stand, of either colour, which is
// all it takes to tell castling and promotion. It replays what it is given,
// legal or not.
type quotedBoard struct{ kings, pawns uint64 }

func newQuotedBoard(start *model.Position) quotedBoard {
	if start == nil {
		p := model.StartPosition()
		start = &p
	}
	var b quotedBoard
	for square, piece := range start.Board {
		switch piece.Type() {
		case model.King:
			b.kings |= 1 << square
		case model.Pawn:
			b.pawns |= 1 << square
		}
	}
	return b
}

// move plays a stored move and returns it as the model has it: a king on e1 or
// e8 that goes two files castles, and a pawn on the last rank becomes promoted.
func (b *quotedBoard) move(from, to model.Square, promoted model.PieceType) model.Move {
	if from == to { // a null move
		return model.NewMove(from, to)
	}
	fromBit, toBit := uint64(1)<<from, uint64(1)<<to
	isKing, isPawn := b.kings&fromBit != 0, b.pawns&fromBit != 0
	b.kings &^= fromBit | toBit
	b.pawns &^= fromBit | toBit
	switch {
	case isKing:
		b.kings |= toBit
		if rook := castlingRook(from, to); rook != model.NoSquare {
			return model.NewCastling(from, rook)
		}
	case isPawn && (to.Rank() == 0 || to.Rank() == 7):
		return model.NewPromotion(from, to, promoted)
	case isPawn:
		b.pawns |= toBit
	}
	return model.NewMove(from, to)
}

// castlingRook returns the rook's square if a king's move is castling.
func castlingRook(from, to model.Square) model.Square {
	switch {
	case from == model.E1 && to == model.G1:
		return model.H1
	case from == model.E1 && to == model.C1:
		return model.A1
	case from == model.E8 && to == model.G8:
		return model.H8
	case from == model.E8 && to == model.C8:
		return model.A8
	}
	return model.NoSquare
}
