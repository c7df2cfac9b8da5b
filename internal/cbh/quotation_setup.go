package cbh

import (
	"slices"

	"cbkit/model"
)

// A set-up position takes 28 bytes (docs/formats/cbg.md 4):
//
//	+0  u8 1
//	+1  u8 bits 0-3 en passant file, 1 for a, 0 none; bit 4 Black to move
//	+2  u8 castling rights, bit by bit: see setupRights
//	+3  u8 number of the next full move; 0 means 1
//	+4  board, 24 bytes: bits from the highest, squares file by file, each
//	    0 for an empty square or 1, colour (1 is Black), three bits of piece
const (
	setupSize      = 28
	setupVersion   = 1
	setupBlackBit  = 1 << 4
	setupBoardSize = 24
	setupMaxPieces = (8*setupBoardSize - 64) / 4
)

// setupPieces are the pieces by number; 0 and 7 are none.
var setupPieces = [8]model.PieceType{
	1: model.King, 2: model.Queen, 3: model.Knight, 4: model.Bishop, 5: model.Rook, 6: model.Pawn,
}

// setupRights are the castling rights, lowest bit first.
var setupRights = [4]struct {
	color model.Color
	side  model.Side
	rook  model.Square
}{
	{model.White, model.QueenSide, model.A1},
	{model.White, model.KingSide, model.H1},
	{model.Black, model.QueenSide, model.A8},
	{model.Black, model.KingSide, model.H8},
}

// decodeSetup returns nil if b is too short or no board. Values that mean
// nothing, such as en passant on a ninth file, count as zero.
func decodeSetup(b []byte) *model.Position {
	if len(b) != setupSize {
		return nil
	}
	p := &model.Position{
		Rights:    model.NoRights,
		EnPassant: int8(b[1]&15) - 1,
		FullMove:  uint16(max(b[3], 1)),
	}
	if p.EnPassant > 7 {
		p.EnPassant = model.NoFile
	}
	if b[1]&setupBlackBit != 0 {
		p.Turn = model.Black
	}
	for i, r := range setupRights {
		if b[2]>>i&1 != 0 {
			p.Rights[r.color][r.side] = r.rook
		}
	}
	if !decodeSetupBoard(&p.Board, b[4:]) {
		return nil
	}
	return p
}

func decodeSetupBoard(board *[64]model.Piece, b []byte) bool {
	at, pieces := 0, 0
	take := func(n int) (v uint8) {
		for range n {
			v = v<<1 | b[at/8]>>(7-at%8)&1
			at++
		}
		return v
	}
	for n := range uint8(64) {
		if take(1) == 0 {
			continue
		}
		if pieces++; pieces > setupMaxPieces {
			return false
		}
		color := model.Color(take(1))
		piece := setupPieces[take(3)]
		if piece == model.NoPieceType {
			return false
		}
		board[model.SquareFromFileMajor(n)] = model.NewPiece(color, piece)
	}
	return true
}

// appendSetup returns false if there are more pieces than the board has bits
// for. It writes a move number above 255 as 255, and leaves out the clock of
// half moves and what is special to Chess960.
func appendSetup(dst []byte, p *model.Position) (out []byte, ok bool) {
	side := uint8(p.EnPassant+1) & 15
	if p.Turn == model.Black {
		side |= setupBlackBit
	}
	var rights uint8
	for i, r := range setupRights {
		if p.Rights[r.color][r.side] == r.rook {
			rights |= 1 << i
		}
	}
	dst = append(dst, setupVersion, side, rights, uint8(min(p.FullMove, 255)))
	return appendSetupBoard(dst, &p.Board)
}

func appendSetupBoard(dst []byte, board *[64]model.Piece) (out []byte, ok bool) {
	var b [setupBoardSize]byte
	at, pieces := 0, 0
	put := func(v uint8, n int) {
		for n--; n >= 0; n-- {
			b[at/8] |= v >> n & 1 << (7 - at%8)
			at++
		}
	}
	for n := range uint8(64) {
		piece := board[model.SquareFromFileMajor(n)]
		if piece == model.NoPiece {
			put(0, 1)
			continue
		}
		if pieces++; pieces > setupMaxPieces {
			return dst, false
		}
		number := slices.Index(setupPieces[1:], piece.Type()) + 1
		put(1<<4|uint8(piece.Color())<<3|uint8(number), 5)
	}
	return append(dst, b[:]...), true
}
