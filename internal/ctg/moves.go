package ctg

import (
	"math/bits"

	"cbkit/board"
	"cbkit/model"
)

// codeKind says what a move byte may be used for.
type codeKind uint8

const (
	noMove codeKind = iota
	// portable codes are read alike by all programs.
	portable
	// extended codes are not known to programs other than ChessBase's, or
	// known wrongly.
	extended
	// alias codes repeat another one round the edge of the board.
	alias
	shortCastling
	longCastling
)

// moveCode is the meaning of a move byte.
type moveCode struct {
	kind   codeKind
	piece  model.PieceType
	index  uint8 // from 1
	dx, dy int8
}

// Codes says which move bytes a writer may use.
type Codes uint8

const (
	// PortableCodes are the 165 bytes that all programs read alike.
	PortableCodes Codes = iota
	// AllCodes adds those for third pieces and the second queen's six files to
	// the right.
	AllCodes
)

const maxIndex = 8

// codeOf finds the byte for a piece, its index and the way it goes modulo 8;
// 0xaf, the null move, where there is none.
var codeOf = buildCodes()

const noCode = 0xaf

type codeTable [model.King + 1][maxIndex + 1][64]uint8

func buildCodes() *codeTable {
	var t codeTable
	for piece := range t {
		for index := range t[piece] {
			for way := range t[piece][index] {
				t[piece][index][way] = noCode
			}
		}
	}
	for code, c := range moveTable {
		if c.kind == portable || c.kind == extended {
			t[c.piece][c.index][model.NewSquare(int(c.dx), int(c.dy))] = uint8(code)
		}
	}
	return &t
}

const (
	shortCastlingCode = 0x6b
	longCastlingCode  = 0xf6
)

// EncodeMove returns the byte of a legal move in p under the view of p's key.
// There is none, and ok is false, for underpromotions, the moves of too many
// pieces of a kind, castling without a right that the key can say, and the
// null move. (docs/formats/ctg.md 4)
func EncodeMove(p *board.Position, v View, m model.Move, codes Codes) (code byte, ok bool) {
	if m.IsCastling() {
		return encodeCastling(p, m)
	}
	if become := m.Promotion(); m.IsNull() || become != model.NoPieceType && become != model.Queen {
		return noCode, false
	}
	piece := p.PieceAt(m.From()).Type()
	from, to := v.Square(m.From()), v.Square(m.To())
	index := 1
	for own := p.Pieces(p.Turn(), piece); own != 0; own &= own - 1 {
		if v.Square(model.Square(bits.TrailingZeros64(own))).FileMajor() < from.FileMajor() {
			index++
		}
	}
	if index > maxIndex {
		return noCode, false
	}
	way := model.NewSquare(to.File()-from.File(), to.Rank()-from.Rank())
	code = codeOf[piece][index][way]
	kind := moveTable[code].kind
	return code, kind == portable || kind == extended && codes == AllCodes
}

func encodeCastling(p *board.Position, m model.Move) (byte, bool) {
	c := p.Turn()
	side, code := model.QueenSide, byte(longCastlingCode)
	if m.IsShortCastling() {
		side, code = model.KingSide, shortCastlingCode
	}
	return code, orthodoxRights(p)>>(2*uint8(c)+uint8(side))&1 != 0
}

// DecodeMove returns the move that a byte means in p under the view of p's
// key. It is false for bytes that mean no move and for a piece that is not
// there; whether the move is legal is not asked. Pawns that arrive become
// queens.
func DecodeMove(p *board.Position, v View, code byte) (model.Move, bool) {
	c := &moveTable[code]
	switch c.kind {
	case noMove:
		return model.NullMove, false
	case shortCastling, longCastling:
		home := model.AllRights()[p.Turn()&1]
		rook := home[model.KingSide]
		if c.kind == longCastling {
			rook = home[model.QueenSide]
		}
		return model.NewCastling(rook&^7|model.E1, rook), true
	}
	from, ok := findPiece(p, v, c.piece, c.index)
	if !ok {
		return model.NullMove, false
	}
	canonical := v.Square(from)
	to := model.NewSquare(canonical.File()+int(c.dx), canonical.Rank()+int(c.dy))
	if c.piece == model.Pawn && to.Rank() == 7 {
		return model.NewPromotion(from, v.Square(to), model.Queen), true
	}
	return model.NewMove(from, v.Square(to)), true
}

// findPiece returns the real square of the index-th piece of a kind of the side
// to move, in the order of the canonical board.
func findPiece(p *board.Position, v View, piece model.PieceType, index uint8) (model.Square, bool) {
	own := p.Pieces(p.Turn(), piece)
	if bits.OnesCount64(own) < int(index) {
		return model.NoSquare, false
	}
	var order uint64 // the same squares, file by file
	for ; own != 0; own &= own - 1 {
		s := model.Square(bits.TrailingZeros64(own))
		order |= 1 << v.Square(s).FileMajor()
	}
	for range index - 1 {
		order &= order - 1
	}
	return v.Square(model.SquareFromFileMajor(uint8(bits.TrailingZeros64(order)))), true
}

// IsPortable reports whether all programs read the byte alike.
func IsPortable(code byte) bool {
	switch moveTable[code].kind {
	case portable, shortCastling, longCastling:
		return true
	}
	return false
}
