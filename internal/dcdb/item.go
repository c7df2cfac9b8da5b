package dcdb

import (
	"cbkit/board"
	"cbkit/internal/wire"
	"cbkit/model"
)

// The first bytes of a game and of its items. (docs/formats/dcdb.md 4)
const (
	markStandard = 0x00 // the game begins in the standard position
	markFEN      = 0x01 // a length and a FEN follow

	tagOldBegin = 0x80 // the description's begin of a variation, never written
	tagBegin    = 0x84
	tagEnd      = 0x85
	tagComment  = 0x86
	tagNAGs     = 0x87
	tagNull     = 0x88
)

// MaxDepth is how deep variations may be nested. The format has no limit; this
// one guards against damage.
const MaxDepth = 1000

// Lengths take one byte up to 126, else a byte 81 to 84 and as many bytes of
// number as its low digit says. (docs/formats/dcdb.md 4.1)
const (
	lengthLong = 0x80 // and the number of bytes
	lengthMax  = 4    // bytes of the longest number

	// MaxLengthSize is the size of the longest length in bytes.
	MaxLengthSize = 1 + lengthMax
)

// AppendLength appends a length. The thresholds are those of the author's
// encoder, whose decoder does not take 7F.
func AppendLength(dst []byte, n uint32) []byte {
	switch {
	case n < 0x7f:
		return append(dst, byte(n))
	case n < 0xff:
		return append(dst, lengthLong|1, byte(n))
	case n < 0xffff:
		return wire.AppendU16BE(append(dst, lengthLong|2), uint16(n))
	case n < 0xffffff:
		return wire.AppendU24BE(append(dst, lengthLong|3), n)
	}
	return wire.AppendU32BE(append(dst, lengthLong|4), n)
}

// DecodeLength reads the length at the beginning of b, in the shortest form or
// not, and returns how many bytes it takes. It fails, with size 0, where the
// first byte begins no length and where b ends too early.
func DecodeLength(b []byte) (n uint32, size int) {
	if len(b) == 0 {
		return 0, 0
	}
	if b[0] < lengthLong {
		return uint32(b[0]), 1
	}
	digits := int(b[0] - lengthLong)
	if digits == 0 || digits > lengthMax || len(b) < 1+digits {
		return 0, 0
	}
	for _, digit := range b[1 : 1+digits] {
		n = n<<8 | uint32(digit)
	}
	return n, 1 + digits
}

// Promotions is how the pieces that pawns become are numbered in moves.
// (docs/formats/dcdb.md 4.3)
type Promotions uint8

const (
	// FromOne: 1 knight, 2 bishop, 3 rook, 4 queen, as the description says.
	FromOne Promotions = iota + 1
	// FromTwo: 2 knight, 3 bishop, 4 rook, 5 queen, as the author's programs
	// have it.
	FromTwo
)

// A move is promotion<<12 | from<<6 | to.
const (
	promotionShift = 12
	fromShift      = 6
	squareMask     = 1<<fromShift - 1
	promotionMask  = 7
)

// code returns the number of a piece, 0 for none.
func (p Promotions) code(t model.PieceType) uint16 {
	switch {
	case t == model.NoPieceType:
		return 0
	case p == FromOne:
		return uint16(t) - 1
	}
	return uint16(t)
}

// piece returns the piece of a number. Exact is false for numbers that the
// numbering does not have, but can mean only one thing: 0 is what is left of a
// queen's 4 in two bits, 1 and 5 exist only in the other numbering. 6 and 7
// are no piece.
func (p Promotions) piece(code uint16) (t model.PieceType, exact bool) {
	switch {
	case code == 0 || code == 5:
		return model.Queen, code == 5 && p == FromTwo
	case code == 1:
		return model.Knight, p == FromOne
	case code > 5:
		return model.NoPieceType, false
	case p == FromOne:
		return model.PieceType(code + 1), true
	}
	return model.PieceType(code), true
}

// encodeMove returns a move, which is not the null move. Chess960 says that
// castling is stored as the king taking its rook.
func (p Promotions) encodeMove(m model.Move, chess960 bool) uint16 {
	to := m.KingTarget()
	if chess960 {
		to = m.To()
	}
	return p.code(m.Promotion())<<promotionShift | uint16(m.From())<<fromShift | uint16(to)
}

// decodeMove returns the move that is meant in a position. Exact is false if
// the promotion is not what would be written; legality is not asked.
func (p Promotions) decodeMove(v uint16, pos *board.Position) (m model.Move, exact bool) {
	from, to := model.Square(v>>fromShift&squareMask), model.Square(v&squareMask)
	code := v >> promotionShift & promotionMask
	piece := pos.PieceAt(from)
	switch {
	case piece.Type() == model.Pawn && (to.Rank() == 0 || to.Rank() == 7):
		t, exact := p.piece(code)
		return model.NewPromotion(from, to, t), exact
	case piece.Type() == model.King:
		return decodeKingMove(from, to, pos), code == 0
	}
	return model.NewMove(from, to), code == 0
}

// decodeKingMove tells castling from a step of the king. Castling is the king
// going two squares, or onto its own rook.
func decodeKingMove(from, to model.Square, pos *board.Position) model.Move {
	if pos.PieceAt(to) == model.NewPiece(pos.PieceAt(from).Color(), model.Rook) {
		return model.NewCastling(from, to)
	}
	if from.Rank() == to.Rank() {
		switch to.File() - from.File() {
		case 2:
			return model.NewCastling(from, model.NewSquare(7, from.Rank()))
		case -2:
			return model.NewCastling(from, model.NewSquare(0, from.Rank()))
		}
	}
	return model.NewMove(from, to)
}

// PromotionSample is how many games are looked through, at most, for how a
// database numbers promotions. A queen is in one game of a few dozen.
const PromotionSample = 10_000

// SeenPromotions looks through a game record, without its length, for
// promotions that only one numbering has: a 5 is of FromTwo, a 1 of FromOne.
// It returns 0 if there is neither. It plays no moves, so that a move of
// another piece to the last rank with such a number would deceive it; no program
// writes those.
func SeenPromotions(body []byte) Promotions {
	d := Decoder{body: body, at: 1}
	if len(body) > 0 && body[0] == markFEN {
		if _, ok := d.block(""); !ok {
			return 0
		}
	}
	var seen Promotions
	for d.at < len(body) {
		at := d.at
		tag, ok := d.skip()
		if !ok {
			break
		}
		if tag != 0 {
			continue
		}
		// From the last rank but one to the last, as promotions go.
		v := uint16(body[at])<<8 | uint16(body[at+1])
		from, to := model.Square(v>>fromShift&squareMask), model.Square(v&squareMask)
		step := to.File() - from.File()
		if step < -1 || step > 1 || (from.Rank() != 6 || to.Rank() != 7) && (from.Rank() != 1 || to.Rank() != 0) {
			continue
		}
		switch v >> promotionShift {
		case 5:
			return FromTwo
		case 1:
			seen = FromOne
		}
	}
	return seen
}
