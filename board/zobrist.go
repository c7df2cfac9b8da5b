package board

import (
	"math/bits"

	"cbkit/model"
)

// BookKey returns a 64-bit key that all positions share which an opening book
// of ChessBase holds as one: a position and the same with colours exchanged
// and, where neither side may castle, the mirror images of both. Castling rights
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
	for c, home := range model.AllRights() {
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

// Where in polyglotRandom the numbers begin that are not those of pieces.
const (
	polyglotCastling  = 768 // two for each colour, White's first, the king's side first
	polyglotEnPassant = 772 // one for each file
	polyglotWhite     = 780
)

// polyglotPieces says where the 64 numbers of each piece begin: Black's pawn is
// the first kind, White's the second, and so on up to the kings.
var polyglotPieces = func() (at [16]uint16) {
	for t := model.Pawn; t <= model.King; t++ {
		at[model.NewPiece(model.Black, t)&15] = 64 * 2 * uint16(t-model.Pawn)
		at[model.NewPiece(model.White, t)&15] = 64 * (2*uint16(t-model.Pawn) + 1)
	}
	return at
}()

// PolyglotKey returns the 64-bit key under which Polyglot books, and the many
// programs and data sets that have taken it over, know the position. En passant
// counts if a pawn stands beside the one that has just advanced, pinned or not.
func (p *Position) PolyglotKey() uint64 {
	key := p.DiagramKey()
	for c := range p.rights {
		for side, rook := range p.rights[c] {
			if rook != model.NoSquare {
				key ^= polyglotRandom[polyglotCastling+2*c+side]
			}
		}
	}
	if p.enPassant >= 0 && p.EnPassantAttacked() {
		key ^= polyglotRandom[polyglotEnPassant+int(p.enPassant)]
	}
	return key
}

// DiagramKey returns a 64-bit key of what a diagram shows: which piece stands on
// which square, and who is to move. It is [Position.PolyglotKey] of the same position
// without castling rights and en passant.
func (p *Position) DiagramKey() uint64 {
	key := p.polyglotBoard(0, 0)
	if p.turn == model.White {
		key ^= polyglotRandom[polyglotWhite]
	}
	return key
}

// polyglotBoard returns the part of a key that the pieces make, on squares
// that an exclusive or with view has moved and with swap in the colours.
func (p *Position) polyglotBoard(view model.Square, swap model.Piece) (key uint64) {
	for set := p.Occupied(); set != 0; set &= set - 1 {
		s := bits.TrailingZeros64(set) & 63
		at := polyglotPieces[(p.board[s]^swap)&15]
		key ^= polyglotRandom[int(at)+(s^int(view))&63]
	}
	return key
}
