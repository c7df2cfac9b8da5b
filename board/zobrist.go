package board

import (
	"math/bits"

	"cbkit/model"
)

// BookKey returns a 64-bit key that is the same for all positions that a ChessBase
// opening book stores as one: a position, the position with colours exchanged and, if
// neither side may castle, the mirror images of both. Castling rights count if king and
// rook are at home. En passant counts if it is legal; otherwise such a book finds the
// position without it.
func (p *Position) BookKey() uint64 {
	rights, view := p.homeRights(), model.Square(0)
	key := p.sums[p.turn&1]
	if p.turn == model.Black {
		view, rights[0], rights[1] = flipRanks, rights[1], rights[0]
	}
	king := p.KingSquare(p.turn)
	if rights == ([2][2]bool{}) && king != model.NoSquare && king.File() < 4 {
		view |= mirrorFiles
		key = p.mirrored(view)
	}
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

// polyglotPieces has the numbers of each piece on each square: Black's pawn is the first
// kind, White's the second, and so on up to the kings.
var polyglotPieces = func() (of [16][64]uint64) {
	for t := model.Pawn; t <= model.King; t++ {
		copy(of[model.NewPiece(model.Black, t)&15][:], polyglotRandom[64*2*int(t-model.Pawn):])
		copy(of[model.NewPiece(model.White, t)&15][:], polyglotRandom[64*(2*int(t-model.Pawn)+1):])
	}
	return of
}()

// What an exclusive or makes of squares and pieces: ranks, colours or files the other way
// round.
const (
	flipRanks   = 56
	flipColors  = model.BlackPawn ^ model.WhitePawn
	mirrorFiles = 7
)

// hash adds a piece to the sums of the position, or takes it away: the part of its keys that
// the pieces make, as the board stands and as it is seen from the other side.
func (p *Position) hash(s model.Square, piece model.Piece) {
	p.sums[0] ^= polyglotPieces[piece&15][s&63]
	p.sums[1] ^= polyglotPieces[(piece^flipColors)&15][(s^flipRanks)&63]
}

// PolyglotKey returns the 64-bit key of the position in Polyglot books, which many
// programs and data sets use too. En passant counts if a pawn stands beside the one that
// has just advanced, pinned or not.
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
	key := p.sums[0]
	if p.turn == model.White {
		key ^= polyglotRandom[polyglotWhite]
	}
	return key
}

// mirrored returns the sum of the side to move, by a view with the files the other way round.
func (p *Position) mirrored(view model.Square) (key uint64) {
	swap := flipColors * model.Piece(p.turn&1)
	for set := p.Occupied(); set != 0; set &= set - 1 {
		s := bits.TrailingZeros64(set) & 63
		key ^= polyglotPieces[(p.board[s]^swap)&15][(s^int(view))&63]
	}
	return key
}
